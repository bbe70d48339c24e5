/** Archives of a crawl: every body once, in files of bounded size, whole or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import { readWarc, sha256 } from '../../archive/warc.testkit.ts';
import { CrawlError } from '../../base/errors.ts';
import type { NewFiles } from '../../ports/new-files.ts';
import { FLAGS } from '../../record/index.ts';
import { bodiesOf, captureFrom, each, type GivenPage, jobOf, NOW } from './export.testkit.ts';
import { FolderShelf } from './folder-shelf.ts';
import { exportWacz } from './wacz.ts';
import { walkCaptures } from './walk.ts';
import { exportWarc } from './warc.ts';
import { WarcWriter } from './warc-series.ts';

const PAGES: readonly GivenPage[] = [
  { url: 'https://example.com/', body: 'home', record: { title: 'Home' } },
  { url: 'https://example.com/b', body: 'two' },
  { url: 'https://example.com/copy', body: 'home', record: { flags: FLAGS.alias, depth: 1 } },
  { url: 'https://example.com/near', body: 'twoo', isLost: true, record: { flags: 16 } },
  {
    url: 'https://example.com/old',
    record: { httpStatus: 301, redirectTo: 'https://example.com/' },
  },
  { url: 'https://example.com/later', record: { state: 'queued', httpStatus: 0 } },
];
const TOLD = { whole: 2, repeated: 1, head: 1, absent: 1, nothing: 1, damaged: 0 };

function memory(job: { files: NewFiles }): Map<string, Buffer> {
  return (job.files as MemoryNewFiles).files;
}

test('warc: a folder has each body once, a revisit for its copy, and an index that finds all', async () => {
  const job = jobOf(PAGES);
  const { told, files } = await exportWarc(job, 'out', true);
  assert.deepEqual(told, TOLD);
  assert.deepEqual(
    [...memory(job).keys()],
    files.map(({ name }) => `out/${name}`),
  );
  const [warcName = '', indexName = ''] = files.map(({ name }) => name);
  assert.equal(warcName, 'orb-20260131120000-00000-here.test.warc.gz');
  const warc = memory(job).get(`out/${warcName}`) ?? Buffer.alloc(0);
  const lines = String(memory(job).get(`out/${indexName}`))
    .trimEnd()
    .split('\n');
  assert.deepEqual(lines, [...lines].sort());
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['com,example)/', 'com,example)/b', 'com,example)/copy', 'com,example)/old'],
  );
  for (const line of lines) {
    const { url, offset, length, digest } = JSON.parse(line.slice(line.indexOf('{')));
    const member = warc.subarray(Number(offset), Number(offset) + Number(length));
    const [record] = await readWarc(member);
    assert.equal(record?.url, url);
    assert.equal(record?.header('WARC-Payload-Digest'), digest);
  }
  const [first] = await readWarc(warc);
  assert.equal(first?.type, 'warcinfo');
});

test('warc: a file that is full is followed by the next; no page is split, none is lost', async () => {
  const pages = Array.from({ length: 40 }, (_, i) => ({
    url: `https://example.com/${i}`,
    body: Buffer.from(Array.from({ length: 500 }, (_, k) => (i * k * 31) % 251)),
  }));
  const files = new MemoryNewFiles();
  const shelf = new FolderShelf(files, 'out');
  const series = {
    ...{ prefix: 'orb', begunAt: NOW, machine: 'm', software: 's', userAgent: 'u', seeds: [] },
  };
  const writer = new WarcWriter(shelf, series, { bytesMax: 8_000 });
  const captures = each(pages.map(captureFrom));
  await walkCaptures(captures, bodiesOf(pages), writer, {}, new AbortController().signal);
  assert.ok(shelf.done.length > 3, `${shelf.done.length} files`);
  const urls: string[] = [];
  for (const { name, bytes } of shelf.done) {
    assert.ok(bytes <= 8_000, `${name} has ${bytes} bytes`);
    const records = await readWarc(files.files.get(`out/${name}`) ?? Buffer.alloc(0));
    const types = records.map(({ type }) => type);
    assert.equal(types.shift(), 'warcinfo');
    assert.deepEqual(
      types,
      types.map((_, i) => ['request', 'response', 'metadata'][i % 3]),
    );
    urls.push(...records.filter(({ type }) => type === 'response').map(({ url }) => url));
  }
  assert.deepEqual(
    urls,
    pages.map(({ url }) => url),
  );
});

test('warc: a record larger than a file gets one of its own', async () => {
  const files = new MemoryNewFiles();
  const shelf = new FolderShelf(files, 'out');
  const series = {
    ...{ prefix: 'orb', begunAt: NOW, machine: 'm', software: 's', userAgent: 'u', seeds: [] },
  };
  const pages = [0, 1].map((i) => ({ url: `https://example.com/${i}`, body: `body ${i}` }));
  const captures = each(pages.map(captureFrom));
  const writer = new WarcWriter(shelf, series, { bytesMax: 10 });
  await walkCaptures(captures, bodiesOf(pages), writer, {}, new AbortController().signal);
  assert.equal(shelf.done.length, 2);
});

test('walk: a damaged body costs its page, one that changed meanwhile too; the rest goes on', async () => {
  const job = jobOf(PAGES, {
    answers: {
      body: async (url: string) => {
        if (url.endsWith('/b')) throw new CrawlError('E_STORE_DAMAGED', 'torn', 'restore it');
        return Buffer.from(url.endsWith('/') ? 'home, changed' : 'home');
      },
    } as never,
  });
  const { told } = await exportWarc(job, 'out', false);
  assert.deepEqual(told, { whole: 1, repeated: 0, head: 1, absent: 3, nothing: 1, damaged: 1 });
});

test('wacz: a ZIP whose package names every file with its hash, and pages for people', async () => {
  const job = jobOf(PAGES);
  const { told } = await exportWacz(job, 'a.wacz');
  assert.deepEqual(told, TOLD);
  const entries = unzipped(memory(job).get('a.wacz') ?? Buffer.alloc(0));
  const described = JSON.parse(String(entries.get('datapackage.json')));
  assert.deepEqual([described.profile, described.wacz_version], ['data-package', '1.1.1']);
  for (const { path, hash, bytes } of described.resources) {
    const file = entries.get(path);
    assert.ok(file, path);
    assert.deepEqual([sha256(file), file.length], [hash, bytes]);
  }
  const named = described.resources.map(({ path }: { path: string }) => path);
  assert.deepEqual([...named, 'datapackage.json', 'datapackage-digest.json'], [...entries.keys()]);
  const digest = JSON.parse(String(entries.get('datapackage-digest.json')));
  assert.equal(digest.hash, sha256(entries.get('datapackage.json') ?? Buffer.alloc(0)));
  const [head, ...pages] = String(entries.get('pages/pages.jsonl')).trimEnd().split('\n');
  assert.equal(JSON.parse(head ?? '').format, 'json-pages-1.0');
  assert.deepEqual(
    pages.map((line) => JSON.parse(line)).map(({ url, title }) => [url, title]),
    [
      ['https://example.com/', 'Home'],
      ['https://example.com/b', 'https://example.com/b'],
      ['https://example.com/copy', 'https://example.com/copy'],
    ],
  );
  const index = gunzipSync(entries.get('indexes/index.cdx.gz') ?? Buffer.alloc(0)).toString();
  assert.equal(index.trimEnd().split('\n').length, 4);
});

test('export: a crawl without an answer leaves no file and says what to do', async () => {
  const nothing = [
    { url: 'https://example.com/', record: { state: 'queued', httpStatus: 0 } },
  ] as const;
  for (const act of [
    (job: ReturnType<typeof jobOf>) => exportWacz(job, 'a.wacz'),
    (job: ReturnType<typeof jobOf>) => exportWarc(job, 'out', true),
  ]) {
    const job = jobOf(nothing);
    await assert.rejects(act(job), (error) => {
      assert.ok(error instanceof CrawlError);
      assert.deepEqual([error.code, error.exitCode], ['E_NOTHING_FETCHED', 5]);
      return true;
    });
    assert.deepEqual([...memory(job).keys()], []);
  }
});

/** A disk that is full after so many writes. */
function failingFiles(writes: number): MemoryNewFiles {
  const files = new MemoryNewFiles();
  let left = writes;
  const create = files.create.bind(files);
  files.create = async (path) => {
    const file = await create(path);
    return {
      ...file,
      write: async (bytes) => {
        if (left-- <= 0) throw new CrawlError('E_DISK_FULL', 'no room', 'free some');
        await file.write(bytes);
      },
    };
  };
  return files;
}

test('export: a disk that fills up at any write leaves nothing under a final name', async () => {
  for (let writes = 0; writes < 14; writes++) {
    for (const form of ['warc', 'wacz'] as const) {
      const job = jobOf(PAGES, { files: failingFiles(writes) });
      const ended = form === 'wacz' ? exportWacz(job, 'a.wacz') : exportWarc(job, 'out', true);
      const failed = await ended.then(
        () => false,
        (error) => {
          assert.equal(error.code, 'E_DISK_FULL');
          return true;
        },
      );
      if (failed) assert.deepEqual([...memory(job).keys()], [], `${form}, ${writes} writes`);
      else assert.ok(writes > 8, 'only with room enough');
    }
  }
});

test('export: told to stop, it stops and takes back what it wrote', async () => {
  const stop = new AbortController();
  const job = jobOf(PAGES, { signal: stop.signal });
  stop.abort();
  await assert.rejects(exportWarc(job, 'out', false), { name: 'AbortError' });
  assert.deepEqual([...memory(job).keys()], []);
});

/** Stored entries by the directory, as a reader of ranges would find them. */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22;
  const entries = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let nth = 0; nth < zip.readUInt16LE(end + 10); nth++) {
    const [bytes, nameBytes] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const name = zip.subarray(at + 46, at + 46 + nameBytes).toString();
    const head = zip.readUInt32LE(at + 42);
    assert.equal(zip.readUInt32LE(head), 0x04034b50);
    assert.equal(zip.readUInt32LE(head + 18), bytes, 'the local head says the same');
    const from = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    entries.set(name, zip.subarray(from, from + bytes));
    at += 46 + nameBytes + zip.readUInt16LE(at + 30);
  }
  return entries;
}

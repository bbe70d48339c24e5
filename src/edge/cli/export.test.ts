/** `orb export`: where it writes, what it refuses, and rows that agree with `orb pages --json`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import { TABLE_NAMES, TABLES } from '../../archive/index.ts';
import { CrawlError } from '../../base/errors.ts';
import { bodiesOf, captureFrom, type GivenPage } from '../../crawl/export/export.testkit.ts';
import { blankHost, FLAGS, HOST_FLAGS, type UrlRecord } from '../../record/index.ts';
import { each, type FakeParts, fakeWorld, page, START } from './fake-world.test.ts';
import { hostJson } from './host-json.ts';
import { LINK_ROW } from './link-row.ts';
import { PAGE_ROW } from './page-row.ts';
import { runCli } from './run.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const newFiles = (parts.newFiles as MemoryNewFiles | undefined) ?? new MemoryNewFiles();
  const world = fakeWorld({ crawls: ['.orb/news'], ...parts, newFiles, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), files: newFiles.files, world };
}

const GIVEN: readonly GivenPage[] = [
  { url: 'https://example.com/', body: 'home' },
  { url: 'https://example.com/copy', body: 'home' },
  { url: 'https://example.com/gone', record: { httpStatus: 404, state: 'dead' } },
  { url: 'https://example.com/near', body: 'x', isLost: true },
];
const ARCHIVE = {
  answers: { captures: () => each(GIVEN.map(captureFrom)), body: bodiesOf(GIVEN) },
};

test('export warc: into a folder of the crawl’s name, or the one that is asked for', async () => {
  const plain = await orb(['export', 'warc'], ARCHIVE);
  assert.equal(plain.code, 0, plain.err);
  const name = 'orb-20260131120000-00000-here.test.warc.gz';
  assert.deepEqual([...plain.files.keys()], [`news-warc/${name}`]);
  assert.match(
    plain.err,
    /^Wrote 1 response, 1 revisit and 1 head without a body to news-warc \(1 file, [\d.]+ KB\)\.\n1 page is only mentioned/,
  );
  assert.equal(plain.out, '');
  const named = await orb(['export', 'cdxj', '--out', 'x', '--quiet'], ARCHIVE);
  assert.deepEqual([...named.files.keys()], [`x/${name}`, 'x/index.cdxj']);
  assert.equal(named.err, '');
  const wacz = await orb(['export', 'wacz', '-o', 'y.wacz'], ARCHIVE);
  assert.deepEqual([...wacz.files.keys()], ['y.wacz']);
});

test('export: an unknown form is refused with the one that was meant', async () => {
  const { code, err } = await orb(['export', 'wrac']);
  assert.equal(code, 2);
  assert.match(
    err,
    /no form 'wrac'\.\n +Did you mean warc\? The forms are warc, cdxj, wacz, jsonl/,
  );
  assert.equal((await orb(['export'])).code, 2);
  assert.equal((await orb(['export', 'warc', 'csv'])).code, 2);
});

test('export: a table is refused for archives, stdout for what is no text', async () => {
  const table = await orb(['export', 'warc', '--what', 'links']);
  assert.deepEqual([table.code, /Leave --what out/.test(table.err)], [2, true]);
  for (const form of ['parquet', 'wacz']) {
    const binary = await orb(['export', form, '--out', '-']);
    assert.deepEqual([binary.code, /cannot go to stdout/.test(binary.err)], [2, true]);
  }
});

test('export: what is there already is never written over', async () => {
  const newFiles = new MemoryNewFiles();
  for (const [form, out] of [
    ['csv', 'a.csv'],
    ['wacz', 'b.wacz'],
    ['warc', 'c'],
  ] as const) {
    const first = await orb(['export', form, '--out', out], { ...ARCHIVE, newFiles });
    assert.equal(first.code, 0, first.err);
    const before = new Map(newFiles.files);
    const again = await orb(['export', form, '--out', out], { ...ARCHIVE, newFiles });
    assert.equal(again.code, 4);
    assert.match(again.err, /is there already.*\n.*E_OUTPUT_EXISTS.*\n +Do: Choose another name/);
    assert.deepEqual(newFiles.files, before);
  }
});

test('export: a full disk ends with its own code and leaves nothing', async () => {
  const newFiles = new MemoryNewFiles();
  const create = newFiles.create.bind(newFiles);
  newFiles.create = async (path) => ({
    ...(await create(path)),
    write: async () => {
      throw new CrawlError('E_DISK_FULL', 'no room left', 'free some space');
    },
  });
  for (const form of ['csv', 'parquet', 'warc', 'wacz']) {
    const { code, err, files } = await orb(['export', form, '--out', 'a'], {
      ...ARCHIVE,
      newFiles,
    });
    assert.equal(code, 3, err);
    assert.deepEqual([...files.keys()], []);
  }
});

test('export: a crawl that fetched nothing has no archive, and an empty table', async () => {
  const archive = await orb(['export', 'wacz']);
  assert.deepEqual([archive.code, archive.files.size], [5, 0]);
  assert.match(archive.err, /nothing to archive.*\n.*\n +Do: Crawl first/);
  const table = await orb(['export', 'csv', '--out', 'a.csv', '--what', 'links']);
  assert.equal(table.code, 0);
  assert.equal(String(table.files.get('a.csv')), 'source,target,text,rel,kind\n');
  assert.match(table.err, /Wrote 0 links to a\.csv/);
});

test('export: Ctrl-C gives up what is half written and ends with 130', async () => {
  const newFiles = new MemoryNewFiles();
  let world: ReturnType<typeof fakeWorld> | undefined;
  const answers = {
    pages: async function* () {
      yield page('https://example.com/');
      world?.signal('SIGINT');
      yield page('https://example.com/2');
    },
  };
  const argv = ['export', 'jsonl', '--out', 'a'];
  world = fakeWorld({ crawls: ['.orb/one'], argv, answers, newFiles });
  assert.equal(await runCli(world), 130);
  assert.match(world.err(), /Stopped/);
  assert.equal(newFiles.files.size, 0);
});

test('export: a body that cannot be read is told, and the exit code says so', async () => {
  const body = async () => {
    throw new CrawlError('E_STORE_DAMAGED', 'torn', 'restore it');
  };
  const { code, err } = await orb(['export', 'warc'], { answers: { ...ARCHIVE.answers, body } });
  assert.equal(code, 8);
  assert.match(err, /bodies could not be read: the store is damaged/);
});

test('export: --host reaches every table and archive', async () => {
  const asked: unknown[] = [];
  const noted = ({ host }: { host?: string }) => {
    asked.push(host);
    return each([]);
  };
  const answers = { pages: noted, hosts: noted, links: noted, captures: noted };
  for (const what of TABLE_NAMES) {
    await orb(['export', 'jsonl', '--what', what, '--host', 'a.example'], { answers });
  }
  // An archive looks at the first page, and then at all.
  await orb(['export', 'warc', '--host', 'a.example'], { answers });
  assert.deepEqual(
    asked,
    Array.from({ length: 5 }, () => 'a.example'),
  );
});

/** A record with something in every field. */
const FULL: UrlRecord = {
  ...page('https://example.com/full'),
  ...{ reason: 'r', flags: FLAGS.noindex | FLAGS.alias, hops: 1, parent: Buffer.alloc(24, 2) },
  ...{ firstSeenAt: START, lastFetchedAt: START, lastChangedAt: START, nextCrawlAt: START },
  ...{ intervalMs: 5, failCount: 1, contentHash: Buffer.alloc(32, 3), simhash: 7n, visits: 2 },
  ...{ original: Buffer.alloc(24, 4), changes: 1, usage: 'search=yes', unavailableAfter: START },
  ...{ etag: '"e"', lastModified: 'now', redirectTo: 'https://example.com/', title: '=1+1' },
  ...{ remoteAddress: '192.0.2.1', contentType: 'text/html', bodyBytes: 3, region: 'eu' },
};

test('tables: every key that --json prints has a column, in the same order', () => {
  const flags = Object.values(HOST_FLAGS).reduce((sum, bit) => sum | bit, 0);
  const times = { lastFetchAt: START, turnAt: START, errorsSince: START };
  const rows = {
    pages: PAGE_ROW.json({ ...FULL, originalUrl: 'https://example.com/o' }),
    hosts: hostJson({ ...blankHost('h.example'), ...times, flags }),
    links: LINK_ROW.json({ source: 's', target: 't', text: 'x', rel: 'r', kind: 'a' }),
  };
  for (const what of TABLE_NAMES) {
    const names: readonly string[] = TABLES[what].map(({ name }) => name);
    assert.deepEqual(names, Object.keys(rows[what]), what);
  }
});

test('tables: jsonl is what orb pages --json prints, byte for byte', async () => {
  const answers = { pages: () => each([FULL, page('https://example.com/\u202e')]) };
  const listed = await orb(['pages', '--json'], { answers });
  const exported = await orb(['export', 'jsonl'], { answers });
  assert.equal(exported.out, listed.out);
  const filed = await orb(['export', 'jsonl', '--out', 'a'], { answers });
  assert.equal(String(filed.files.get('a')), listed.out);
});

test('tables: csv starts no formula and no line of its own', async () => {
  const evil = ['=cmd()', '+1', '-1', '@x', '\t=1', 'a\r\nb', 'c"d,e;f', '\u0000=2'];
  const answers = { pages: () => each(evil.map((title) => ({ ...FULL, title }))) };
  const { out } = await orb(['export', 'csv'], { answers });
  const lines = out.trimEnd().split('\n');
  assert.equal(lines.length, evil.length + 1);
  const at = TABLES.pages.findIndex(({ name }) => name === 'title');
  const cells = lines.slice(1).map((line) => cellsOf(line)[at]);
  assert.deepEqual(cells, ["'=cmd()", "'+1", "'-1", "'@x", "' =1", 'a b', 'c"d,e;f', '\ufffd=2']);
});

function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}

/** A folder of which a part was archived as the crawl went: every page, from where it is best. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import {
  type Exchanged,
  exchangeMember,
  exchangeRecords,
  fieldOf,
  httpMessageIn,
  targetOf,
} from '../../archive/index.ts';
import { checkWarc } from '../../archive/warc-check.testkit.ts';
import type { ArchiveFiles } from '../../ports/archive.ts';
import { FLAGS, urlKeyOf } from '../../record/index.ts';
import { captureFrom, each, type GivenPage, jobOf, NOW } from './export.testkit.ts';
import { exportWarc } from './warc.ts';

const MINUTE = 60_000;
const at = (path: string) => `https://example.com/${path}`;

interface Sent {
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly startedAt?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly withheld?: string;
  readonly before?: number;
  readonly picture?: Buffer;
}

function exchangedFrom({ path, body = '', status = 200, ...more }: Sent): Exchanged {
  const { headers = {}, startedAt = NOW - 6_000, withheld, before, picture } = more;
  const head = `HTTP/1.1 ${status} OK\r\n\r\n`;
  const timing = { startedAt, firstByteMs: 1, wholeMs: 2 };
  return {
    ...{ url: at(path), body: Buffer.from(body), asked: {}, about: {} },
    ...{ ...(withheld && { withheld }), ...(before && { before }), ...(picture && { picture }) },
    answer: {
      ...{ kind: 'answered', status, headers, head, timing },
      ...{ httpVersion: '1.1', remoteAddress: '192.0.2.1' },
    },
  };
}

function archiveOf(sent: readonly Sent[]): ArchiveFiles {
  const members = sent.map(exchangedFrom).flatMap((exchanged) => {
    const payload = createHash('sha256').update(exchanged.body).digest();
    const { records } = exchangeRecords(exchanged, payload);
    return records.map((record) => exchangeMember(record, exchanged));
  });
  const file = Buffer.concat(members);
  const name = 'orb-20260131000000-00000-here.test.warc.gz';
  return {
    list: async () => [{ name, bytes: file.length, isOpen: false }],
    read: () => each([file]),
  };
}

/** `type path status date body`, of every main record of the export; each file is checked. */
async function exported(pages: readonly GivenPage[], sent: readonly Sent[]) {
  const inOrder = [...pages].sort((a, b) => urlKeyOf(a.url).compare(urlKeyOf(b.url)));
  const captures = each(inOrder.map(captureFrom));
  const job = jobOf(pages, { captures, archived: { files: archiveOf(sent) } });
  const { told, files } = await exportWarc(job, 'out', true);
  const all = (job.files as MemoryNewFiles).files;
  const warcs = files.filter(({ name }) => name.endsWith('.gz'));
  const records = warcs.flatMap(({ name }) => {
    const { records, problems } = checkWarc(all.get(`out/${name}`) ?? Buffer.alloc(0));
    assert.deepEqual(
      problems.filter((what) => !what.includes('warcinfo')),
      [],
    );
    return records;
  });
  const mains = records.filter(({ type }) => type === 'response' || type === 'revisit');
  const lines = mains.map((record) => {
    const { status, body } = httpMessageIn(record) ?? { status: 0, body: '' };
    return `${record.type} ${targetOf(record).slice(at('').length)} ${status} ${body}`.trim();
  });
  const index = String(all.get('out/index.cdxj')).trimEnd().split('\n');
  const shown = mains.filter((record) => httpMessageIn(record)?.status !== 304);
  assert.equal(index.length, shown.length, 'the index has each of them that can be shown');
  return { told, lines, records, warcs: warcs.map(({ name }) => name) };
}

test('mixed: what is archived is copied, the rest is made, nothing is there twice', async () => {
  const gone = { state: 'dead', httpStatus: 404, lastChangedAt: NOW - 5_000 } as const;
  const pages: GivenPage[] = [
    { url: at('same'), body: 'same' },
    { url: at('packed'), body: 'packed', record: { lastChangedAt: NOW - 5_000 } },
    { url: at('only-here'), body: 'only here' },
    { url: at('copy'), body: 'same' },
    { url: at('moved'), record: { httpStatus: 301, redirectTo: at('same') } },
    { url: at('private'), record: { flags: FLAGS.noarchive } },
    { url: at('changed'), body: 'new', record: { lastChangedAt: NOW - 5_000 } },
    { url: at('gone'), body: 'it was', record: gone },
    { url: at('queued'), record: { state: 'queued', httpStatus: 0 } },
  ];
  const { told, lines, warcs, records } = await exported(pages, [
    { path: 'robots.txt', body: 'User-agent: *' },
    { path: 'same', body: 'same' },
    { path: 'packed', body: gzipSync('packed'), headers: { 'content-encoding': 'gzip' } },
    { path: 'moved', status: 301 },
    { path: 'private', withheld: 'it asks' },
    { path: 'changed', body: 'old', startedAt: NOW - 60 * MINUTE },
    { path: 'gone', body: 'it was', startedAt: NOW - 60 * MINUTE },
  ]);
  const [copied, made] = [lines.slice(0, 6), lines.slice(6).sort()];
  assert.deepEqual(
    copied.map((line) => line.split(' ')[1]),
    ['robots.txt', 'same', 'packed', 'moved', 'changed', 'gone'],
  );
  assert.deepEqual(made, [
    'response changed 200 new',
    'response gone 404',
    'response only-here 200 only here',
    'revisit copy 200',
  ]);
  assert.deepEqual(told, { whole: 8, repeated: 1, head: 1, absent: 1, nothing: 1, damaged: 0 });
  assert.equal(new Set(warcs).size, 2);
  const privates = records.filter((record) => targetOf(record) === at('private'));
  assert.deepEqual(
    privates.map(({ type }) => type),
    ['metadata'],
  );
});

test('pictures: those in the archive and those in the folder are in the index, as warcio makes it', async () => {
  const shown = (path: string) => ({
    ...captureFrom({ url: at(path), body: path }),
    hasPicture: true,
  });
  const captures = each([shown('made')]);
  const files = archiveOf([{ path: 'copied', body: 'copied', picture: Buffer.from('PNG 1') }]);
  const body = async (_: string, form?: string) =>
    Buffer.from(form === 'screenshot' ? 'PNG 2' : 'made');
  const job = jobOf([], { captures, archived: { files }, answers: { body } as never });
  await exportWarc(job, 'out', true);
  const all = (job.files as MemoryNewFiles).files;
  const index = String(all.get('out/index.cdxj')).trimEnd().split('\n');
  const pictures = index.filter((line) => line.startsWith('urn:view:'));
  assert.deepEqual(
    pictures.map((line) => line.split(' ')[0]),
    [`urn:view:${at('copied')}`, `urn:view:${at('made')}`],
  );
  for (const line of pictures) {
    const row = JSON.parse(line.slice(line.indexOf('{')));
    const names = ['url', 'mime', 'digest', 'length', 'offset', 'filename'];
    assert.deepEqual([Object.keys(row), row.mime], [names, 'image/png']);
    const warc = all.get(`out/${row.filename}`) ?? Buffer.alloc(0);
    const [record] = checkWarc(warc.subarray(Number(row.offset))).records;
    assert.deepEqual([record?.type, record && targetOf(record)], ['resource', row.url]);
  }
});

test('mixed: a page of which only a 304 is archived is made, dated as the 304 says', async () => {
  const changedAt = NOW - 60 * MINUTE;
  const again = { lastChangedAt: changedAt, lastFetchedAt: NOW - MINUTE, wholeMs: 40 };
  const { lines, records } = await exported(
    [{ url: at('page'), body: 'as before', record: again }],
    [{ path: 'page', status: 304, before: changedAt, startedAt: NOW - MINUTE }],
  );
  assert.deepEqual(lines, ['revisit page 304', 'response page 200 as before']);
  const of = (type: string, name: string) => {
    const record = records.find((one) => one.type === type);
    return record && fieldOf(record.fields, name);
  };
  assert.equal(of('response', 'WARC-Date'), of('revisit', 'WARC-Refers-To-Date'));
});

test('mixed: a page that failed since is the page that it was, not under the status of the failure', async () => {
  const failed = { state: 'retrying', httpStatus: 503, lastChangedAt: NOW - 5_000 } as const;
  const { lines } = await exported([{ url: at('page'), body: 'a page', record: failed }], []);
  assert.deepEqual(lines, ['response page 200 a page']);
});

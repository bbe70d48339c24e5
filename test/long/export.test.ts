/**
 * A crawl over real HTTP, exported by the command line and read back with the field's own tools:
 * npm's warcio and DuckDB (B6). What they read is what the store has.
 */
import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { CDXIndexer } from 'warcio';
import { type Column, TABLE_NAMES, TABLES, type TableName } from '../../src/archive/index.ts';
import { type ReadRecord, readWarc, sha256 } from '../../src/archive/warc.testkit.ts';
import { type Engines, openEngines } from '../../src/compose.ts';
import { FLAGS, type UrlRecord, urlKeyOf } from '../../src/record/index.ts';
import { openWebFor, orb, recordsOf, scratch, startOrb, waitForRequests } from '../kit/index.ts';
import type { Cleanup } from '../kit/place.ts';

const FAST = ['--scope', 'any', '--allow-private', '--rate', 'max', '--backoff', '200ms'];
const SIZE = { seed: 21, hosts: 24, pages: 500, bodyBytes: 2_000 } as const;

describe('export of a crawl', () => {
  const ends: (() => unknown)[] = [];
  const suite = { after: (end: () => unknown) => void ends.push(end) };
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  let place: string;
  let dir: string;
  let folder: string;
  let records: ReadonlyMap<string, UrlRecord>;

  before(async () => {
    place = await scratch(suite);
    dir = join(place, 'crawl');
    const web = await openWebFor(suite, SIZE);
    const end = await orb(suite, ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST]);
    assert.ok(end.code === 0 || end.code === 6, end.stderr);
    records = (await recordsOf(suite, dir)).urls;
    folder = await exported(suite, 'cdxj', 'warc');
  });

  async function exported(t: Cleanup, form: string, out: string, ...flags: string[]) {
    const end = await orb(t, ['export', form, '--dir', dir, '--out', out, ...flags], {
      cwd: place,
    });
    assert.equal(end.code, 0, end.stderr);
    return join(place, out);
  }

  test('warc: each response is what the store has, each copy names the first, none is missing', async () => {
    const read = await readFolder(folder);
    const engines = await openEngines(dir, { syncAlways: false, codec: 'none' });
    try {
      await compare(read, records, engines);
    } finally {
      await engines.close();
    }
  });

  test('cdxj: it is the index that warcio makes of the same files', async () => {
    const lines = (await readFile(join(folder, 'index.cdxj'), 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines, [...lines].sort(), 'in order');
    const ours = lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    const theirs = await indexOf(folder);
    assert.deepEqual(
      new Map(ours.map((row) => [row.url, row])),
      new Map(theirs.map((row) => [row.url, row])),
    );
  });

  for (const what of TABLE_NAMES) {
    test(`tables: JSONL, CSV and Parquet of ${what} agree row for row, and with what orb lists`, async (t) => {
      const as = ['--what', what];
      const jsonl = await readFile(await exported(t, 'jsonl', `${what}.jsonl`, ...as), 'utf8');
      if (what !== 'hosts') {
        const listed = await orb(t, [what, '--dir', dir, '--json']);
        assert.equal(jsonl, listed.stdout);
      }
      const rows = jsonl.trimEnd().split('\n').map(parsed);
      assert.ok(rows.length > 20);
      if (what === 'pages') assert.equal(rows.length, records.size);
      const csv = await exported(t, 'csv', `${what}.csv`, ...as);
      assert.deepEqual(
        await duck(`select * from read_csv('${csv}', all_varchar = true)`),
        rows.map((row) => cells(what, row, (value) => spreadsheet(String(value)))),
      );
      const parquet = await exported(t, 'parquet', `${what}.parquet`, ...as);
      assert.deepEqual(
        await duck(`select * from '${parquet}'`),
        rows.map((row) => cells(what, row, typed)),
      );
    });
  }

  test('tables: DuckDB answers the question that the docs ask', async (t) => {
    const docs = await readFile(new URL('../../docs/export.md', import.meta.url), 'utf8');
    const [, query = ''] = /duckdb -c "([^"]+)"/.exec(docs) ?? [];
    const pages = await exported(t, 'parquet', 'asked-pages.parquet');
    const links = await exported(t, 'parquet', 'asked-links.parquet', '--what', 'links');
    const answer = await duck(
      query
        .replace("'crawl-pages.parquet'", `'${pages}'`)
        .replace("'crawl-links.parquet'", `'${links}'`),
    );
    const listed = await orb(t, ['links', '--dir', dir, '--json']);
    const sources = new Map<string, Set<unknown>>();
    for (const { source, target } of listed.stdout.trimEnd().split('\n').map(parsed)) {
      if (records.get(String(target))?.httpStatus !== 404) continue;
      sources.set(String(target), (sources.get(String(target)) ?? new Set()).add(source));
    }
    const counted = [...sources].map(([url, pages]) => ({
      url,
      pages_that_link: BigInt(pages.size),
    }));
    const best = counted.sort(
      (a, b) => Number(b.pages_that_link - a.pages_that_link) || (a.url < b.url ? -1 : 1),
    );
    assert.ok(best.length > 0);
    assert.deepEqual(answer, best.slice(0, 3));
  });

  test('kill -9 while a WACZ is written: nothing is under its name, and the next one is whole', async (t) => {
    const begun = fileIn(place, 'k.wacz.part');
    const run = startOrb(t, ['export', 'wacz', '--dir', dir, '--out', 'k.wacz'], { cwd: place });
    await Promise.race([run.ended, begun]);
    run.kill('SIGKILL');
    const { signal } = await run.ended;
    const names = await readdir(place);
    assert.equal(names.includes('k.wacz'), signal === null);
    const wacz = await readFile(await exported(t, 'wacz', 'k2.wacz'));
    assert.equal(wacz.readUInt32LE(wacz.length - 22), 0x06054b50, 'the directory is at its end');
  });
});

test('export: while its crawl runs, through the crawl’s own socket', async (t) => {
  const place = await scratch(t);
  const dir = join(place, 'crawl');
  const web = await openWebFor(t, { ...SIZE, seed: 22 });
  const polite = ['--scope', 'any', '--allow-private', '--rate', '2'];
  const run = startOrb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...polite]);
  assert.ok(await waitForRequests(web, 40, () => run.isOver), run.stderr);
  const end = await orb(t, ['export', 'warc', '--dir', dir, '--out', 'out'], { cwd: place });
  assert.equal(end.code, 0, end.stderr);
  assert.equal(run.isOver, false, 'the crawl goes on');
  const read = await readFolder(join(place, 'out'));
  const responses = read.filter(({ type, status }) => type === 'response' && status === 200);
  assert.ok(responses.length > 5, `${responses.length} responses`);
  for (const { header, payload } of responses) {
    assert.equal(header('WARC-Payload-Digest'), sha256(payload));
  }
});

async function readFolder(folder: string): Promise<ReadRecord[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.warc.gz')).sort();
  const files = await Promise.all(
    names.map(async (name) => readWarc(await readFile(join(folder, name)))),
  );
  return files.flat();
}

async function compare(
  read: readonly ReadRecord[],
  records: ReadonlyMap<string, UrlRecord>,
  { blobs, store }: Engines,
): Promise<void> {
  const seen = { response: 0, revisit: 0, metadata: 0 };
  const ids = new Set<string>();
  for (const { type, url, status, payload, header, httpHeaders } of read) {
    if (type === 'response' || type === 'revisit' || type === 'metadata') seen[type]++;
    if (type !== 'response' && type !== 'revisit') continue;
    const record = records.get(url);
    assert.ok(record, url);
    assert.equal(status, record.httpStatus);
    if (record.contentHash.length === 0) continue;
    assert.equal(header('WARC-Payload-Digest'), `sha256:${hex(record.contentHash)}`);
    const trace = await store.trace(urlKeyOf(url));
    assert.equal(httpHeaders.get('content-type'), trace?.headers['content-type']);
    if (type === 'revisit') {
      assert.ok(ids.has(header('WARC-Refers-To')), 'it refers to one that was written');
      continue;
    }
    ids.add(header('WARC-Record-ID'));
    assert.deepEqual(payload, await blobs.get(record.contentHash), url);
    assert.equal(httpHeaders.get('content-length'), String(payload.length));
  }
  const answered = [...records.values()].filter(({ httpStatus }) => httpStatus > 0);
  const whole = answered.filter(
    ({ contentHash, flags }) => contentHash.length > 0 && isOpen(flags),
  );
  const bodies = new Set(whole.map(({ contentHash }) => hex(contentHash)));
  assert.equal(ids.size, bodies.size, 'each body once');
  assert.equal(seen.revisit, whole.length - bodies.size);
  assert.ok(seen.revisit > 0, 'the web has copies');
  assert.equal(seen.metadata, answered.length, 'each answer is told of');
}

function isOpen(flags: number): boolean {
  return (flags & (FLAGS.noarchive | FLAGS.usage_refused | FLAGS.near_duplicate)) === 0;
}

/** warcio's lines; it leaves the name of the digest out. */
async function indexOf(folder: string): Promise<Record<string, string>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.warc.gz'));
  const files = await Promise.all(
    names.map(async (filename) => ({
      filename,
      reader: each(await readFile(join(folder, filename))),
    })),
  );
  const rows: Record<string, string>[] = [];
  for await (const found of new CDXIndexer({ noSort: true } as never).iterIndex(files as never)) {
    const { urlkey: _key, timestamp: _at, ...row } = found as Record<string, unknown>;
    const texts = Object.entries(row).map(([name, value]) => [name, String(value)]);
    const { digest, ...rest } = Object.fromEntries(texts);
    rows.push({ ...rest, digest: `sha256:${String(digest).replace(/^sha256:/, '')}` });
  }
  return rows;
}

async function* each(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function duck(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const read = await connection.runAndReadAll(sql);
    return read.getRowObjectsJS() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
  }
}

/** Resolves when a file of this name appears in a folder. */
function fileIn(folder: string, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name !== wanted) return;
      watcher.close();
      resolve();
    });
  });
}

type Row = Readonly<Record<string, unknown>>;

function parsed(line: string): Row {
  return JSON.parse(line);
}

/** A row of `--json` with every column, in the form of a table. */
function cells(what: TableName, row: Row, form: (value: unknown, kind: string) => unknown): Row {
  return Object.fromEntries(
    (TABLES[what] as readonly Column[]).map(({ name, kind }) => {
      const value = row[name];
      const flat = Array.isArray(value) ? value.join(' ') : value;
      return [name, flat === undefined || flat === '' ? null : form(flat, kind)];
    }),
  );
}

function typed(value: unknown, kind: string): unknown {
  if (kind === 'time') return new Date(String(value));
  return kind === 'whole' ? BigInt(value as number) : value;
}

/** As it stands in a spreadsheet: an apostrophe before what looks like a formula. */
function spreadsheet(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

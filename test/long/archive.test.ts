/**
 * An archive that is written as the crawl goes (B6): every answer in it is what the server sent,
 * a kill -9 leaves whole files, and the field's own tools read them.
 *
 * `npm run test:full -- archive` crawls 5,000 pages and asks warcio (Python), jwarc (Java) and
 * ReplayWeb.page in a browser; tools/archive-tools.ts fetches them.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { fieldOf, httpMessageIn, targetOf } from '../../src/archive/index.ts';
import { readWarc } from '../../src/archive/warc.testkit.ts';
import { checkWarc } from '../../src/archive/warc-check.testkit.ts';
import { openWeb, serveWeb, type Web, type WebAnswer } from '../../testweb/index.ts';
import { archiveTools } from '../../tools/archive-tools.ts';
import { startBrowser } from '../kit/browser.ts';
import { isFull, orb, recordsOf, scaled, scratch, startOrb } from '../kit/index.ts';
import type { Cleanup } from '../kit/place.ts';
import { openReplay } from '../kit/replay.ts';

const SIZE = scaled({ hosts: 16, pages: 220 }, { hosts: 120, pages: 5_000 });
const KILLED_SIZE = scaled({ hosts: 8, pages: 80 }, { hosts: 60, pages: 1_500 });
const KILLS = scaled(1, 10);
const FAST = ['--scope', 'any', '--allow-private', '--rate', 'max', '--backoff', '200ms', '--warc'];

type Sent = ReadonlyMap<string, readonly WebAnswer[]>;
type Checked = ReturnType<typeof checkWarc>['records'][number];

/** A test web that remembers each of its answers, by the URL without its port. */
async function openRecordedWeb(t: Cleanup, size: { hosts: number; pages: number }) {
  const sent = new Map<string, WebAnswer[]>();
  const recorded = (web: Web): Web => ({
    ...web,
    answer(request) {
      const answer = web.answer(request);
      sent.set(request.url, [...(sent.get(request.url) ?? []), answer]);
      return answer;
    },
    at: (ports) => recorded(web.at(ports)),
  });
  const server = await serveWeb(recorded(openWeb({ seed: 31, bodyBytes: 2_000, ...size })));
  t.after(() => server.close());
  const flags = ['--dns', `127.0.0.1:${server.dnsPort}`, '--allow-network', '127.1.0.0/16'];
  return { sent, server, start: server.web.urlOf(0, 0), flags };
}

async function archiveIn(dir: string): Promise<{ files: string[]; records: Checked[] }> {
  const folder = join(dir, 'warc');
  const names = (await readdir(folder)).sort();
  assert.deepEqual(
    names.filter((name) => !name.endsWith('.warc.gz')),
    [],
    'nothing is left open',
  );
  const files = names.map((name) => join(folder, name));
  const records: Checked[] = [];
  for (const file of files) {
    const checked = checkWarc(await readFile(file));
    assert.deepEqual(checked.problems, [], file);
    records.push(...checked.records);
  }
  return { files, records };
}

const isMain = ({ type }: Checked) => type === 'response' || type === 'revisit';

function compare(record: Checked, sent: Sent): void {
  const url = targetOf(record);
  const http = httpMessageIn(record);
  assert.ok(http, url);
  const answers = (sent.get(url.replace(/:\d+(?=\/)/, '')) ?? []).filter(
    ({ status }) => status === http.status,
  );
  const isIts = ({ body }: WebAnswer) => body.kind !== 'whole' || isBody(record, body.bytes);
  const answer = answers.find(isIts);
  assert.ok(answer, `${url} ${http.status}: no such answer was sent`);
  for (const [name, value] of Object.entries(answer.headers)) {
    assert.equal(fieldOf(http.fields, name), value, `${url}: ${name}`);
  }
}

/** A revisit has the digest alone. */
function isBody(record: Checked, bytes: Uint8Array): boolean {
  const payload = httpMessageIn(record)?.body;
  if (record.type === 'response') return payload?.equals(bytes) ?? false;
  const digest = createHash('sha256').update(bytes).digest('hex');
  return fieldOf(record.fields, 'WARC-Payload-Digest') === `sha256:${digest}`;
}

describe('archive of a crawl', () => {
  const ends: (() => unknown)[] = [];
  const suite = { after: (end: () => unknown) => void ends.push(end) };
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  let place = '';
  let dir = '';
  let web: Awaited<ReturnType<typeof openRecordedWeb>>;
  let archive: Awaited<ReturnType<typeof archiveIn>>;

  before(async () => {
    place = await scratch(suite);
    dir = join(place, 'crawl');
    web = await openRecordedWeb(suite, SIZE);
    const more = scaled([], ['--warc-file-max', '5MB']);
    const end = await orb(suite, [
      'crawl',
      web.start,
      '--dir',
      dir,
      ...web.flags,
      ...FAST,
      ...more,
    ]);
    assert.ok(end.code === 0 || end.code === 6, end.stderr);
    archive = await archiveIn(dir);
  });

  test('every answer in it is what the server sent, and none is missing', () => {
    const mains = archive.records.filter(isMain);
    for (const record of mains) compare(record, web.sent);
    const told = new Set(archive.records.map(targetOf));
    const asked = [...web.server.log.requests()].map(({ url }) => url);
    const missing = asked.filter((url) => !told.has(url));
    assert.deepEqual(missing, []);
    const types = new Set(mains.map(({ type }) => type));
    assert.deepEqual([...types].sort(), ['response', 'revisit'], 'the web has copies');
    assert.ok(mains.some((record) => targetOf(record).endsWith('/robots.txt')));
    assert.ok(mains.some((record) => Math.floor((httpMessageIn(record)?.status ?? 0) / 100) === 3));
    assert.ok(archive.files.length >= scaled(1, 3), `${archive.files.length} files`);
  });

  test('npm’s warcio reads every record', async () => {
    let count = 0;
    for (const file of archive.files) count += (await readWarc(await readFile(file))).length;
    assert.equal(count, archive.records.length);
  });

  test('exports give the files on as they are, with an index of every answer', async (t) => {
    const out = join(place, 'out');
    const end = await orb(t, ['export', 'cdxj', '--dir', dir, '--out', out]);
    assert.equal(end.code, 0, end.stderr);
    for (const file of archive.files) {
      const name = file.slice(file.lastIndexOf('/') + 1);
      assert.ok((await readFile(join(out, name))).equals(await readFile(file)), name);
    }
    const lines = (await readFile(join(out, 'index.cdxj'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, archive.records.filter(isMain).length);
    for (const line of lines.slice(0, 50)) {
      const { url, offset, length, filename } = JSON.parse(line.slice(line.indexOf('{')));
      const file = await readFile(join(out, filename));
      const member = file.subarray(Number(offset), Number(offset) + Number(length));
      assert.equal((await readWarc(member))[0]?.url, url);
    }
  });

  if (isFull) {
    test('warcio check and jwarc validate say nothing', () => {
      const { warcio, jwarc } = archiveTools();
      assert.ok(warcio, 'warcio can be had');
      assert.ok(jwarc, 'jwarc can be had');
      assert.deepEqual(warcio(archive.files), { code: 0, said: '' });
      assert.deepEqual(jwarc(archive.files), { code: 0, said: '' });
    });

    test('the pages of its WACZ replay in ReplayWeb.page as they were crawled', async (t) => {
      const { replay: software } = archiveTools();
      assert.ok(software, 'replaywebpage can be had');
      const wacz = join(place, 'crawl.wacz');
      const end = await orb(t, ['export', 'wacz', '--dir', dir, '--out', wacz]);
      assert.equal(end.code, 0, end.stderr);
      const browser = await startBrowser();
      if ('reason' in browser) return t.skip(browser.reason);
      t.after(() => (browser as Browser).close());
      const replay = await openReplay(t, browser as Browser, software, wacz);
      for (const record of pagesOf(archive.records)) {
        const html = httpMessageIn(record)?.body.toString() ?? '';
        const url = targetOf(record);
        assert.equal(await replay.textOf(url), await replay.plainText(html), url);
      }
      const screens = join(
        dirname(fileURLToPath(import.meta.url)),
        '..',
        '..',
        '.cache',
        'screens',
      );
      mkdirSync(screens, { recursive: true });
      await replay.picture(join(screens, 'replay.png'));
    });
  }
});

/** Some of those that are plain text in their encoding, from all over the archive. */
function pagesOf(records: readonly Checked[]): Checked[] {
  const isPage = (record: Checked) => {
    const http = httpMessageIn(record);
    const type = http && fieldOf(http.fields, 'content-type');
    const isPlain = http && fieldOf(http.fields, 'content-encoding') === undefined;
    return (
      record.type === 'response' && http?.status === 200 && isPlain && /utf-8/i.test(type ?? '')
    );
  };
  const pages = records.filter(isPage);
  return pages.filter((_, nth) => nth % Math.ceil(pages.length / 6) === 0);
}

test(`killed ${KILLS} times: the archive is whole, and no page that is stored is missing from it`, async (t) => {
  const dir = join(await scratch(t), 'crawl');
  const web = await openRecordedWeb(t, KILLED_SIZE);
  const args = ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST, '--concurrency', '6'];
  const step = Math.floor((KILLED_SIZE.pages * 0.8) / KILLS);
  for (let kill = 1; kill <= KILLS; kill++) {
    const run = startOrb(t, args);
    while (!run.isOver && web.server.log.length < kill * step) {
      await new Promise((look) => setTimeout(look, 1));
    }
    run.kill('SIGKILL');
    assert.equal((await run.ended).signal, 'SIGKILL', run.stderr);
  }
  const end = await orb(t, args);
  assert.ok(end.code === 0 || end.code === 6, end.stderr);
  const { records } = await archiveIn(dir);
  for (const record of records.filter(isMain)) compare(record, web.sent);
  const told = new Set(records.map(targetOf));
  const { urls } = await recordsOf(t, dir);
  const missing = [...urls.values()].filter(
    ({ httpStatus, url }) => httpStatus > 0 && !told.has(url),
  );
  assert.deepEqual(
    missing.map(({ url }) => url),
    [],
  );
});

test('begun without --warc: exports have every page of the folder, each once', async (t) => {
  const place = await scratch(t);
  const dir = join(place, 'crawl');
  const web = await openRecordedWeb(t, { hosts: 4, pages: 40 });
  const args = ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST];
  const without = args.filter((arg) => arg !== '--warc');
  const first = await orb(t, [...without, '--limit', '14']);
  assert.ok(first.code === 0 || first.code === 6, first.stderr);
  const second = await orb(t, args);
  assert.ok(second.code === 0 || second.code === 6, second.stderr);
  const { records } = await archiveIn(dir);
  const { urls } = await recordsOf(t, dir);
  const answered = [...urls.values()].filter(({ httpStatus }) => httpStatus > 0);
  const abouts = records.filter(({ type }) => type === 'metadata').map(targetOf);
  const archived = new Set(abouts);
  // What failed for a moment was asked twice by the run with --warc, and is there as often.
  const timesOf = (url: string) => abouts.filter((one) => one === url).length;
  const parts = [true, false].map((is) => answered.filter(({ url }) => archived.has(url) === is));
  assert.ok(
    parts.every(({ length }) => length > 5),
    `${parts.map(({ length }) => length)}`,
  );
  const out = join(place, 'out');
  const end = await orb(t, ['export', 'cdxj', '--dir', dir, '--out', out]);
  assert.equal(end.code, 0, end.stderr);
  const told = new Map<string, number>();
  for (const name of (await readdir(out)).filter((one) => one.endsWith('.gz'))) {
    const checked = checkWarc(await readFile(join(out, name)));
    assert.deepEqual(checked.problems, [], name);
    for (const record of checked.records.filter(({ type }) => type === 'metadata')) {
      told.set(targetOf(record), 1 + (told.get(targetOf(record)) ?? 0));
    }
  }
  assert.deepEqual(
    answered.map(({ url }) => [url, told.get(url)]),
    answered.map(({ url }) => [url, timesOf(url) || 1]),
  );
});

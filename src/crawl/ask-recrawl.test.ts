import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryShardStore } from '../adapters/memory/shard-store.ts';
import { resolveSettings } from '../config/index.ts';
import { type Due, NOTHING } from '../ports/shard-store.ts';
import { blankHost, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { askAgain } from './ask-recrawl.ts';
import type { AnswerSources } from './ask-sources.ts';
import { changesBetween, changesSince } from './changes.ts';
import { dueNow } from './recrawl.ts';

const NOW = Date.UTC(2030, 0, 1);
const DAY = 86_400_000;

async function folder(pages: Readonly<Record<string, Partial<UrlRecord> | 'queued'>>) {
  const store = new MemoryShardStore();
  for (const [url, more] of Object.entries(pages)) {
    const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW - 9 * DAY);
    await store.commit({ ...NOTHING, admitted: [{ waiting, maybeKnown: false }] });
    if (more === 'queued') continue;
    const [known] = await store.urls([waiting.key]);
    const visited = { state: 'indexed', httpStatus: 200, visits: 1, lastChangedAt: NOW - 8 * DAY };
    const record = { ...(known as UrlRecord), ...visited, ...more } as UrlRecord;
    await store.commit({
      ...NOTHING,
      settled: [{ waiting, record }],
      hosts: [blankHost('a.example')],
    });
  }
  return store;
}

function sourcesOf(store: MemoryShardStore): AnswerSources {
  const resolved = resolveSettings({});
  assert.ok('settings' in resolved);
  const clock = { now: () => NOW, sleepUntil: async () => undefined };
  const again = (dues: readonly Due[]) => dueNow(store, dues, NOW);
  return {
    ...{ store, records: store, clock, settings: resolved.settings, isRunning: () => false },
    askAgain: again,
  } as unknown as AnswerSources;
}

const PAGES = {
  'http://a.example/': {},
  'http://a.example/news/1': { nextCrawlAt: NOW + 5 * DAY },
  'http://a.example/news/2': { nextCrawlAt: NOW + 6 * DAY, state: 'dead' as const },
  'http://b.example:8080/': {},
  'http://b.example/q': 'queued' as const,
};

test('recrawl: by URL, host and pattern, each page once and due now', async () => {
  for (const [what, expected] of [
    ['http://a.example/', 1],
    ['a.example', 3],
    ['b.example', 1],
    ['b.example:8080', 1],
    ['http://a.example/news/*', 2],
    ['a.example/news/*', 2],
    ['*/news/1', 1],
    ['*', 4],
  ] as const) {
    const store = await folder(PAGES);
    const answer = await askAgain(sourcesOf(store), { what: [what] });
    assert.equal(answer.asked, expected, what);
    assert.deepEqual(answer.unknown, []);
    const due = await store.due(NOW, 100);
    assert.equal(due.length, expected, what);
  }
});

test('recrawl: all; what waits already; and what nobody has heard of', async () => {
  const all = await askAgain(sourcesOf(await folder(PAGES)), { what: [], all: true });
  assert.deepEqual([all.asked, all.waiting], [4, 1]);
  const store = await folder(PAGES);
  const what = ['http://b.example/q', 'http://c.example/', 'c.example', 'not a url/'];
  const some = await askAgain(sourcesOf(store), { what });
  assert.deepEqual([some.asked, some.waiting], [0, 1]);
  assert.deepEqual(some.unknown, what.slice(1));
});

async function listOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function* recordsOf(store: MemoryShardStore): AsyncIterable<UrlRecord> {
  for (const { record } of await store.scan(undefined, 1_000)) yield record;
}

const hash = (n: number) => Buffer.alloc(32, n);
const told = (rows: readonly { change: string; url: string; to: string }[]) =>
  rows.map(({ change, url, to }) => [change, url, to].join(' ').trim()).sort();

test('changes: since an instant, with a page that went elsewhere under its own text', async () => {
  const later = { lastChangedAt: NOW - DAY };
  const store = await folder({
    'http://a.example/same': { contentHash: hash(1) },
    'http://a.example/edited': { contentHash: hash(2), changes: 1, visits: 2, ...later },
    'http://a.example/gone': { contentHash: hash(3), state: 'dead', visits: 2, ...later },
    'http://a.example/old': { contentHash: hash(4), state: 'dead', visits: 2, ...later },
    'http://a.example/fresh': { contentHash: hash(4), ...later },
    'http://a.example/added': { contentHash: hash(5), ...later },
    'http://a.example/led': { redirectTo: 'http://b.example/', changes: 1, visits: 2, ...later },
    'http://a.example/unseen': 'queued',
  });
  const rows = await listOf(changesSince(() => recordsOf(store), NOW - 2 * DAY));
  assert.deepEqual(told(rows), [
    'changed http://a.example/edited',
    'gone http://a.example/gone',
    'moved http://a.example/led http://b.example/',
    'moved http://a.example/old http://a.example/fresh',
    'new http://a.example/added',
  ]);
  assert.deepEqual(await listOf(changesSince(() => recordsOf(store), NOW)), []);
});

test('changes: between two crawls, whatever each of them knows', async () => {
  const before = await folder({
    'http://a.example/same': { contentHash: hash(1) },
    'http://a.example/edited': { contentHash: hash(2) },
    'http://a.example/gone': { contentHash: hash(3) },
    'http://a.example/old': { contentHash: hash(4) },
    'http://z.example/lost': { contentHash: hash(9) },
  });
  const after = await folder({
    'http://a.example/same': { contentHash: hash(1) },
    'http://a.example/edited': { contentHash: hash(7) },
    'http://a.example/gone': { state: 'dead' },
    'http://b.example/home-of-old': { contentHash: hash(4) },
    'http://b.example/added': { contentHash: hash(5) },
  });
  const rows = await listOf(
    changesBetween(
      () => recordsOf(before),
      () => recordsOf(after),
    ),
  );
  assert.deepEqual(told(rows), [
    'changed http://a.example/edited',
    'gone http://a.example/gone',
    'gone http://z.example/lost',
    'moved http://a.example/old http://b.example/home-of-old',
    'new http://b.example/added',
  ]);
  const keys = rows.map(({ url }) => urlKeyOf(url));
  assert.ok(
    keys.every((key, i) => i === 0 || key.compare(keys[i - 1] as Buffer) > 0),
    'in key order',
  );
});

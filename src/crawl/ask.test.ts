import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryShardStore } from '../adapters/memory/shard-store.ts';
import { resolveSettings } from '../config/index.ts';
import type { FetchEvent } from '../events/index.ts';
import { POLITE } from '../frontier/index.ts';
import { NOTHING } from '../ports/shard-store.ts';
import {
  blankHost,
  encodeTrace,
  FLAGS,
  HOST_FLAGS,
  hostKeyOf,
  type RobotsRecord,
  type UrlRecord,
  urlKeyOf,
} from '../record/index.ts';
import { hostOf, makeScope } from '../url/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { makeAnswers } from './ask.ts';
import type { AnswerSources } from './ask-sources.ts';
import { answerRequest, answersOver, readWire, writeWire } from './ask-wire.ts';
import type { ComplyAnswers } from './comply-answers.ts';
import { dueNow } from './recrawl.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const SEED = 'https://example.com/';
const PAGE = 'https://example.com/docs/a';
const FORBIDDEN = 'https://example.com/private/x';
const QUEUED = 'https://example.com:8443/later';

interface Given {
  readonly events?: readonly FetchEvent[];
  readonly isRunning?: boolean;
  readonly argv?: readonly string[];
}

/** A small crawl: a seed, a page found on it, a forbidden one, and one that waits. */
async function crawlOf(given: Given = {}) {
  const store = new MemoryShardStore();
  const resolved = resolveSettings({ argv: given.argv ?? [] });
  assert.ok('settings' in resolved);
  const { settings } = resolved;
  const links = encodeTrace(
    {},
    {
      ...{ targets: [PAGE, FORBIDDEN], texts: 'The docs\n' },
      ...{ rels: { 1: 'nofollow' }, kinds: {} },
    },
  );
  await admit(store, [SEED, PAGE, FORBIDDEN, QUEUED]);
  await settle(store, SEED, { title: 'Home', contentHash: Buffer.alloc(32, 7) }, links);
  await settle(store, PAGE, { parent: urlKeyOf(SEED), depth: 1 });
  const reason = 'robots.txt line 2 forbids it: Disallow: /private';
  await settle(store, FORBIDDEN, {
    state: 'skipped',
    reason,
    httpStatus: 0,
    parent: urlKeyOf(SEED),
  });
  await hosts(store);
  const scope = makeScope({
    kind: settings.scope.scope,
    seeds: [SEED, QUEUED],
    exclude: ['secret'],
  });
  const sources: AnswerSources = {
    dir: 'folder',
    seeds: [SEED],
    settings,
    rules: { scope, depthMax: 20, pathDepthMax: 5 } as never,
    politeness: POLITE,
    clock: { now: () => NOW, sleepUntil: async () => undefined },
    store,
    records: store,
    blobs: { get: async () => Buffer.from('<h1>Home</h1>') } as never,
    events: { read: () => logOf(given.events ?? []) } as never,
    isRunning: () => given.isRunning ?? false,
    rank: async () => assert.fail('nobody rates hosts here'),
    askAgain: (dues) => dueNow(store, dues, NOW),
    jobs: { list: () => [], one: () => undefined, steer: () => assert.fail('no jobs here') },
  };
  const answers = makeAnswers(sources, {} as ComplyAnswers);
  return { answers, store };
}

async function* logOf(events: readonly FetchEvent[]) {
  for (const event of events) yield { cursor: '', event };
}

async function admit(store: MemoryShardStore, urls: readonly string[]): Promise<void> {
  const admitted = urls.map((url) => ({
    waiting: waitingFrom(seedMention(url, 'page', 0.5), 0, NOW - 60_000),
    maybeKnown: false,
  }));
  await store.commit({ ...NOTHING, admitted });
}

async function settle(
  store: MemoryShardStore,
  url: string,
  more: Partial<UrlRecord>,
  trace?: Uint8Array,
): Promise<void> {
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW - 60_000);
  const [known] = await store.urls([urlKeyOf(url)]);
  assert.ok(known);
  const fetched = { state: 'indexed', httpStatus: 200, lastFetchedAt: NOW - 5_000 } as const;
  const record = { ...known, ...fetched, ...more };
  await store.commit({ ...NOTHING, settled: [{ waiting, record, ...(trace && { trace }) }] });
}

async function hosts(store: MemoryShardStore): Promise<void> {
  const host = {
    ...blankHost('example.com'),
    ...{ fetched: 2, lastFetchAt: NOW - 5_000, turnAt: NOW + 30_000, backoff: 2, errors: 1 },
    errorsSince: NOW - 9_000,
  };
  const robots: RobotsRecord = {
    origin: 'https://example.com',
    fetchedAt: NOW - 60_000,
    expiresAt: NOW + 86_400_000,
    status: 200,
    body: Buffer.from('User-agent: *\nDisallow: /private\n'),
    tries: 0,
    problem: '',
  };
  await store.commit({
    ...NOTHING,
    hosts: [host, blankHost(hostOf(QUEUED))],
    robots: [{ host: hostKeyOf('example.com'), records: [robots] }],
  });
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

test('pages: all, by state, by host with and without port, and no more than asked for', async () => {
  const { answers } = await crawlOf();
  const urls = async (query: object) => (await all(answers.pages(query))).map(({ url }) => url);
  assert.deepEqual((await urls({})).sort(), [SEED, QUEUED, PAGE, FORBIDDEN].sort());
  assert.deepEqual(await urls({ state: 'queued' }), [QUEUED]);
  assert.deepEqual(await urls({ host: 'example.com:8443' }), [QUEUED]);
  assert.equal((await urls({ host: 'example.com' })).length, 4);
  assert.deepEqual(await urls({ host: 'other.example' }), []);
  assert.equal((await urls({ limit: 2 })).length, 2);
});

test('pages: by flag, and a near-duplicate with its original', async () => {
  const { answers, store } = await crawlOf();
  const original = urlKeyOf(SEED);
  await settle(store, PAGE, { flags: FLAGS.near_duplicate | FLAGS.noindex, original });
  const found = await all(answers.pages({ flag: 'near_duplicate' }));
  assert.deepEqual(
    found.map(({ url, originalUrl }) => [url, originalUrl]),
    [[PAGE, SEED]],
  );
  assert.deepEqual(await all(answers.pages({ flag: 'soft_404' })), []);
});

test('pages: one whose last day is over counts as noindex from then on', async () => {
  const { answers, store } = await crawlOf();
  await settle(store, PAGE, { unavailableAfter: NOW - 1, nextCrawlAt: NOW + 60_000 });
  await settle(store, SEED, { unavailableAfter: NOW + 1 });
  const found = await all(answers.pages({ flag: 'noindex' }));
  assert.deepEqual(
    found.map(({ url, nextCrawlAt }) => [url, nextCrawlAt]),
    [[PAGE, 0]],
  );
  assert.match((await answers.why(PAGE)).story.join(' '), /counts as noindex and is not asked/);
});

test('status: hosts by their flags, and visits that are due with the lag of the first', async () => {
  const { answers, store } = await crawlOf();
  const flags = HOST_FLAGS.content_farm | HOST_FLAGS.trap;
  await store.commit({ ...NOTHING, hosts: [{ ...blankHost('farm.example'), flags }] });
  await settle(store, PAGE, { nextCrawlAt: NOW - 60_000 });
  await settle(store, SEED, { nextCrawlAt: NOW + 60_000 });
  const { judged } = await answers.status();
  const { farmHosts, trapHosts, soft404Hosts, due, lagMs } = judged;
  assert.deepEqual(
    { farmHosts, trapHosts, soft404Hosts, due, lagMs },
    { farmHosts: 1, trapHosts: 1, soft404Hosts: 0, due: 1, lagMs: 60_000 },
  );
});

test('body: a page that asks not to be archived has none, whoever else has the same', async () => {
  const { answers, store } = await crawlOf();
  const contentHash = Buffer.alloc(32, 7);
  assert.ok(await answers.body(SEED));
  await settle(store, PAGE, { contentHash, flags: FLAGS.noarchive });
  assert.equal(await answers.body(PAGE), undefined);
});

test('links: of one page, by any spelling of it, and of all', async () => {
  const { answers } = await crawlOf();
  const links = await all(answers.links({ url: 'HTTPS://EXAMPLE.com/#top' }));
  assert.deepEqual(links[0], { source: SEED, target: PAGE, text: 'The docs', rel: '', kind: 'a' });
  assert.equal((await all(answers.links({}))).length, 2);
  assert.equal((await all(answers.links({ limit: 1 }))).length, 1);
});

test('status: counts with hosts, those in trouble first', async () => {
  const { answers } = await crawlOf({ isRunning: true });
  const status = await answers.status();
  assert.equal(status.totals.hosts, 2);
  assert.equal(status.hosts[0]?.host, 'example.com');
  assert.deepEqual([status.judged.due, status.judged.trapHosts], [0, 0]);
  assert.equal(status.isRunning, true);
});

test('body: as stored; none for a page without one', async () => {
  const { answers } = await crawlOf();
  assert.equal(Buffer.from((await answers.body(SEED)) ?? []).toString(), '<h1>Home</h1>');
  assert.equal(await answers.body(PAGE), undefined);
  assert.equal(await answers.body('nonsense'), undefined);
});

test('why: a fetched page: spelling, how it was found, robots, turn, state', async () => {
  const { answers } = await crawlOf({ isRunning: true });
  const { url, verdict, story } = await answers.why(`${PAGE}?utm_source=news#part`);
  assert.deepEqual([url, verdict], [PAGE, 'fetched']);
  const text = story.join('\n');
  assert.match(text, /You wrote .*utm_source in the query names a visitor or a campaign/);
  assert.match(text, /belongs to the crawl/);
  assert.match(text, /linked from https:\/\/example\.com\/ with the words 'The docs', 1 link from/);
  assert.match(
    text,
    /robots\.txt of https:\/\/example\.com, read 2026-01-31 11:59:00 UTC \(60 s ago\), has no rule/,
  );
  assert.match(text, /may be asked 2026-01-31 12:00:30 UTC \(in 30 s\)/);
  assert.match(text, /its pause is 2\.0 times the usual/);
  assert.match(text, /failed 1 times in a row/);
  assert.match(text, /fetched 2026-01-31 11:59:55 UTC \(5 s ago\) with status 200/);
});

test('why: a forbidden page quotes the line that decides', async () => {
  const { answers } = await crawlOf();
  const { verdict, story } = await answers.why(FORBIDDEN);
  assert.equal(verdict, 'forbidden');
  assert.match(story.join('\n'), /forbids it in line 2: 'Disallow: \/private'/);
});

test('why: one that waits says so, and that no crawl runs', async () => {
  const { answers } = await crawlOf();
  const { verdict, story } = await answers.why(QUEUED);
  assert.equal(verdict, 'waiting');
  assert.match(story.join('\n'), /priority is 0\.50 of 1[\s\S]*waits in the queue/);
  assert.match(story.join('\n'), /'orb crawl' goes on/);
});

test('why: outside, too deep, unheard of and no URL are told apart, with the setting', async () => {
  const { answers } = await crawlOf({ argv: ['--block-host', 'blocked.example'] });
  const tell = async (url: string) => {
    const { verdict, story } = await answers.why(url);
    return [verdict, story.join('\n')] as const;
  };
  const [outside, why] = await tell('https://other.example/');
  assert.equal(outside, 'out of scope');
  assert.match(why, /not a host of the seeds \(--scope host\)/);
  assert.match((await tell('https://example.com/secret'))[1], /excluded by secret \(--exclude\)/);
  assert.match((await tell('https://www.blocked.example/'))[1], /blocked by --block-host/);
  const [deep, reason] = await tell('https://example.com/1/2/3/4/5/6/7');
  assert.equal(deep, 'too deep');
  assert.match(reason, /more than 5 segments \(--path-depth\)/);
  const [unheard, story] = await tell('https://example.com/private/new');
  assert.equal(unheard, 'never heard of');
  assert.match(story, /never heard of it[\s\S]*forbids it in line 2/);
  for (const none of ['', 'example.com', 'ftp://example.com/', 'mailto:a@b']) {
    assert.equal((await tell(none))[0], 'not a URL', none);
  }
});

test('why: tries are told from the log, the last five, each once', async () => {
  const one = (n: number): FetchEvent => ({
    ...{ v: 1, id: `${n}`, kind: 'page', url: PAGE, host: 'example.com', address: '192.0.2.1' },
    ...{ startedAt: NOW - 1_000 * (9 - n), answeredAt: NOW, endedAt: NOW - 1_000 * (9 - n) + 42 },
    ...{ delayMs: 1_000, status: n === 7 ? 0 : 503, bytes: 3, urlHash: '' },
    ...(n === 7 && { failure: 'closed' }),
  });
  const events = [1, 2, 3, 4, 5, 6, 7, 7].map(one);
  const { answers } = await crawlOf({ events });
  const tries = (await answers.why(PAGE)).story.filter((line) => line.startsWith('Asked'));
  assert.equal(tries.length, 5);
  assert.match(tries[0] ?? '', /status 503, 3 bytes in 42 ms/);
  assert.match(tries[4] ?? '', /no answer \(closed\)/);
});

test('audit: the log becomes a report; one host when asked', async () => {
  const one = (host: string, at: number): FetchEvent => ({
    ...{ v: 1, id: `${host}${at}`, kind: 'page', url: SEED, host, address: '', urlHash: '' },
    ...{ startedAt: at, answeredAt: at, endedAt: at, delayMs: 1_000, status: 200, bytes: 0 },
  });
  const events = [one('a', 0), one('b', 0), one('a', 500), one('b', 1_000)];
  const { answers } = await crawlOf({ events });
  const report = await answers.audit();
  assert.deepEqual([report.requests, report.hostCount, report.violations], [4, 2, 1]);
  assert.equal((await answers.audit({ host: 'b' })).violations, 0);
});

test('wire: every answer comes through as it was', async () => {
  const { answers } = await crawlOf({ isRunning: true });
  const far = answersOver((request) => answerRequest(answers, request));
  assert.deepEqual(await far.status(), await answers.status());
  assert.deepEqual(await all(far.pages({})), (await all(answers.pages({}))).map(asBuffers));
  assert.deepEqual(await all(far.links({})), await all(answers.links({})));
  assert.deepEqual((await far.why(PAGE)).story, (await answers.why(PAGE)).story);
  assert.deepEqual(await far.audit(), await answers.audit());
  assert.equal(Buffer.from((await far.body(SEED)) ?? []).toString(), '<h1>Home</h1>');
  assert.equal(await far.body(PAGE), undefined);
});

function asBuffers(record: UrlRecord): UrlRecord {
  const { parent, contentHash, original } = record;
  return {
    ...record,
    parent: Buffer.from(parent),
    contentHash: Buffer.from(contentHash),
    original: Buffer.from(original),
  };
}

test('wire: bytes, bigints and numbers that JSON lacks survive; a large body too', async () => {
  const odd = { a: Buffer.from([0, 255]), b: 2n ** 63n, c: Infinity, d: -Infinity, e: '$bytes' };
  assert.deepEqual(readWire(writeWire(odd)), odd);
  const { answers } = await crawlOf();
  const big = Buffer.alloc(300_001, 9);
  const far = answersOver((request) =>
    answerRequest({ ...answers, body: async () => big }, request),
  );
  assert.deepEqual(await far.body(SEED), big);
});

test('wire: what is no request is refused, not answered and not fatal', async () => {
  const { answers } = await crawlOf();
  for (const bad of ['', 'null', '[]', '{"method":3}', '{"method":"close"}', '{', '"x"']) {
    await assert.rejects(all(answerRequest(answers, bad)), /running crawl has no answer/, bad);
  }
});

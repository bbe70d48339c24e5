/** Fetchers of several regions, in virtual time (K4): who asks whom, and who takes over when. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { gaps } from '../../testweb/index.ts';
import { MINUTE_MS } from '../base/instant.ts';
import { type LenderPlan, lenders, startFetcher } from './lend.testkit.ts';

const HOSTS = 6;
const PAGES = 120;
/** A minute and more for each host. */
const MANY = 420;
const TAKE_OVER_MS = 10_000;

/** Two thirds of the hosts are in `eu` and in `as`; of the others nobody knows. */
const REGION = ['eu', 'as', ''] as const;
const regionOf = (host: string) => REGION[Number(/\d+/.exec(host)) % 3] ?? '';

async function regions(t: TestContext, region = '', how: LenderPlan = {}) {
  const nearness = { region, hintOf: regionOf, takeOverMs: TAKE_OVER_MS };
  const world = lenders(t, { ...{ hosts: HOSTS, pages: PAGES, nearness }, ...how });
  const { node } = await world.join('owner');
  await world.pass(1_000);
  await node.plant(world.plant);
  await world.pass(100);
  const start = (from: string) => startFetcher(t, node, world, from);
  /** Until nothing waits any more. */
  const whole = async () => {
    for (let s = 0; node.settling.totals.waiting > 0 || node.worker.openVisits > 0; s++) {
      await world.pass(1_000);
      assert.ok(s < 3_600, `${node.settling.totals.waiting} wait`);
    }
    assert.ok(
      node.settling.totals.fetched >= (how.pages ?? PAGES),
      `${node.settling.totals.fetched} pages`,
    );
    const urls = [...world.http.log.requests()].map(({ url }) => url);
    assert.equal(new Set(urls).size, urls.length, 'nothing is asked twice');
    for (const gap of gaps(world.http.log)) {
      assert.equal(gap.overlaps, 0, gap.of);
      assert.ok(gap.smallestMs >= 1_000, `${gap.of}: ${gap.smallestMs} ms`);
    }
  };
  return { ...world, node, start, whole };
}

const strangers = (asked: readonly string[], region: string) =>
  asked.filter((host) => regionOf(host) !== '' && regionOf(host) !== region);

it('regions: two fetchers of two regions ask their own hosts each, and all are asked', async (t) => {
  const { start, whole, node } = await regions(t);
  // Each is heard of before the other asks a second time.
  const [eu, as] = [start('eu'), start('asia')];
  await whole();
  assert.ok(eu.asked.length > 30 && as.asked.length > 30);
  const first = HOSTS;
  assert.deepEqual(strangers(eu.asked.slice(first), 'eu'), []);
  assert.deepEqual(strangers(as.asked.slice(first), 'as'), []);
  assert.equal(node.lending.out, 0);
});

it('regions: when one dies the other takes over, late at first and at once after a minute', async (t) => {
  const { clock, start, whole, pass, http } = await regions(t, '', { pages: MANY });
  const [eu, as] = [start('eu'), start('as')];
  await pass(10_000);
  await as.end();
  const [died, before] = [clock.now(), eu.asked.length];
  const ofAs = () => [...http.log.requests()].filter((row) => regionOf(row.host) === 'as');
  const perHost = (from: number, to: number) => {
    const rows = ofAs().filter(({ atMs }) => atMs >= from && atMs < to);
    return rows.length / (HOSTS / 3);
  };
  await pass(MINUTE_MS + 30_000);
  const eager = strangers(eu.asked.slice(before), 'eu').length;
  assert.ok(eager > 0, 'it takes over');
  const waits = perHost(died, died + MINUTE_MS);
  assert.ok(
    waits >= 4 && waits <= 6,
    `once in some ${TAKE_OVER_MS} ms, not ${waits} times a minute`,
  );
  const free = perHost(died + MINUTE_MS, died + MINUTE_MS + 30_000);
  assert.ok(free >= 15, `at every turn, not ${free} times in 30 s`);
  await whole();
});

it('regions: one that comes back has its hosts to itself again', async (t) => {
  const { start, whole, pass } = await regions(t, '', { pages: MANY });
  const eu = start('eu');
  await pass(20_000);
  assert.ok(strangers(eu.asked, 'eu').length > 20, 'alone it asks everybody');
  const as = start('as');
  await pass(5_000);
  const before = eu.asked.length;
  await whole();
  assert.deepEqual(strangers(eu.asked.slice(before), 'eu'), []);
  assert.ok(as.asked.length > 50);
});

it('regions: a host that nobody of its region takes is asked within the bound', async (t) => {
  const { start, whole, pass, node, http } = await regions(t);
  const eu = start('eu');
  // Heard of all the time, passing everybody over, and taking nothing.
  let isOver = false;
  const idle = (async () => {
    const ask = { fetcher: 'idle', region: 'as', n: 1, seconds: 1 };
    for (; !isOver; await pass(500)) {
      for (const { id, shard } of (await node.lending.lease({ ...ask, shard: 63 })).leases) {
        await node.lending.ack(shard, 'idle', id, { kind: 'returned' });
      }
    }
  })();
  t.after(async () => {
    isOver = true;
    await idle;
  });
  await whole();
  const lastAt = new Map<string, number>();
  for (const { host, atMs } of http.log.requests()) {
    const waited = atMs - (lastAt.get(host) ?? atMs);
    const usual = regionOf(host) === 'as' ? TAKE_OVER_MS : 0;
    assert.ok(waited < usual + 3_000, `${host} waited ${waited} ms`);
    lastAt.set(host, atMs);
  }
  assert.ok(strangers(eu.asked, 'eu').length > 30);
});

it('regions: an owner that fetches itself is one of them', async (t) => {
  const { start, whole, http } = await regions(t, 'eu', { concurrency: 20 });
  const as = start('as');
  await whole();
  const all = [...http.log.requests()].map(({ host }) => host);
  assert.deepEqual(strangers(as.asked, 'as'), [], 'the owner was there first');
  assert.ok(as.asked.length > 30, `${as.asked.length} by the fetcher`);
  assert.ok(all.length > as.asked.length + 30, 'and the rest by the owner');
});

it('regions: a fetcher that says none takes what is left by those who do', async (t) => {
  const { start, whole } = await regions(t);
  const [eu, as] = [start('eu'), start('as')];
  const anywhere = start('');
  await whole();
  const first = HOSTS;
  assert.deepEqual(strangers(anywhere.asked.slice(first), ''), []);
  assert.ok(eu.asked.length > 30 && as.asked.length > 30);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryEventLog, MemoryShardStore, openMemoryFilter } from '../adapters/memory/index.ts';
import { seededRandom } from '../base/random.ts';
import type { Outcome } from '../fetch/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Http } from '../ports/http.ts';
import { NOTHING } from '../ports/shard-store.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Meter } from './metrics-meter.ts';
import { measured } from './metrics-ports.ts';
import { Shards } from './metrics-shards.ts';

const TIME = { now: 1_000 };
const clock: Clock = { now: () => TIME.now, sleepUntil: async () => {} };

function open(outcome: Outcome, filter = openMemoryFilter(FILTER)) {
  const meter = new Meter();
  const http: Http = { exchange: async () => outcome, close: async () => {} };
  const store = new MemoryShardStore();
  const given = { clock, http, store, events: new MemoryEventLog(), filter };
  const ports = measured(given, meter, new Shards(async function* () {}));
  return { meter, ports, filter, store };
}

const FILTER = { expectedKeys: 500, falsePositiveRate: 0.3, complete: true };
const REQUEST = {} as Parameters<Http['exchange']>[0];
const failed = (reason: string) =>
  ({ kind: 'failed', reason, detail: '', startedAt: 0, endedAt: 0 }) as Outcome;

test('meter: what the filter takes for known and the store does not is a false positive', async () => {
  const { meter, ports, filter } = open(failed('dns'));
  const random = seededRandom(5);
  const known = new Set<string>();
  const truth = { asked: 0, maybe: 0, wrong: 0, fresh: 0 };
  for (let batch = 0; batch < 40; batch++) {
    const named = Array.from({ length: 50 }, () => Math.floor(random.next() * 1_500));
    const urls = [...new Set(named)].map((n) => `http://h${n % 9}.example/${n}`);
    const waiting = urls.map((url) => waitingFrom(seedMention(url, 'page', 0.5), 0, 0));
    const maybe = await filter.checkAndAdd(waiting.map(({ key }) => key));
    const admitted = waiting.map((one, i) => ({ waiting: one, maybeKnown: maybe[i] === 1 }));
    await ports.store.commit({ ...NOTHING, admitted });
    for (const [i, url] of urls.entries()) {
      truth.asked++;
      if (maybe[i] === 1) truth.maybe++;
      if (maybe[i] === 1 && !known.has(url)) truth.wrong++;
      if (!known.has(url)) truth.fresh++;
      known.add(url);
    }
  }
  assert.ok(truth.wrong > 20, `${truth.wrong} mistakes to count`);
  const { filterAsked: asked, filterMaybe: maybe, filterFalse: wrong, admitted: fresh } = meter;
  assert.deepEqual({ asked, maybe, wrong, fresh }, truth);
});

test('meter: while the filter is rebuilt its answers are not held against it', async () => {
  const filter = openMemoryFilter({ ...FILTER, complete: false });
  const { meter, ports } = open(failed('dns'), filter);
  const admit = (url: string) =>
    ports.store.commit({
      ...NOTHING,
      admitted: [{ waiting: waitingFrom(seedMention(url, 'page', 0.5), 0, 0), maybeKnown: true }],
    });
  await admit('http://a.example/');
  await filter.rebuildFrom((async function* () {})());
  await admit('http://b.example/');
  assert.deepEqual([meter.admitted, meter.filterAsked, meter.filterFalse], [2, 0, 0]);
  await admit('http://c.example/');
  assert.deepEqual([meter.admitted, meter.filterAsked, meter.filterFalse], [3, 1, 1]);
});

test('meter: a failure of any name is one of a closed set, and never a series of its own', async () => {
  const hostile = 'x"} 1\norb_fetches_total{class="2xx"} 9';
  const { meter, ports } = open(failed(hostile));
  await ports.http.exchange(REQUEST);
  assert.equal(meter.failures.other, 1);
  assert.equal(meter.fetches.none, 1);
  assert.ok(!(hostile in meter.failures));
});

test('meter: an address that was refused is no fetch, and a fetch counts as open until its end', async () => {
  const { meter, ports } = open({ kind: 'refused', address: '', detail: '' });
  const asking = ports.http.exchange(REQUEST);
  assert.equal(meter.inFlight, 1);
  await asking;
  assert.equal(meter.inFlight, 0);
  assert.deepEqual(Object.values(meter.fetches).filter(Boolean), []);
});

test('meter: a commit that fails is counted, passed on, and settles nothing', async () => {
  const { meter, store, ports } = open(failed('dns'));
  store.commit = () => Promise.reject(new Error('disk full'));
  await assert.rejects(ports.store.commit(NOTHING), /disk full/);
  assert.equal(meter.commitsFailed, 1);
  assert.deepEqual(Object.values(meter.visits).filter(Boolean), []);
});

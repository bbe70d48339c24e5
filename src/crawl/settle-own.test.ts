/** A batch of a node that is one of several: whose it is, and engines that fail it (K1, K5, B1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { MemoryGroup } from '../adapters/memory/arc-group.ts';
import { fencedStore } from '../adapters/memory/fenced-store.ts';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../adapters/memory/index.ts';
import { MemoryTenures } from '../adapters/memory/tenures.ts';
import { CrawlError } from '../base/errors.ts';
import { MINUTE_MS } from '../base/instant.ts';
import type { Mention } from '../events/index.ts';
import { Frontier, POLITE } from '../frontier/index.ts';
import { NO_TOTALS, NOTHING } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import { blankHost, queuedRecord } from '../record/index.ts';
import { arcOf } from '../url/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Arcs } from './arcs.ts';
import { Settling } from './settle.ts';
import { Trouble } from './trouble.ts';

const PAGE = 'http://page.example/';
const LINK = 'http://link.example/';
const down = () => new CrawlError('E_STORE_DOWN', 'no answer', 'wait');

/** A node that holds every arc, an engine to be failed, and a page that is to be settled. */
async function world() {
  const clock = new VirtualClock();
  const tenures = new MemoryTenures(() => clock.now());
  const engine = new MemoryShardStore();
  const store = fencedStore(engine, tenures, 'one');
  const blobs = Object.assign(new MemoryBlobStore(), { pagesAhead: 64 });
  const handed: Mention[] = [];
  const group = new MemoryGroup().connect();
  const keeper = { take: async () => {}, leave: async () => {}, accept: async () => {} };
  group.hand = async (mentions) => void handed.push(...mentions);
  const arcs = new Arcs({ group, tenures, clock }, keeper, { holder: 'one', termMs: 3_600_000 });
  await arcs.open();
  await clock.sleepUntil(clock.now() + 10);
  const frontier = new Frontier(POLITE, 70_000, () => 0.5);
  const trouble = new Trouble(clock, {});
  const counts = { refused: 0 };
  const settling = new Settling(
    {
      ...{ clock, store, ownership: arcs, blobs, near: new MemoryNearIndex() },
      events: new MemoryEventLog(),
      filter: openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.01, complete: true }),
    },
    frontier,
    NO_TOTALS,
    { arcs, trouble, onRefused: () => counts.refused++ },
  );
  const waiting = waitingFrom(seedMention(PAGE, 'page', 0.5), 0, clock.now());
  const link = waitingFrom(seedMention(LINK, 'page', 0.5), 1, clock.now());
  await settling.add({ candidates: [waiting], change: {} });
  const record = { ...queuedRecord(waiting), state: 'indexed' as const, visits: 1 };
  const settled = { waiting, record };
  const change = { waiting: -1, fetched: 1 };
  const ending = { settled, host: blankHost('page.example'), candidates: [link], change };
  const end = () => {
    trouble.close();
    return arcs.close();
  };
  const parts = { clock, engine, store, blobs, tenures, arcs, frontier, settling };
  return { ...parts, ending, handed, counts, end };
}

test('an engine that is away: the page is kept, and settled once when it is back (K5)', async () => {
  const { clock, engine, store, settling, ending, end } = await world();
  const { commit } = store;
  store.commit = () => Promise.reject(down());
  const added = settling.add(ending);
  await clock.sleepUntil(clock.now() + MINUTE_MS);
  assert.equal((await engine.totals()).fetched, 0);
  store.commit = commit;
  await added;
  const { fetched, waiting, known } = await engine.totals();
  assert.deepEqual({ fetched, waiting, known }, { fetched: 1, waiting: 1, known: 2 });
  await end();
});

/** Enough to begin a batch of their own. */
function pagesAt(now: number) {
  return Array.from({ length: 64 }, (_, nth) => {
    const waiting = waitingFrom(seedMention(`${PAGE}${nth}`, 'page', 0.5), 0, now);
    const record = { ...queuedRecord(waiting), state: 'indexed' as const, visits: 1 };
    const hash = Buffer.alloc(32, nth + 1);
    const body = { hash, bytes: Buffer.from(`${nth}`) };
    return { settled: { waiting, record }, body, candidates: [], change: { fetched: 1 } };
  });
}

test('an engine that is away: what comes meanwhile waits behind, and each body is put once', async () => {
  const { clock, store, blobs, settling, ending, end } = await world();
  const { commit } = store;
  const [urls, put]: [string[], string[]] = [[], []];
  const putAll = blobs.put.bind(blobs);
  blobs.put = (bodies) => {
    put.push(...bodies.map(({ hash }) => `${hash[0]}`));
    return putAll(bodies);
  };
  store.commit = () => Promise.reject(down());
  const first = settling.add(ending);
  await clock.sleepUntil(clock.now() + 100);
  const others = pagesAt(clock.now()).map((page) => settling.add(page));
  await clock.sleepUntil(clock.now() + MINUTE_MS);
  store.commit = (given) => {
    urls.push(...given.settled.map(({ waiting }) => waiting.url));
    return commit(given);
  };
  await Promise.all([first, ...others]);
  assert.equal(urls[0], PAGE);
  assert.equal(urls.length, 65);
  assert.equal(new Set(put).size, put.length);
  await end();
});

test('an engine that is away: nothing is begun while it is waited for, so that others may be alone', async () => {
  const { clock, store, blobs, settling, ending, end } = await world();
  const { commit } = store;
  let puts = 0;
  const putAll = blobs.put.bind(blobs);
  blobs.put = (bodies) => {
    puts += bodies.length;
    return putAll(bodies);
  };
  store.commit = () => {
    store.commit = commit;
    return Promise.reject(down());
  };
  const first = settling.add(ending);
  await clock.sleepUntil(clock.now() + 100);
  const others = pagesAt(clock.now()).map((page) => settling.add(page));
  const alone = settling.alone(async () => {
    await clock.sleepUntil(clock.now() + 100);
    return puts;
  });
  assert.equal(await alone, 0);
  await Promise.all([first, ...others]);
  assert.equal(puts, 64);
  await end();
});

test('a commit that was written although its engine failed: not written twice', async () => {
  const { engine, store, frontier, settling, ending, clock, end } = await world();
  const { commit } = store;
  store.commit = async (given) => {
    await commit(given);
    store.commit = commit;
    throw down();
  };
  await settling.add(ending);
  const { fetched, waiting, known } = await engine.totals();
  assert.deepEqual({ fetched, waiting, known }, { fetched: 1, waiting: 1, known: 2 });
  frontier.take(10, 10, clock.now() + MINUTE_MS);
  const wanted = frontier.wanted(10).map(({ host }) => host);
  assert.ok(wanted.includes('link.example'), 'its links are read from the store');
  await end();
});

test('refused when its links were written already: its page once more, its links from the store', async () => {
  const { clock, engine, store, settling, frontier, ending, end } = await world();
  const { commit } = store;
  store.commit = async (given) => {
    await commit({ ...NOTHING, admitted: given.admitted });
    store.commit = commit;
    throw new NotOurs([], true);
  };
  await settling.add(ending);
  const { fetched, waiting, known } = await engine.totals();
  assert.deepEqual({ fetched, waiting, known }, { fetched: 1, waiting: 1, known: 2 });
  frontier.take(10, 10, clock.now() + MINUTE_MS);
  assert.ok(frontier.wanted(10).some(({ host }) => host === 'link.example'));
  await end();
});

test('away for longer than it is kept: it fails, and what it named is not known (B1)', async () => {
  const { clock, store, settling, ending, counts, end } = await world();
  store.commit = () => Promise.reject(down());
  const from = clock.now();
  await assert.rejects(settling.add(ending), { code: 'E_STORE_DOWN' });
  assert.ok(clock.now() - from >= 5 * MINUTE_MS);
  assert.equal(counts.refused, 1);
  await end();
});

test('away for longer than it is kept: what went ahead fails with it, not as long after it', async () => {
  const { clock, store, settling, ending, end } = await world();
  store.commit = async () => {
    await clock.sleepUntil(clock.now() + 200);
    throw down();
  };
  const from = clock.now();
  const first = settling.add(ending);
  await clock.sleepUntil(clock.now() + 100);
  const others = pagesAt(clock.now());
  const ends = await Promise.allSettled([first, ...others.map((page) => settling.add(page))]);
  assert.ok(ends.every(({ status }) => status === 'rejected'));
  assert.ok(clock.now() - from < 6 * MINUTE_MS);
  await end();
});

test('a link of an arc that is lost: handed to its owner, the page is settled', async () => {
  const { engine, tenures, arcs, settling, ending, handed, end } = await world();
  const [link] = ending.candidates;
  const arc = arcOf(link?.key as Uint8Array);
  await tenures.release([arc], 'one');
  await tenures.take([arc], 'another', 60_000);
  await settling.add(ending);
  assert.deepEqual(
    handed.map(({ url, outside }) => [url, outside]),
    [[LINK, 0]],
  );
  assert.equal((await engine.totals()).fetched, 1);
  assert.ok(!arcs.holds(arc), 'the engine has said so');
  await end();
});

test('an erasure of what another node holds: refused, not passed over', async () => {
  const { tenures, arcs, settling, ending, end } = await world();
  const { waiting, record } = ending.settled;
  await tenures.release([arcOf(waiting.key)], 'one');
  await tenures.take([arcOf(waiting.key)], 'another', MINUTE_MS);
  arcs.lost([arcOf(waiting.key)]);
  const erased = [{ key: waiting.key, record }];
  await assert.rejects(settling.add({ erased, candidates: [], change: {} }), { name: 'NotOurs' });
  await end();
});

/** A store with an index beside it: who is asked, who is believed, and what is put right. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryDueServer } from '../adapters/memory/due-index.ts';
import { MemoryShardStore } from '../adapters/memory/shard-store.ts';
import { CrawlError } from '../base/errors.ts';
import { MINUTE_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import { admitting, NOW, settling, urlOf, waitingFor } from '../ports/shard-store.contract.rows.ts';
import { type Commit, NOTHING } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import { arcOf, halvesOf } from '../url/index.ts';
import { DueStore } from './due-store.ts';

const PAGE = waitingFor(urlOf('page'));
const OTHER = waitingFor(urlOf('other'));
const ARCS = [arcOf(PAGE.key)];
const settled: Commit = {
  ...NOTHING,
  settled: [settling(PAGE, { nextCrawlAt: NOW + 5 }), settling(OTHER, { nextCrawlAt: NOW + 9 })],
};

/** Nobody sleeps. */
class Instants implements Clock {
  at = NOW;
  now = () => this.at;
  sleepUntil = async () => undefined;
}

async function opened() {
  const [records, server, clock] = [new MemoryShardStore(), new MemoryDueServer(), new Instants()];
  const asked: string[] = [];
  const said: string[] = [];
  const store = {
    ...Object.fromEntries(
      (['hosts', 'host', 'waiting', 'ofJob', 'dueStates', 'close'] as const).map((name) => [
        name,
        records[name].bind(records),
      ]),
    ),
    urls: (keys: Parameters<MemoryShardStore['urls']>[0]) => records.urls(keys),
    commit: (commit: Commit) => records.commit(commit),
    due: (...range: Parameters<MemoryShardStore['due']>) => {
      asked.push(`${range[3]}`);
      return records.due(...range);
    },
  } as unknown as MemoryShardStore;
  const index = server.connect('one');
  const notice = (text: string) => said.push(text);
  const dues = new DueStore({ store, index, clock, tierOf: () => 2, notice });
  const told = async (arcs: readonly number[] | undefined = ARCS) =>
    (await dues.due(NOW + 100, 10, undefined, arcs)).map(({ at }) => at - NOW);
  /** Until what was lost is filled. */
  const whole = async () => {
    for (let n = 0; n < 50 && (await index.due(EVER, ARCS)).lost.length > 0; n++) await told();
    asked.length = 0;
  };
  return { records, server, clock, store, index, dues, asked, said, told, whole };
}

const EVER = { from: 0, until: 8.64e15, limit: 10 };

test('due store: new to the index: the store is asked until it is filled, then no more', async () => {
  const { dues, asked, said, told, whole } = await opened();
  await dues.commit(admitting([PAGE, OTHER]));
  await dues.commit(settled);
  assert.deepEqual(await told(), [5, 9]);
  assert.deepEqual(asked[0], `${ARCS}`);
  await whole();
  assert.deepEqual(await told(), [5, 9]);
  assert.deepEqual(asked, []);
  assert.deepEqual(said.length, 1, 'said once');
});

test('due store: an empty crawl is filled with nothing, and nobody hears of it', async () => {
  const { said, whole, told, asked } = await opened();
  await whole();
  assert.deepEqual([await told(), asked, said], [[], [], []]);
});

test('due store: settled, redated, requeued and erased are told by the next look', async () => {
  const { dues, told, whole, asked } = await opened();
  await whole();
  await dues.commit(admitting([PAGE, OTHER]));
  assert.deepEqual(await told(), []);
  await dues.commit(settled);
  assert.deepEqual(await told(), [5, 9]);
  await dues.commit({
    ...NOTHING,
    redated: [{ due: { at: NOW + 9, key: OTHER.key }, to: NOW + 2 }],
  });
  assert.deepEqual(await told(), [2, 5]);
  const due = { at: NOW + 5, key: PAGE.key };
  await dues.commit({ ...NOTHING, requeued: [{ due, waiting: PAGE }] });
  assert.deepEqual(await told(), [2]);
  const { record } = settling(OTHER, { nextCrawlAt: 0 });
  await dues.commit({ ...NOTHING, erased: [{ key: OTHER.key, record }] });
  assert.deepEqual([await told(), asked], [[], []]);
});

test('due store: what is not so is dropped, and put right in the index', async () => {
  const { dues, index, records, told, whole } = await opened();
  await dues.commit(admitting([PAGE, OTHER]));
  await dues.commit(settled);
  await whole();
  const due = { at: NOW + 5, key: PAGE.key };
  await records.commit({ ...NOTHING, requeued: [{ due, waiting: PAGE }] });
  index.note([
    { key: OTHER.key, at: NOW + 1 },
    { key: waitingFor(urlOf('never')).key, at: NOW + 3 },
  ]);
  assert.deepEqual(await told(), [1, 3, 5]);
  const rows = await dues.due(NOW + 100, 10, undefined, ARCS);
  assert.deepEqual(await dues.stillDue(rows), [undefined, undefined, undefined]);
  assert.deepEqual(await told(), [9], 'as the store has it');
  const [still] = await dues.stillDue([{ at: NOW + 9.4, key: OTHER.key }]);
  assert.deepEqual(still?.due, { at: NOW + 9, key: OTHER.key }, 'no later than told: by the store');
});

test('due store: the index is away: the store is asked, and again after it is back', async () => {
  const { dues, server, told, whole, asked } = await opened();
  await whole();
  server.isAway = true;
  await dues.commit(admitting([PAGE, OTHER]));
  await dues.commit(settled);
  assert.deepEqual([await told(), asked.length], [[5, 9], 1]);
  server.isAway = false;
  assert.deepEqual([await told(), asked.length], [[5, 9], 1], 'what was noted is known');
  server.flush();
  assert.deepEqual(await told(), [5, 9]);
  assert.ok(asked.length > 1);
  await whole();
  assert.deepEqual([await told(), asked], [[5, 9], []]);
});

test('due store: a commit that failed, and was written: its URLs are looked up first', async () => {
  const { dues, store, records, told, whole, asked } = await opened();
  await whole();
  await dues.commit(admitting([PAGE, OTHER]));
  store.commit = async (commit) => {
    await records.commit(commit);
    throw new CrawlError('E_STORE_DOWN', 'the engine is away', 'wait');
  };
  await assert.rejects(dues.commit(settled), CrawlError);
  assert.deepEqual([await told(), asked], [[5, 9], []]);
  store.commit = () => Promise.reject(new NotOurs(ARCS));
  const due = { at: NOW + 5, key: PAGE.key };
  const refused = dues.commit({ ...NOTHING, requeued: [{ due, waiting: PAGE }] });
  await assert.rejects(refused, NotOurs);
  assert.deepEqual([await told(), asked], [[5, 9], []], 'it is as it was');
});

test('due store: what no one noted is found all the same: the store is asked now and then', async () => {
  const { dues, index, clock, told, whole, asked } = await opened();
  await dues.commit(admitting([PAGE, OTHER]));
  await dues.commit(settled);
  await whole();
  index.note([{ key: PAGE.key, at: 0 }]);
  assert.deepEqual([await told(), asked], [[9], []]);
  clock.at += 10 * MINUTE_MS;
  assert.deepEqual([await told(), asked.length], [[5, 9], 1]);
  assert.deepEqual([await told(), asked.length], [[9], 1], 'and not every time');
});

test('due store: the whole circle, and halves of an arc that was split', async () => {
  const { dues, asked, told, whole } = await opened();
  await dues.commit(admitting([PAGE, OTHER]));
  await dues.commit(settled);
  await whole();
  assert.deepEqual(
    [await dues.due(NOW + 100, 1), asked],
    [[{ at: NOW + 5, key: PAGE.key }], ['undefined']],
  );
  const halves = halvesOf(ARCS[0] as number);
  assert.deepEqual(await told(halves), [5, 9]);
  assert.ok(asked.includes(`${halves}`), `${asked}`);
});

test('due store: more rows of one instant than are read at once: all of them are filled in', async () => {
  const { dues, index, told, whole } = await opened();
  const many = Array.from({ length: 4_500 }, (_, n) => waitingFor(urlOf(n)));
  const visits = many.map((one) => settling(one, { nextCrawlAt: NOW + 5 }));
  await dues.commit({ ...admitting(many), settled: visits });
  await told();
  await whole();
  const { rows, lost } = await index.due({ ...EVER, limit: 10_000 }, ARCS);
  assert.deepEqual([rows.length, lost], [4_500, []]);
});

test('due store: settled while it is looked up: the visit is newer than the look', async () => {
  const { dues, store, index, records, told, whole } = await opened();
  await dues.commit(admitting([PAGE, OTHER]));
  await whole();
  index.note([{ key: PAGE.key, at: NOW + 1 }]);
  const [row] = await dues.due(NOW + 100, 1, undefined, ARCS);
  store.dueStates = async (keys) => {
    const states = await records.dueStates(keys);
    await dues.commit(settled);
    return states;
  };
  assert.deepEqual(await dues.stillDue(row === undefined ? [] : [row]), [undefined]);
  assert.deepEqual(await told(), [5, 9]);
});

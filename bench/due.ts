/**
 * What it costs to know what is due (K2, T3): by the records in PostgreSQL alone, and with sorted
 * sets in Redis beside them, turn by turn on the same rows.
 *
 *   npm run bench -- due [--urls 200000] [--looks 200] [--sets 1000000]
 *
 * The servers are started for it (tools/engines/) unless ORB_LIVE_POSTGRES and ORB_LIVE_REDIS say
 * where they are.
 *
 *   look      as a node with 21 of 64 arcs has one every second: what comes due in ten minutes
 *   requeue   of 1,000 URLs that are due: found, their records read, in the queue again
 *   cpu       of PostgreSQL's processes for that store, of Redis, of this process
 *   sets      so many URLs in sorted sets: bytes, and what it costs to note one
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { systemClock } from '../src/adapters/node/index.ts';
import { PostgresShardStore } from '../src/adapters/postgres/index.ts';
import { connectRedis, type RedisConnection, RedisDueSets } from '../src/adapters/redis/index.ts';
import { waitingFrom } from '../src/crawl/admit.ts';
import { DueStore } from '../src/crawl/due-store.ts';
import { type Due, NOTHING, type ShardStore } from '../src/ports/shard-store.ts';
import { queuedRecord, urlKeyOf } from '../src/record/index.ts';
import { postgres, redis } from '../tools/engines/index.ts';
import { type Emit, type Say, sayFor } from './measure.ts';
import { admittedAt, Population } from './population.ts';
import { cpuSecOf } from './processes.ts';
import { withEngine } from './with-engine.ts';

const ARCS = Array.from({ length: 21 }, (_, nth) => nth * 3);
const DAY_MS = 86_400_000;
const AHEAD_MS = 600_000;
const PER_COMMIT = 2_000;
const DUE = 1_000;
const REQUEUES = 10;

const population = new Population(2_000);
const clock = systemClock();
const now = clock.now();

interface Measured {
  readonly store: ShardStore;
  /** CPU so far, in ms. */
  readonly cpuMs: () => Promise<readonly [postgres: number, redis: number, own: number]>;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      urls: { type: 'string', default: '200000' },
      looks: { type: 'string', default: '200' },
      sets: { type: 'string', default: '1000000' },
    },
  });
  const say = sayFor('due', emit);
  await withEngine(postgres, (url) =>
    withEngine(redis, async (redisUrl) => {
      const connection = await connectRedis({ urls: [redisUrl], deadlineMs: 30_000 });
      await measureSets(connection, Number(values.sets), say);
      await measureBoth(url, connection, Number(values.urls), Number(values.looks), say);
      await connection.close();
    }),
  );
}

async function measureSets(connection: RedisConnection, count: number, say: Say): Promise<void> {
  const prefix = `bench-${process.pid}-sets:`;
  const index = new RedisDueSets({ connection, clock, prefix });
  const arcs = Array.from({ length: 64 }, (_, arc) => arc);
  const look = { from: 0, until: now, limit: DUE };
  for (const lost of (await index.due(look, arcs)).lost) await index.fill(lost, [], true);
  const [before, cpuBefore] = [await infoOf(connection, 'used_memory'), await redisMs(connection)];
  for (let at = 0; at < count; at += 10_000) {
    const some = Array.from({ length: Math.min(10_000, count - at) }, (_, nth) => at + nth);
    index.note(some.map((n) => ({ key: urlKeyOf(population.urlOf(n)), at: dueAt(n), tier: 3 })));
    await index.due(look, arcs);
  }
  say('sets_urls', count, 'urls');
  const bytes = (await infoOf(connection, 'used_memory')) - before;
  say('sets_memory', bytes / count, 'bytes/url');
  say('sets_note_redis_cpu', (((await redisMs(connection)) - cpuBefore) * 1e3) / count, 'µs/url');
  const from = performance.now();
  await index.due({ ...look, until: now + 31 * DAY_MS }, arcs);
  say('sets_look_1000', performance.now() - from, 'ms');
  await Promise.all(arcs.map((arc) => forget(connection, prefix, arc)));
}

async function measureBoth(
  url: string,
  connection: RedisConnection,
  urls: number,
  looks: number,
  say: Say,
): Promise<void> {
  const schema = `bench_${process.pid}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const pids = async () => {
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
    return new Set(rows.map(({ pid }) => pid));
  };
  const opened = async () => {
    const before = await pids();
    const store = await PostgresShardStore.open({ url, schema, clock });
    return { store, own: [...(await pids())].filter((pid) => !before.has(pid)) };
  };
  const cpuOf = (own: readonly number[]) => async () =>
    [cpuSecOf(own) * 1e3, await redisMs(connection), ownMs()] as const;
  const [alone, beside] = [await opened(), await opened()];
  await fill(alone.store, urls);
  await client.query('ANALYZE');
  const prefix = `bench-${process.pid}:`;
  const index = new RedisDueSets({ connection, clock, prefix });
  const store = new DueStore({ store: beside.store, index, clock, tierOf: () => 3 });
  // The sets first: what the records alone requeue, nobody notes.
  const measured = {
    sets: { store, cpuMs: cpuOf(beside.own) },
    records: { store: alone.store, cpuMs: cpuOf(alone.own) },
  };
  const startedAt = performance.now();
  const asked = store.looks;
  while (store.looks === asked) await store.due(now, 1, undefined, ARCS);
  say('filled_after', (performance.now() - startedAt) / 1e3, 's');
  say('urls', urls, 'urls');
  await measureLooks(measured, looks, say);
  await measureRequeues(measured, say);
  await store.close();
  await Promise.all(ARCS.map((arc) => forget(connection, prefix, arc)));
  for (const one of [alone.store, beside.store]) await one.close();
  await client.query(`DROP SCHEMA ${schema} CASCADE`);
  await client.end();
}

async function measureLooks(
  measured: Readonly<Record<string, Measured>>,
  looks: number,
  say: Say,
): Promise<void> {
  for (const [name, { store, cpuMs }] of Object.entries(measured)) {
    const [before, from] = [await cpuMs(), performance.now()];
    let rows = 0;
    for (let nth = 0; nth < looks; nth++) {
      rows = (await store.due(now + AHEAD_MS, DUE, undefined, ARCS)).length;
    }
    say(`${name}_look`, (performance.now() - from) / looks, 'ms');
    say(`${name}_look_rows`, rows, 'rows');
    sayCpu(`${name}_look`, before, await cpuMs(), looks, say);
  }
}

async function measureRequeues(
  measured: Readonly<Record<string, Measured>>,
  say: Say,
): Promise<void> {
  for (const [name, { store, cpuMs }] of Object.entries(measured)) {
    const [before, from] = [await cpuMs(), performance.now()];
    for (let nth = 0; nth < REQUEUES; nth++) await requeue(store);
    say(`${name}_requeue_1000`, (performance.now() - from) / REQUEUES, 'ms');
    sayCpu(`${name}_requeue_1000`, before, await cpuMs(), REQUEUES, say);
  }
}

async function requeue(store: ShardStore): Promise<void> {
  const dues = await store.due(now + 31 * DAY_MS, DUE, undefined, ARCS);
  const still = await store.stillDue?.(dues);
  const records = still ?? (await store.urls(dues.map(({ key }) => key)));
  if (records.some((one) => one === undefined)) throw new Error('a row that is not so');
  const requeued = dues.map((due: Due, nth) => {
    return { due, waiting: { ...waitingOf(nth), key: due.key, again: true } };
  });
  await store.commit({ ...NOTHING, requeued });
}

function sayCpu(
  name: string,
  [pgFrom, redisFrom, ownFrom]: readonly [number, number, number],
  [pgTo, redisTo, ownTo]: readonly [number, number, number],
  times: number,
  say: Say,
): void {
  say(`${name}_postgres_cpu`, (pgTo - pgFrom) / times, 'ms');
  say(`${name}_redis_cpu`, (redisTo - redisFrom) / times, 'ms');
  say(`${name}_own_cpu`, (ownTo - ownFrom) / times, 'ms');
}

/** Visited pages, due within a month. */
async function fill(store: ShardStore, urls: number): Promise<void> {
  for (let at = 0; at < urls; at += PER_COMMIT) {
    const settled = Array.from({ length: Math.min(PER_COMMIT, urls - at) }, (_, nth) => {
      const waiting = waitingOf(at + nth);
      const seen = { state: 'indexed' as const, httpStatus: 200, visits: 1, lastFetchedAt: now };
      const record = { ...queuedRecord(waiting), ...seen, nextCrawlAt: dueAt(at + nth) };
      return { waiting, record };
    });
    await store.commit({ ...NOTHING, settled });
  }
}

function waitingOf(n: number) {
  return waitingFrom(population.mentionOf(n), 0, admittedAt(n));
}

/** Spread over a month, whichever host it is of. */
function dueAt(n: number): number {
  return now + 1 + ((n * 2_654_435_761) % (30 * DAY_MS));
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

async function redisMs(connection: RedisConnection): Promise<number> {
  const names = ['used_cpu_user', 'used_cpu_sys'];
  const [user = 0, system = 0] = await Promise.all(names.map((name) => infoOf(connection, name)));
  return (user + system) * 1e3;
}

async function infoOf(connection: RedisConnection, name: string): Promise<number> {
  const text = String(await connection.send('any', ['INFO']));
  return Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
}

async function forget(connection: RedisConnection, prefix: string, arc: number): Promise<void> {
  const keys = ['state', 1, 2, 3].map((what) => `${prefix}due:{${arc}}:${what}`);
  await connection.send(keys[0] as string, ['UNLINK', ...keys]);
}

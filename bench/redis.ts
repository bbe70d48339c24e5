/**
 * Check-and-add in Redis by batches (K2, S4): one server, and a cluster of three.
 *
 *   npm run bench -- redis [--urls 1000000] [--batch 4096] [--in-flight 4] [--only server|cluster]
 *
 * The engines are started for it (tools/engines/) unless ORB_LIVE_REDIS and
 * ORB_LIVE_REDIS_CLUSTER say where they are. Keys are made before the clock runs.
 *
 *   new, known   each key for the first time; the same keys once more
 *   cpu          of the servers and of this process, for one URL: what is left on a machine
 *                with neighbours, where rates are theirs, too
 *   rate_by_cpu  URLs for a second of CPU of the busiest server, or of this process if it has more
 *                to do: the rate where each has a core to itself
 *   commands     that one batch becomes: one for each arc that it touches, all on the line at
 *                once, so that a batch waits for one round trip
 *   reads        of the servers' sockets for one batch, by their own count
 */
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { systemClock } from '../src/adapters/node/index.ts';
import {
  connectRedis,
  openRedisFilter,
  type RedisSeenFilter,
} from '../src/adapters/redis/index.ts';
import { type UrlKey, urlKeyOf } from '../src/record/index.ts';
import { redis, redisCluster } from '../tools/engines/index.ts';
import { type Emit, type Say, sayFor, watch } from './measure.ts';
import { Population } from './population.ts';
import { withEngine } from './with-engine.ts';

interface Load {
  readonly urls: number;
  readonly batch: number;
  readonly inFlight: number;
}

const HOSTS = 20_000;
const FALSE_POSITIVES = 0.001;

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      urls: { type: 'string', default: '1000000' },
      batch: { type: 'string', default: '4096' },
      'in-flight': { type: 'string', default: '4' },
      only: { type: 'string' },
    },
  });
  const [urls, batch, inFlight] = [values.urls, values.batch, values['in-flight']].map(Number);
  const load = { urls, batch, inFlight } as Load;
  const say = sayFor('redis', emit);
  say('urls', load.urls, 'urls');
  say('batch', load.batch, 'urls');
  say('in_flight', load.inFlight, 'batches');
  for (const [name, engine] of Object.entries({ server: redis, cluster: redisCluster })) {
    if (values.only !== undefined && values.only !== name) continue;
    await withEngine(engine, (address) =>
      measure(address.split(','), name === 'cluster', load, (metric, value, unit) =>
        say(`${name}_${metric}`, value, unit),
      ),
    );
  }
}

async function measure(
  urls: readonly string[],
  isCluster: boolean,
  load: Load,
  say: Say,
): Promise<void> {
  const connection = await connectRedis({ urls, isCluster, deadlineMs: 30_000 });
  const prefix = `bench-${process.pid}:`;
  const filter = await openRedisFilter({
    ...{ connection, clock: systemClock(), prefix, complete: true },
    ...{ expectedKeys: load.urls, falsePositiveRate: FALSE_POSITIVES },
  });
  const population = new Population(HOSTS);
  const keys = Array.from({ length: load.urls }, (_, i) => urlKeyOf(population.urlOf(i)));
  try {
    const flagged = await pass('new', filter, keys, load, urls, say);
    say('new_called_known', flagged / keys.length, 'share');
    const known = await pass('known', filter, keys, load, urls, say);
    if (known !== keys.length) throw new Error(`${keys.length - known} known URLs were called new`);
  } finally {
    await filter.close();
    await forget(prefix, urls);
    await connection.close();
  }
}

/** Asks for all keys once; answers how many were called known. */
async function pass(
  name: string,
  filter: RedisSeenFilter,
  keys: readonly UrlKey[],
  { batch, inFlight }: Load,
  urls: readonly string[],
  say: Say,
): Promise<number> {
  const before = await countsOf(urls);
  const read = watch();
  let [next, flagged] = [0, 0];
  const ask = async () => {
    while (next < keys.length) {
      const some = keys.slice(next, next + batch);
      next += batch;
      for (const answer of await filter.checkAndAdd(some)) flagged += answer;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, ask));
  const { wallSec, cpuSec } = read();
  const after = await countsOf(urls);
  const batches = Math.ceil(keys.length / batch);
  say(`${name}_rate`, keys.length / wallSec, 'urls/s');
  say(
    `${name}_server_cpu`,
    ((sumOf(after.cpuSecs) - sumOf(before.cpuSecs)) * 1e6) / keys.length,
    'µs/url',
  );
  say(`${name}_client_cpu`, (cpuSec * 1e6) / keys.length, 'µs/url');
  const serverSec = Math.max(...after.cpuSecs.map((sec, i) => sec - (before.cpuSecs[i] ?? 0)));
  say(`${name}_rate_by_cpu`, keys.length / Math.max(serverSec, cpuSec), 'urls/s');
  say(`${name}_commands`, (after.commands - before.commands) / batches, 'commands/batch');
  say(`${name}_reads`, (after.reads - before.reads) / batches, 'reads/batch');
  return flagged;
}

interface Counts {
  /** Of each server. */
  readonly cpuSecs: readonly number[];
  readonly commands: number;
  readonly reads: number;
}

/** What the servers say of themselves: CPU, scripts that they were asked to run, reads. */
async function countsOf(urls: readonly string[]): Promise<Counts> {
  const told = await Promise.all(urls.map((url) => said(url, ['INFO', 'everything'])));
  const each = (pattern: RegExp) => told.map((text) => Number(pattern.exec(text)?.[1] ?? 0));
  const inKernel = each(/used_cpu_sys:([\d.]+)/);
  return {
    cpuSecs: each(/used_cpu_user:([\d.]+)/).map((sec, i) => sec + (inKernel[i] ?? 0)),
    commands: sumOf(each(/cmdstat_evalsha:calls=(\d+)/)),
    reads: sumOf(each(/total_reads_processed:(\d+)/)),
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

async function forget(prefix: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const keys = await said(url, ['KEYS', `${prefix}*`]);
    for (const key of keys.split(',').filter(Boolean)) await said(url, ['UNLINK', key]);
  }
}

async function said(url: string, words: readonly string[]): Promise<string> {
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return String(await client.sendCommand([...words]));
  } finally {
    client.destroy();
  }
}

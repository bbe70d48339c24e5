/**
 * The engines of a node of a cluster, opened together: a part of the composition root.
 *
 *   PostgreSQL or Cassandra → records, tenures, jobs, near-index, denials      S3 → bodies
 *   Kafka      → the group, mentions, `pages`       Redis → filter, names, turns at addresses, dues
 *
 * Each is opened before the node joins: what is wrong with one is said before anything is asked.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { KafkaArcGroup, KafkaEventLog } from './adapters/kafka/index.ts';
import { systemClock } from './adapters/node/clock.ts';
import {
  connectRedis,
  openRedisFilter,
  RedisAddressTurns,
  type RedisConnection,
  RedisDueSets,
  RedisSharedCache,
} from './adapters/redis/index.ts';
import { openS3Blobs, type S3BlobStore } from './adapters/s3/index.ts';
import { SECOND_MS } from './base/instant.ts';
import { type ClusterPlaces, placesFrom } from './compose-cluster-places.ts';
import { openRecords, type RecordEngine } from './compose-cluster-records.ts';
import type { Settings } from './config/index.ts';
import { DueStore } from './crawl/due-store.ts';
import { claimToSendMs } from './crawl/neighbours.ts';
import { politenessFrom, recrawlFrom } from './crawl/plan.ts';
import type { AddressTurns } from './ports/address-turns.ts';
import type { Records } from './ports/records.ts';
import type { SeenFilter } from './ports/seen-filter.ts';
import type { KeyRange } from './ports/shard-store.ts';
import type { SharedCache } from './ports/shared-cache.ts';
import { blankHost, URL_KEY_BYTES, type UrlKey, type UrlRecord } from './record/index.ts';
import { Recrawl } from './recrawl/index.ts';
import { hostOf } from './url/index.ts';

export interface ClusterEngines {
  /** Of this process and no other, ever. */
  readonly holder: string;
  readonly records: RecordEngine;
  readonly blobs: S3BlobStore;
  readonly events: KafkaEventLog;
  readonly group: KafkaArcGroup;
  readonly filter: SeenFilter;
  readonly cache: SharedCache;
  /** Undefined where addresses are owed no pause. */
  readonly addressTurns: AddressTurns | undefined;
  /** The records, with what is due in sets of Redis; undefined where they are not wanted. */
  readonly dues: DueStore | undefined;
  /** After the node has left its group. */
  close(): Promise<void>;
}

/** What an engine says that a person should hear. */
export type Notice = (text: string) => void;

/** Brokers refuse less than this, unless they are told otherwise. */
const SESSION_MS_MIN = 6 * SECOND_MS;

export async function openClusterEngines(
  settings: Settings,
  notice: Notice,
): Promise<ClusterEngines> {
  const places = placesFrom(settings);
  const holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(one: T): T => {
    opened.push(one);
    return one;
  };
  const close = async () => {
    for (const one of [...opened].reverse()) await one.close().catch(() => undefined);
  };
  try {
    const records = keep(await openRecords(places.records, holder));
    const blobs = keep(await openS3Blobs(places.s3));
    const redis = keep(await connectRedis(places.redis));
    const shared = await openShared(settings, places, records.store, holder, notice, redis, keep);
    const dues = openDues(settings, places, records.store, notice, redis);
    if (dues !== undefined) keep(dues);
    const clock = systemClock();
    const onTrouble = (error: unknown) => notice((error as Error).message);
    const events = keep(await KafkaEventLog.open(places.broker, clock, onTrouble));
    const { broker } = places;
    const sessionMs = Math.max(SESSION_MS_MIN, settings.cluster.termMs);
    const group = await KafkaArcGroup.connect({ broker, sessionMs, clock, onTrouble });
    return { holder, records, blobs, events, group, ...shared, dues, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Keep = <T extends { close(): Promise<unknown> }>(one: T) => T;

async function openShared(
  settings: Settings,
  places: ClusterPlaces,
  records: Records,
  node: string,
  notice: Notice,
  connection: RedisConnection,
  keep: Keep,
): Promise<Pick<ClusterEngines, 'filter' | 'cache' | 'addressTurns'>> {
  const { expectedUrls, falsePositive } = settings.store;
  const clock = systemClock();
  const around = { connection, clock, prefix: places.prefix, notice };
  const { known } = await records.totals();
  const filter = await openRedisFilter({
    ...{ ...around, expectedKeys: expectedUrls, falsePositiveRate: falsePositive },
    ...{ complete: known === 0, known: (range) => keysIn(records, range) },
  });
  const cache = new RedisSharedCache(around);
  const { addressDelayMs } = politenessFrom(settings);
  if (addressDelayMs === 0) return { filter: keep(filter), cache, addressTurns: undefined };
  const forgetMs = claimToSendMs(settings.fetch.connectTimeoutMs) + addressDelayMs;
  const isNew = known === 0;
  const addressTurns = await RedisAddressTurns.open({ ...around, node, forgetMs, isNew });
  return { filter: keep(filter), cache, addressTurns };
}

/** In a cluster hosts are not rated: those of all pages count alike. */
function openDues(
  settings: Settings,
  { prefix }: ClusterPlaces,
  store: RecordEngine['store'],
  notice: Notice,
  connection: RedisConnection,
): DueStore | undefined {
  if (!settings.cluster.dueSets) return undefined;
  const clock = systemClock();
  const index = new RedisDueSets({ connection, clock, prefix, notice });
  const recrawl = new Recrawl(recrawlFrom(settings));
  const tierOf = (record: UrlRecord) => recrawl.tierOf(record, blankHost(hostOf(record.url)));
  return new DueStore({ store, index, clock, tierOf, notice });
}

const KEYS_PER_READ = 10_000;

/** What the records know in a range of the circle, in flat runs of keys. */
async function* keysIn(records: Records, { from, to }: KeyRange): AsyncIterable<Uint8Array> {
  const before = Buffer.alloc(URL_KEY_BYTES, 0xff);
  before[0] = from - 1;
  for (let after: UrlKey | undefined = from === 0 ? undefined : before; ; ) {
    const keys: Buffer = await records.keys(after, KEYS_PER_READ);
    if (keys.length === 0 || (keys[0] as number) > to) return;
    yield keys.subarray(0, endOf(keys, to));
    after = keys.subarray(keys.length - URL_KEY_BYTES);
  }
}

/** Where the keys of a run leave the range. */
function endOf(keys: Buffer, to: number): number {
  for (let at = keys.length; at > 0; at -= URL_KEY_BYTES) {
    if ((keys[at - URL_KEY_BYTES] as number) <= to) return at;
  }
  return 0;
}

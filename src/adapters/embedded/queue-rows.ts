/**
 * The rows of URLs that wait: written when one is admitted or comes again, moved with its
 * priority, gone when it is settled.
 */
import type { Due, Settled } from '../../ports/shard-store.ts';
import {
  encodeWaiting,
  type HostKey,
  hostKeyAt,
  hostKeyIn,
  type UrlKey,
  type Waiting,
  waitingAt,
} from '../../record/index.ts';
import { hostOf } from '../../url/index.ts';
import type { PiecePlace } from '../folder/blocks.ts';
import * as keys from './keys.ts';
import type { Del, Put } from './lsm.ts';
import { encodeKnown, encodeVisited, type KnownRow } from './rows.ts';

export type Ops = (Put | Del)[];

const NOTHING = Buffer.alloc(0);

export function admit(ops: Ops, waiting: Waiting): void {
  const host = hostKeyIn(waiting.key, waiting.url);
  const row = encodeKnown(waiting.rank, host.readUInt16BE(8));
  put(ops, keys.tableKey(keys.TABLE.url, waiting.key), row);
  put(ops, keys.waitingKey(host, waiting.rank, waiting.key), encodeWaiting(waiting));
}

export function settle(ops: Ops, settled: Settled, trace: PiecePlace | undefined): void {
  const { waiting, record } = settled;
  const host = hostKeyIn(waiting.key, waiting.url);
  put(ops, keys.tableKey(keys.TABLE.visited, waiting.key), encodeVisited(record, trace));
  ops.push({ type: 'del', key: keys.waitingKey(host, waiting.rank, waiting.key) });
  if (record.nextCrawlAt > 0) put(ops, keys.dueKey(record.nextCrawlAt, waiting.key), NOTHING);
}

/** By name, without hashing: nearly every host that is written has a page that is settled. */
export function hostKeysOf(settled: readonly Settled[]): ReadonlyMap<string, HostKey> {
  const hosts = new Map<string, HostKey>();
  for (const { waiting } of settled) {
    const host = hostOf(waiting.url);
    if (!hosts.has(host)) hosts.set(host, hostKeyAt(waiting.key, host));
  }
  return hosts;
}

export function requeue(ops: Ops, due: Due, waiting: Waiting): void {
  const host = hostKeyIn(waiting.key, waiting.url);
  ops.push({ type: 'del', key: keys.dueKey(due.at, due.key) });
  put(ops, keys.waitingKey(host, waiting.rank, waiting.key), encodeWaiting(waiting));
}

/** Its known row says where it waits, so that it can be found by its URL alone. */
export function move(ops: Ops, from: Waiting, to: Waiting): void {
  const host = hostKeyIn(from.key, from.url);
  ops.push({ type: 'del', key: keys.waitingKey(host, from.rank, from.key) });
  admit(ops, to);
}

export function put(ops: Ops, key: Buffer, value: Buffer): void {
  ops.push({ type: 'put', key, value });
}

/** A row's key holds half of the url hash: enough to order by, so the whole is computed. */
export function waitingFrom(row: Buffer, value: Buffer): Waiting {
  return waitingAt(keys.hostPartOf(row), keys.rankIn(row), value);
}

export function waitingKeyOf(key: UrlKey, row: KnownRow): Buffer {
  const host = Buffer.allocUnsafe(10);
  key.copy(host, 0, 0, 8);
  host.writeUInt16BE(row.port, 8);
  return keys.waitingKey(host, row.rank, key);
}

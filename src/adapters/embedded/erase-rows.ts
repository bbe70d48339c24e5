/**
 * The rows of URLs of which nothing is left but a record (G1). Traces go first, those of earlier
 * visits, too: once a row has forgotten where they lie, nobody finds them in the packs.
 */
import { ByteReader } from '../../base/bytes.ts';
import type { BlobCodec } from '../../content/index.ts';
import type { Erased } from '../../ports/job-counts.ts';
import type { Commit } from '../../ports/shard-store.ts';
import type { UrlKey } from '../../record/index.ts';
import { blankPieces } from '../folder/blank.ts';
import type { Packs } from '../folder/pack.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put, Row } from './lsm.ts';
import { decodeVisited, encodeVisited, readPlace, traceIn } from './rows.ts';
import { shelvedOf } from './shelf-rows.ts';

const OLD_TRACES_MAX = 100_000;

/** Adds what is to be written to `ops`; answers what each of them was. */
export async function eraseRows(
  lsm: LsmRows,
  traces: Packs,
  codec: BlobCodec,
  ops: (Put | Del)[],
  erased: NonNullable<Commit['erased']>,
): Promise<Erased[]> {
  if (erased.length === 0) return [];
  const rows = await lsm.getMany(erased.map(({ key }) => keys.tableKey(keys.TABLE.visited, key)));
  const urls = erased.map(({ key }) => key);
  await blankTraces(lsm, traces, codec, ops, rows, urls);
  const before = rows.map((row) => row && decodeVisited(row));
  const dueKeys = erased.map(({ key }, i) => keys.dueKey(before[i]?.nextCrawlAt ?? 0, key));
  const dues = await lsm.getMany(dueKeys);
  const shelves = await shelvedOf(lsm, urls);
  return erased.map(({ key, record }, i) => {
    const value = encodeVisited(record, undefined);
    ops.push({ type: 'put', key: keys.tableKey(keys.TABLE.visited, key), value });
    if (dues[i] !== undefined) ops.push({ type: 'del', key: dueKeys[i] as Buffer });
    const [was, shelf] = [before[i], shelves[i]];
    if (shelf !== undefined) ops.push({ type: 'del', key: keys.tableKey(keys.TABLE.shelf, key) });
    const isWaiting = (was?.nextCrawlAt ?? 0) > 0 && dues[i] === undefined;
    return { before: was, isWaiting, shelf };
  });
}

/** The records stay, the traces of all visits go. */
export async function untraceRows(
  lsm: LsmRows,
  traces: Packs,
  codec: BlobCodec,
  ops: (Put | Del)[],
  urls: readonly UrlKey[],
): Promise<void> {
  if (urls.length === 0) return;
  const rowKeys = urls.map((key) => keys.tableKey(keys.TABLE.visited, key));
  const rows = await lsm.getMany(rowKeys);
  await blankTraces(lsm, traces, codec, ops, rows, urls);
  rows.forEach((row, i) => {
    if (traceIn(row) === undefined || row === undefined) return;
    const value = encodeVisited(decodeVisited(row), undefined);
    ops.push({ type: 'put', key: rowKeys[i] as Buffer, value });
  });
}

async function blankTraces(
  lsm: LsmRows,
  traces: Packs,
  codec: BlobCodec,
  ops: (Put | Del)[],
  rows: readonly (Buffer | undefined)[],
  urls: readonly UrlKey[],
): Promise<void> {
  const old = await oldTraces(lsm, urls);
  const places = rows.flatMap((row) => traceIn(row) ?? []);
  const oldPlaces = old.map(([, value]) => readPlace(new ByteReader(value)));
  await blankPieces(traces, [...places, ...oldPlaces], codec);
  for (const [key] of old) ops.push({ type: 'del', key });
}

async function oldTraces(lsm: LsmRows, urls: readonly UrlKey[]): Promise<Row[]> {
  const found: Row[] = [];
  for (const key of urls) {
    const gte = keys.tableKey(keys.TABLE.oldTrace, key);
    found.push(...(await lsm.rows({ gte, lt: keys.after(gte), limit: OLD_TRACES_MAX })));
  }
  return found;
}

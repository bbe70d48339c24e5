/**
 * URLs that are set aside and come back, and those that are forgotten (../../crawl/jobs.ts).
 *
 *   w row ── shelved ──▶ s row, by its URL ── unshelved ──▶ w row, where it was
 *     └────────────────────┴── forgotten ──▶ no row at all
 *
 * Each is done only to a row that is there and is the same wait: whoever comes late, after a
 * visit, an erasure or another's forgetting, changes nothing.
 */
import type { Forgotten } from '../../ports/job-counts.ts';
import {
  decodeWaiting,
  encodeWaiting,
  hostKeyIn,
  urlKeyOf,
  type Waiting,
} from '../../record/index.ts';
import * as keys from './keys.ts';
import type { Del, LsmRows, Put } from './lsm.ts';

type Ops = (Put | Del)[];

const RANK_BYTES = 4;

/** Adds what is to be written to `ops`; answers those that were waiting. */
export async function shelveRows(
  lsm: LsmRows,
  ops: Ops,
  given: readonly Waiting[] = [],
): Promise<Waiting[]> {
  const shelved = eachOnce(given);
  const rows = await read(lsm, shelved.map(waitingRowOf));
  return shelved.filter((waiting, i) => {
    if (!isSame(waitingIn(waiting, rows[i]), waiting)) return false;
    ops.push({ type: 'del', key: waitingRowOf(waiting) });
    ops.push({ type: 'put', key: shelfRowOf(waiting), value: encodeShelf(waiting) });
    return true;
  });
}

export async function unshelveRows(
  lsm: LsmRows,
  ops: Ops,
  given: readonly Waiting[] = [],
): Promise<Waiting[]> {
  const unshelved = eachOnce(given);
  const rows = await read(lsm, unshelved.map(shelfRowOf));
  return unshelved.filter((waiting, i) => {
    if (!isSame(shelfIn(rows[i]), waiting)) return false;
    ops.push({ type: 'del', key: shelfRowOf(waiting) });
    ops.push({ type: 'put', key: waitingRowOf(waiting), value: encodeWaiting(waiting) });
    return true;
  });
}

export async function forgetRows(
  lsm: LsmRows,
  ops: Ops,
  given: readonly Waiting[] = [],
): Promise<Forgotten[]> {
  const forgotten = eachOnce(given);
  const rows = await read(
    lsm,
    forgotten.flatMap((waiting) => [waitingRowOf(waiting), shelfRowOf(waiting)]),
  );
  return forgotten.flatMap((waiting, i) => {
    const isWaiting = isSame(waitingIn(waiting, rows[2 * i]), waiting);
    const wasShelved = isSame(shelfIn(rows[2 * i + 1]), waiting);
    if (!isWaiting && !wasShelved) return [];
    const tables = [keys.TABLE.url, keys.TABLE.visited].map((t) => keys.tableKey(t, waiting.key));
    const own = isWaiting ? waitingRowOf(waiting) : shelfRowOf(waiting);
    for (const key of [own, ...tables]) ops.push({ type: 'del', key });
    return [{ waiting, wasShelved }];
  });
}

/** Rows are read before any is written: one that is named twice would be counted twice. */
function eachOnce(urls: readonly Waiting[]): readonly Waiting[] {
  const named = new Map(urls.map((url) => [url.key.toString('latin1'), url]));
  return named.size === urls.length ? urls : [...named.values()];
}

/** What is shelved of these URLs, in their order. */
export async function shelvedOf(
  lsm: LsmRows,
  urls: readonly Buffer[],
): Promise<(Waiting | undefined)[]> {
  const rows = await read(
    lsm,
    urls.map((key) => keys.tableKey(keys.TABLE.shelf, key)),
  );
  return rows.map(shelfIn);
}

export function shelfIn(row: Buffer | undefined): Waiting | undefined {
  if (row === undefined) return undefined;
  const rank = row.readUInt32BE(0);
  const draft = decodeWaiting(NO_KEY, rank, row.subarray(RANK_BYTES));
  const key = urlKeyOf(draft.url);
  // A near parent is told by the key of the URL that it is the parent of.
  return decodeWaiting(key, rank, row.subarray(RANK_BYTES));
}

const NO_KEY = Buffer.alloc(24);

function encodeShelf(waiting: Waiting): Buffer {
  const rank = Buffer.allocUnsafe(RANK_BYTES);
  rank.writeUInt32BE(waiting.rank, 0);
  return Buffer.concat([rank, encodeWaiting(waiting)]);
}

function waitingIn(place: Waiting, row: Buffer | undefined): Waiting | undefined {
  return row && decodeWaiting(place.key, place.rank, row);
}

function isSame(found: Waiting | undefined, waiting: Waiting): boolean {
  if (found === undefined || found.url !== waiting.url) return false;
  return found.rank === waiting.rank && (found.job ?? 0) === (waiting.job ?? 0);
}

function waitingRowOf({ key, url, rank }: Waiting): Buffer {
  return keys.waitingKey(hostKeyIn(key, url), rank, key);
}

function shelfRowOf({ key }: Waiting): Buffer {
  return keys.tableKey(keys.TABLE.shelf, key);
}

async function read(lsm: LsmRows, rows: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
  return rows.length === 0 ? [] : lsm.getMany(rows);
}

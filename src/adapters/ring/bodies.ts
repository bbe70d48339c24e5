/**
 * Row operations of one arc as bytes: bodies of its log's entries, and pieces of its buckets.
 *
 *   version(1)  then for each: letter(1, high bit: gone)  shared(1) [length(1)] rest of the key
 *                              length(varint) value
 *
 * `shared` is how many bytes the key has in common with the one before, letters aside: rows of one
 * host share its place. A copy may have some of the entries of a write and not the others. So
 * hosts come before URLs, and what is of one URL is in one entry.
 */
import { ByteWriter } from '../../base/bytes.ts';
import { BODY_BYTES_MAX } from '../../ports/arc-log.ts';
import { TABLE } from '../embedded/keys.ts';
import type { Del, Put } from '../embedded/lsm.ts';
import { asSent } from './sent.ts';
import { keyBytesOf } from './tables.ts';

export type RowOp = Put | Del;

export const BODY_VERSION = 1;
export const GONE = 0x80;
/** A piece of a bucket: with what is around it, it fits into one message. */
export const PIECE_BYTES_MAX = 48 * 1024;
/** Letter, shared, length of a key; length of a value. */
const AROUND_BYTES = 6;

const writer = new ByteWriter();
const NO_KEY = Buffer.alloc(0);

/** Operations, in their order as far as it matters, in bodies of at most BODY_BYTES_MAX. */
export function bodiesOf(ops: readonly RowOp[]): Buffer[] {
  const sent = ops.map(opAsSent);
  if (sizeOf(sent) < BODY_BYTES_MAX) return [encodeOps(sent)];
  return packed(groupsOf(sent), BODY_BYTES_MAX);
}

export function opAsSent(op: RowOp): RowOp {
  if (op.type === 'del') return op;
  const value = asSent(op.key, op.value);
  return value === undefined ? { type: 'del', key: op.key } : { ...op, value };
}

export function sizeOf(ops: readonly RowOp[]): number {
  let bytes = 1;
  for (const op of ops) {
    bytes += AROUND_BYTES + op.key.length + (op.type === 'put' ? op.value.length : 0);
  }
  return bytes;
}

export function encodeOps(ops: readonly RowOp[]): Buffer {
  writer.byte(BODY_VERSION);
  let before: Buffer = NO_KEY;
  for (const op of ops) {
    const { key } = op;
    const table = key[0] as number;
    const shared = sharedBytes(before, key);
    writer.byte(op.type === 'put' ? table : table | GONE).byte(shared);
    if (keyBytesOf(table) === 0) writer.byte(key.length - 1 - shared);
    writer.from(key, 1 + shared);
    if (op.type === 'put') writer.bytes(op.value);
    before = key;
  }
  return writer.take();
}

function sharedBytes(before: Buffer, key: Buffer): number {
  const most = Math.min(before.length, key.length);
  let at = 1;
  while (at < most && before[at] === key[at]) at++;
  return at - 1;
}

/** First what is of hosts, then what is of each URL, then the rest. */
function groupsOf(ops: readonly RowOp[]): RowOp[][] {
  const hosts: RowOp[][] = [];
  const urls = new Map<string, RowOp[]>();
  const rest: RowOp[][] = [];
  for (const op of ops) {
    const url = urlIn(op.key);
    if (url === undefined) (isOfHost(op.key) ? hosts : rest).push([op]);
    else if (urls.get(url)?.push(op) === undefined) urls.set(url, [op]);
  }
  return [...hosts, ...urls.values(), ...rest];
}

function isOfHost([table]: Buffer): boolean {
  return table === TABLE.host || table === TABLE.robots || table === TABLE.sketch;
}

/** The place and as much of the hash as each of its rows tells. */
function urlIn(key: Buffer): string | undefined {
  const table = key[0];
  if (table === TABLE.url || table === TABLE.visited || table === TABLE.shelf) {
    return key.toString('latin1', 1, 17);
  }
  if (table === TABLE.due) return key.toString('latin1', 8, 24);
  if (table !== TABLE.waiting) return undefined;
  return key.toString('latin1', 1, 9) + key.toString('latin1', 15, 23);
}

function packed(groups: readonly RowOp[][], bytesMax: number): Buffer[] {
  const bodies: Buffer[] = [];
  let body: RowOp[] = [];
  let bytes = 1;
  for (const group of groups) {
    // Only a commit that changes one URL several times has more of it than fits.
    const parts = sizeOf(group) > bytesMax ? group.map((op) => [op]) : [group];
    for (const part of parts) {
      const size = sizeOf(part) - 1;
      if (bytes + size > bytesMax) {
        bodies.push(encodeOps(body));
        [body, bytes] = [[], 1];
      }
      body.push(...part);
      bytes += size;
    }
  }
  return body.length === 0 ? bodies : [...bodies, encodeOps(body)];
}

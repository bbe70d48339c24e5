/**
 * Reads what bodies.ts wrote, as bytes that somebody sent: every row must be one of this arc, in a
 * table that arcs have, and such as we would have written it. Else a node would fall over it when
 * it owns the arc.
 */
import { ByteReader } from '../../base/bytes.ts';
import { BadRows } from '../../ports/arc-copies.ts';
import { decodeHost, decodeRobots, decodeWaiting } from '../../record/index.ts';
import { TABLE } from '../embedded/keys.ts';
import type { Put } from '../embedded/lsm.ts';
import { decodeVisited } from '../embedded/rows.ts';
import { shelfIn } from '../embedded/shelf-rows.ts';
import { isCountRow } from './arc-counts.ts';
import { BODY_VERSION, GONE, PIECE_BYTES_MAX, type RowOp } from './bodies.ts';
import { bytesMaxOf } from './sent.ts';
import { arcIn, bucketIn, keyBytesOf, NAMED_KEY_BYTES_MAX } from './tables.ts';

const KNOWN_ROW_BYTES = 6;
const PLAIN = 0;
const NO_URL = Buffer.alloc(24);

/** Throws BadRows. */
export function readBody(arc: number, body: Uint8Array): RowOp[] {
  if (body.length > PIECE_BYTES_MAX) throw new BadRows(arc, `${body.length} bytes at once`);
  const reader = new ByteReader(body);
  const ops: RowOp[] = [];
  try {
    const version = reader.byte();
    if (version !== BODY_VERSION) throw new BadRows(arc, `of version ${version}`);
    for (let before: Buffer = NO_URL; !reader.done; before = (ops.at(-1) as RowOp).key) {
      ops.push(readOp(arc, reader, before));
    }
  } catch (error) {
    throw error instanceof BadRows ? error : new BadRows(arc, (error as Error).message);
  }
  return ops;
}

/** A piece of a bucket: rows that are there, and are of it. Throws BadRows. */
export function readPiece(arc: number, piece: Uint8Array, bucket: number, buckets: number): Put[] {
  return readBody(arc, piece).map((op) => {
    if (op.type === 'del') throw new BadRows(arc, 'a row that is gone, in a bucket');
    if (bucketIn(op.key, buckets) !== bucket) throw new BadRows(arc, 'a row of another bucket');
    return op;
  });
}

function readOp(arc: number, reader: ByteReader, before: Buffer): RowOp {
  const letter = reader.byte();
  const table = letter & ~GONE;
  const key = readKey(arc, reader, table, before);
  if ((letter & GONE) !== 0) return { type: 'del', key };
  const value = reader.bytes();
  check(arc, table, value);
  return { type: 'put', key, value };
}

function readKey(arc: number, reader: ByteReader, table: number, before: Buffer): Buffer {
  const fixed = keyBytesOf(table);
  if (fixed === undefined) throw new BadRows(arc, `table ${table}`);
  const shared = reader.byte();
  const length = fixed === 0 ? shared + reader.byte() : fixed;
  const isKey = shared < before.length && shared <= length && length > 0;
  if (!isKey || length > NAMED_KEY_BYTES_MAX) throw new BadRows(arc, 'a key that is none');
  const key = Buffer.allocUnsafe(1 + length);
  key[0] = table;
  before.copy(key, 1, 1, 1 + shared);
  key.set(reader.raw(length - shared), 1 + shared);
  if (arcIn(key) !== arc) throw new BadRows(arc, `a row of arc ${arcIn(key)}`);
  return key;
}

/** Throws when it is none of this table. */
function check(arc: number, table: number, value: Buffer): void {
  if (value.length > bytesMaxOf(table)) throw new BadRows(arc, 'a row that is too long');
  if (!isValue(table, value)) throw new BadRows(arc, `no value of table ${table}`);
}

function isValue(table: number, value: Buffer): boolean {
  if (table === TABLE.url) return value.length === KNOWN_ROW_BYTES;
  if (table === TABLE.due) return value.length === 0;
  if (table === TABLE.counts) return isCountRow(value);
  if (table === TABLE.visited) return value[0] === PLAIN && decodeVisited(value).url !== '';
  if (table === TABLE.waiting) return decodeWaiting(NO_URL, 0, value).url !== '';
  if (table === TABLE.shelf) return shelfIn(value) !== undefined;
  if (table === TABLE.robots) return decodeRobots(value).length >= 0;
  if (table !== TABLE.host) return true;
  const { host, lastFetchAt, turnAt } = decodeHost(value);
  return host !== '' && Number.isFinite(lastFetchAt) && Number.isFinite(turnAt);
}

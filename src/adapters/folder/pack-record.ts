/**
 * One record of a pack file: a head that can be found and checked, then the bytes.
 *
 *   0        4     8       9      10         11  12      16   20         20 + hash
 *   ┌────────┬─────┬───────┬──────┬──────────┬───┬───────┬────┬──────────┬─────────
 *   │ 9e ORB │ crc │ verse │codec │hash bytes│ 0 │length │ at │ hash     │ bytes …
 *   └────────┴─────┴───────┴──────┴──────────┴───┴───────┴────┴──────────┴─────────
 *                  └───────────────── the crc is of all this ─────────────────────
 *
 * Numbers are little-endian. `at` is where the record stands in its file: bytes of a page that
 * look like a record are then not taken for one when a damaged file is searched for the next.
 */
import { BLOB_CODECS, type BlobCodec } from '../../content/codec.ts';
import { crc32 } from './crc.ts';

export interface PackRecord {
  readonly codec: BlobCodec;
  readonly bytes: Uint8Array;
  /** Of the bytes before compression; empty for a record that has no hash. */
  readonly hash: Uint8Array;
}

export const MAGIC = Buffer.from([0x9e, 0x4f, 0x52, 0x42]);
export const HASH_BYTES = 32;
export const HEAD_BYTES = 20;
const VERSION = 1;
const CRC_FROM = 8;

export function recordBytes(record: PackRecord): number {
  return HEAD_BYTES + record.hash.length + record.bytes.length;
}

/** The heads of a batch in one buffer, interleaved with the bytes of its records. */
export function encodeRecords(records: readonly PackRecord[], at: number): Uint8Array[] {
  const room = Buffer.allocUnsafe(records.length * (HEAD_BYTES + HASH_BYTES));
  const buffers: Uint8Array[] = [];
  let used = 0;
  let place = at;
  for (const record of records) {
    const head = room.subarray(used, used + HEAD_BYTES + record.hash.length);
    encodeHead(head, record, place);
    buffers.push(head, record.bytes);
    used += head.length;
    place += head.length + record.bytes.length;
  }
  return buffers;
}

function encodeHead(head: Buffer, record: PackRecord, at: number): void {
  head.set(MAGIC, 0);
  head[8] = VERSION;
  head[9] = BLOB_CODECS.indexOf(record.codec);
  head[10] = record.hash.length;
  head[11] = 0;
  head.writeUInt32LE(record.bytes.length, 12);
  head.writeUInt32LE(at, 16);
  head.set(record.hash, HEAD_BYTES);
  head.writeUInt32LE(crc32(record.bytes, crc32(head.subarray(CRC_FROM))), 4);
}

/** How many bytes the record that starts here says it has; 0 when none starts here. */
export function lengthAt(bytes: Buffer, start: number, at: number): number {
  if (start + HEAD_BYTES > bytes.length) return 0;
  if (bytes.compare(MAGIC, 0, 4, start, start + 4) !== 0) return 0;
  if (bytes.readUInt32LE(start + 16) !== at) return 0;
  return HEAD_BYTES + (bytes[start + 10] as number) + bytes.readUInt32LE(start + 12);
}

/** The record in `bytes`, which are its own and no more; or what is wrong with it. */
export function decodeRecord(bytes: Buffer, at: number): PackRecord | string {
  if (lengthAt(bytes, 0, at) !== bytes.length) return 'no record of this length starts here';
  if (crc32(bytes.subarray(CRC_FROM)) !== bytes.readUInt32LE(4)) return 'its checksum is wrong';
  if (bytes[8] !== VERSION) return `it is of version ${bytes[8]}, this program reads ${VERSION}`;
  const codec = BLOB_CODECS[bytes[9] as number];
  if (codec === undefined) return `its codec ${bytes[9]} is not known`;
  const hashEnd = HEAD_BYTES + (bytes[10] as number);
  return { codec, hash: bytes.subarray(HEAD_BYTES, hashEnd), bytes: bytes.subarray(hashEnd) };
}

/** A record of nothing that takes exactly this place, so that a scan passes over it. */
export function blankBytes({ at, length }: { at: number; length: number }): Buffer {
  const bytes = Buffer.alloc(length - HEAD_BYTES);
  return Buffer.concat(encodeRecords([{ codec: 'none', bytes, hash: Buffer.alloc(0) }], at));
}

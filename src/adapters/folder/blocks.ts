/**
 * Many pieces compressed together: pages of one site repeat each other, so a block of them
 * takes less than half of the time and two thirds of the room that they take one by one.
 * Reading one piece costs the undoing of its block, about a millisecond.
 *
 * Compression runs on the thread pool: the main thread only puts the pieces together.
 */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { CrawlError } from '../../base/errors.ts';
import { type BlobCodec, hasZstd, type Packed } from '../../content/codec.ts';
import type { Packs, Place } from './pack.ts';
import { Scratch } from './scratch.ts';

/** Where a piece lies: its block in the packs, and its bytes in the block. */
export interface PiecePlace extends Place {
  readonly from: number;
  readonly bytes: number;
}

/** Pieces are put together up to this; a larger one is a block by itself. */
export const BLOCK_BYTES = 512 * 1024;
const COMPRESS_FROM_BYTES = 128;
const NO_BYTES = new Uint8Array(0);
/** A block becomes about an eighth of its size. */
const CHUNK_BYTES = 96 * 1024;

/** Bytes, or text that becomes UTF-8 on its way into the block. */
export type Piece = Uint8Array | string;

/** What stands in front of a block's pieces, so that a reader of the packs can tell them apart. */
export type HeadOf = (from: number, to: number) => Uint8Array;

export async function appendPieces(
  packs: Packs,
  pieces: readonly Piece[],
  codec: BlobCodec,
  headOf: HeadOf = () => NO_BYTES,
): Promise<PiecePlace[]> {
  if (pieces.length === 0) return [];
  const blocks = blocksOf(pieces, headOf);
  const packed = await Promise.all(blocks.map((block) => compressed(block, codec)));
  const places = await packs.append(packed.map((block) => ({ ...block, hash: NO_BYTES })));
  return blocks.flatMap((block, i) => placesIn(block, places[i] as Place));
}

export async function readPiece(packs: Packs, place: PiecePlace): Promise<Uint8Array> {
  const block = await expand(await packs.read(place));
  return block.subarray(place.from, place.from + place.bytes);
}

/** Blocks undone at once by `readPieces`: half a megabyte each. */
const BLOCKS_AT_ONCE = 4;

/** Many pieces, each block undone once; undefined stays undefined. */
export async function readPieces(
  packs: Packs,
  places: readonly (PiecePlace | undefined)[],
): Promise<(Uint8Array | undefined)[]> {
  const pieces: (Uint8Array | undefined)[] = places.map(() => undefined);
  const blocks = new Map<string, number[]>();
  places.forEach((place, i) => {
    if (place === undefined) return;
    const name = `${place.file} ${place.at}`;
    const there = blocks.get(name);
    if (there === undefined) blocks.set(name, [i]);
    else there.push(i);
  });
  const waiting = [...blocks.values()];
  const undo = async () => {
    for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
      const block = await expand(await packs.read(places[inside[0] as number] as PiecePlace));
      for (const i of inside) {
        const { from, bytes } = places[i] as PiecePlace;
        // A copy: the piece must not keep its block alive.
        pieces[i] = Uint8Array.from(block.subarray(from, from + bytes));
      }
    }
  };
  await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, undo));
  return pieces;
}

interface Block {
  /** The head, then the pieces. */
  readonly parts: readonly Piece[];
  /** The length of each part in bytes. */
  readonly lengths: readonly number[];
  readonly bytes: number;
}

function blocksOf(pieces: readonly Piece[], headOf: HeadOf): Block[] {
  const lengths = pieces.map((piece) => Buffer.byteLength(piece));
  const blocks: Block[] = [];
  let from = 0;
  let bytes = 0;
  const close = (to: number) => {
    const head = headOf(from, to);
    blocks.push({
      parts: [head, ...pieces.slice(from, to)],
      lengths: [head.length, ...lengths.slice(from, to)],
      bytes: head.length + bytes,
    });
    from = to;
    bytes = 0;
  };
  lengths.forEach((length, i) => {
    if (i > from && bytes + length > BLOCK_BYTES) close(i);
    bytes += length;
  });
  close(pieces.length);
  return blocks;
}

function placesIn({ lengths: [head = 0, ...pieces] }: Block, place: Place): PiecePlace[] {
  let end = head;
  return pieces.map((bytes) => {
    end += bytes;
    return { ...place, from: end - bytes, bytes };
  });
}

/** Room for a block and its head; larger ones get memory of their own. */
const scratch = new Scratch(BLOCK_BYTES + 64 * 1024);

async function compressed(block: Block, codec: BlobCodec): Promise<Packed> {
  const room = scratch.take(block.bytes);
  const plain = joined(block, room);
  const packed = await compress(plain, codec);
  // What is not compressed is written as it stands: that room belongs to the writer now.
  if (packed.bytes !== plain) scratch.give(room);
  return packed;
}

function joined({ parts, lengths }: Block, room: Buffer): Uint8Array {
  let at = 0;
  parts.forEach((part, i) => {
    const length = lengths[i] as number;
    if (typeof part !== 'string') room.set(part, at);
    else room.write(part, at, length, length === part.length ? 'latin1' : 'utf8');
    at += length;
  });
  return room.subarray(0, at);
}

const zstdLater = hasZstd ? promisify(zlib.zstdCompress) : undefined;
const zstdBack = hasZstd ? promisify(zlib.zstdDecompress) : undefined;
const gzipLater = promisify(zlib.gzip);
const gzipBack = promisify(zlib.gunzip);

export async function compress(bytes: Uint8Array, codec: BlobCodec): Promise<Packed> {
  if (codec === 'none' || bytes.length < COMPRESS_FROM_BYTES) return { codec: 'none', bytes };
  if (codec === 'gzip' || zstdLater === undefined) {
    return { codec: 'gzip', bytes: await gzipLater(bytes, { level: 1, chunkSize: CHUNK_BYTES }) };
  }
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };
  return { codec, bytes: await zstdLater(bytes, { params, chunkSize: CHUNK_BYTES }) };
}

/** A way to the thread pool and back for each of these: the usual 16 KB are thirty to a block. */
const EXPANDED = { chunkSize: 256 * 1024 };

/** A block's plain bytes; rejects when they cannot be had. */
export async function expand({ codec, bytes }: Packed): Promise<Uint8Array> {
  if (codec === 'none') return bytes;
  if (codec === 'gzip') return gzipBack(bytes, EXPANDED);
  if (zstdBack !== undefined) return zstdBack(bytes, EXPANDED);
  throw new CrawlError(
    'E_BLOB_CODEC',
    `this was stored with ${codec}, which this Node ${process.version} lacks`,
    'read the crawl folder with Node 22.15 or later',
  );
}

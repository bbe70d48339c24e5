/**
 * Pieces taken out of the blocks that they share with others (G1): a block is written anew with
 * zeros where they were. The others stay where they are in it, so nothing that names them has
 * to change; zeros take no room once they are compressed.
 */
import type { BlobCodec } from '../../content/index.ts';
import { compress, expand, type PiecePlace } from './blocks.ts';
import type { Packs, Rewrite } from './pack.ts';

const NO_BYTES = new Uint8Array(0);
/** Blocks that are made safe together; what they take compressed is held in memory. */
const BLOCKS_AT_ONCE = 64;

/** `hide` takes out what the block says of a piece elsewhere: its hash in the head. */
export async function blankPieces(
  packs: Packs,
  places: readonly PiecePlace[],
  codec: BlobCodec,
  hide: (block: Buffer, piece: PiecePlace) => void = () => {},
): Promise<void> {
  let rewrites: Rewrite[] = [];
  for (const pieces of byBlock(places)) {
    const place = pieces[0] as PiecePlace;
    const block = Buffer.from(await expand(await packs.read(place)));
    if (pieces.every((piece) => isBlank(pieceIn(block, piece)))) continue;
    for (const piece of pieces) {
      pieceIn(block, piece).fill(0);
      hide(block, piece);
    }
    rewrites.push({ place, record: { ...(await compress(block, codec)), hash: NO_BYTES } });
    if (rewrites.length < BLOCKS_AT_ONCE) continue;
    await packs.rewrite(rewrites);
    rewrites = [];
  }
  await packs.rewrite(rewrites);
}

export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function pieceIn(block: Buffer, { from, bytes }: PiecePlace): Buffer {
  return block.subarray(from, from + bytes);
}

function byBlock(places: readonly PiecePlace[]): Iterable<PiecePlace[]> {
  const blocks = new Map<string, PiecePlace[]>();
  for (const place of places) {
    const name = `${place.file} ${place.at}`;
    const there = blocks.get(name);
    if (there === undefined) blocks.set(name, [place]);
    else there.push(place);
  }
  return blocks.values();
}

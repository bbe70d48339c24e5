/**
 * The head of a block of bodies: how many, and the hash and length of each. The index could
 * be rebuilt from it, if the LSM were lost.
 *
 *   count(4)   hash(32) length(4)   hash(32) length(4)   …   then the bodies
 */
import type { Body } from '../../ports/blob-store.ts';

export const COUNT_BYTES = 4;
const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + 4;

export interface BodySpot {
  readonly hash: Buffer;
  readonly from: number;
  readonly bytes: number;
}

export function encodeBodyHead(bodies: readonly Body[]): Buffer {
  const head = Buffer.allocUnsafe(COUNT_BYTES + bodies.length * ENTRY_BYTES);
  head.writeUInt32LE(bodies.length, 0);
  bodies.forEach(({ hash, bytes }, i) => {
    const at = COUNT_BYTES + i * ENTRY_BYTES;
    head.set(hash, at);
    head.writeUInt32LE(bytes.length, at + HASH_BYTES);
  });
  return head;
}

export function decodeBodyHead(block: Uint8Array): BodySpot[] {
  const head = Buffer.from(block.buffer, block.byteOffset, block.length);
  const count = head.readUInt32LE(0);
  let from = COUNT_BYTES + count * ENTRY_BYTES;
  return Array.from({ length: count }, (_, i) => {
    const at = COUNT_BYTES + i * ENTRY_BYTES;
    const bytes = head.readUInt32LE(at + HASH_BYTES);
    from += bytes;
    return { hash: head.subarray(at, at + HASH_BYTES), from: from - bytes, bytes };
  });
}

/** Takes the hash of a removed body out of the head; its length stays, the others lie behind it. */
export function hideBody(block: Buffer, piece: { readonly from: number }): void {
  const nth = decodeBodyHead(block).findIndex(({ from }) => from === piece.from);
  if (nth >= 0)
    block.fill(0, COUNT_BYTES + nth * ENTRY_BYTES, COUNT_BYTES + nth * ENTRY_BYTES + HASH_BYTES);
}

/**
 * A set of hashes in a few hundred bytes: has this one been here, and how many were there?
 *
 * One bit a hash. 'Was here' may be wrong as often as the bits are full; the count of different
 * hashes follows from how many bits are still empty (linear counting), within some per cent
 * until nearly all are set.
 */
import { assert } from '../base/assert.ts';

export class Bits {
  readonly bytes: Uint8Array;
  #set = 0;

  /** `size` is a power of two; `bytes` brings back what was kept. */
  constructor(size: number, bytes?: Uint8Array) {
    assert(size >= 8 && (size & (size - 1)) === 0, 'a set of bits has a power of two of them');
    const isKept = bytes !== undefined && bytes.length === size / 8;
    this.bytes = isKept ? Uint8Array.from(bytes) : new Uint8Array(size / 8);
    for (const byte of this.bytes) for (let b = byte; b !== 0; b &= b - 1) this.#set++;
  }

  get size(): number {
    return this.bytes.length * 8;
  }

  /** The share of bits that are set: how often `has` errs. */
  get fill(): number {
    return this.#set / this.size;
  }

  /** Roughly how many different hashes were added. */
  get count(): number {
    const empty = Math.max(1, this.size - this.#set);
    return Math.round(this.size * Math.log(this.size / empty));
  }

  has(hash: number): boolean {
    const at = hash & (this.size - 1);
    return ((this.bytes[at >>> 3] as number) & (1 << (at & 7))) !== 0;
  }

  add(hash: number): void {
    if (this.has(hash)) return;
    const at = hash & (this.size - 1);
    this.bytes[at >>> 3] = (this.bytes[at >>> 3] as number) | (1 << (at & 7));
    this.#set++;
  }

  clear(): void {
    this.bytes.fill(0);
    this.#set = 0;
  }
}

/** 32 bits of a text, evenly spread. */
export function hash32(text: string, from = 0, to = text.length): number {
  let h = 0x811c9dc5;
  for (let i = from; i < to; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Four bytes of what is a hash already. */
export function hashIn(bytes: Uint8Array, at: number): number {
  const b = (i: number) => bytes[at + i] ?? 0;
  return ((b(0) << 24) | (b(1) << 16) | (b(2) << 8) | b(3)) >>> 0;
}

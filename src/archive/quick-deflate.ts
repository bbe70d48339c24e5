/**
 * Deflate (RFC 1951) for bytes that are written while a crawl waits, by WebAssembly
 * (../../kernel/deflate/); any inflate reads it. What repeats nothing is better stored
 * (gzip-member.ts).
 *
 *   quickDeflate   fixed codes: less than half of the time of zlib's level 1, a quarter larger
 *   denseDeflate   codes of its own: about half of the time, a twentieth larger
 */
import { DEFLATE_CODE } from './deflate-code.ts';

/** What is used of it: TypeScript has these types with those of browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly INPUT_AT: { readonly value: number };
  fillTables(): void;
  deflate(length: number, out: number, isQuick: boolean): number;
}

const PAGE_BYTES = 1 << 16;
/** At least so many tokens are in every block but the last. */
const BLOCK_TOKENS = 16_000;
/** It reads and writes up to eight bytes at a time. */
const SPARE_BYTES = 64;
/** A larger memory is not kept for the next. */
const KEPT_BYTES_MAX = 16 << 20;

class Deflater {
  readonly #exports: Exports;
  #memory: Uint8Array;

  constructor() {
    code ??= new WebAssembly.Module(Buffer.from(DEFLATE_CODE, 'base64'));
    this.#exports = new WebAssembly.Instance(code).exports as Exports;
    this.#exports.fillTables();
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
  }

  get isLarge(): boolean {
    return this.#memory.length > KEPT_BYTES_MAX;
  }

  deflate(pieces: readonly Uint8Array[], isQuick: boolean): Uint8Array {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    let at = this.#exports.INPUT_AT.value;
    const out = at + length + SPARE_BYTES;
    this.#reach(out + bytesMax(length) + SPARE_BYTES);
    for (const piece of pieces) {
      this.#memory.set(piece, at);
      at += piece.length;
    }
    return this.#memory.subarray(out, this.#exports.deflate(length, out, isQuick));
  }

  #reach(end: number): void {
    const missing = end - this.#memory.length;
    if (missing <= 0) return;
    this.#exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
  }
}

let code: object | undefined;
let current: Deflater | undefined;

/** The most that so many bytes can become. */
function bytesMax(bytes: number): number {
  return Math.ceil((bytes * 9) / 8) + 2 * Math.ceil(bytes / BLOCK_TOKENS) + 8;
}

/** The pieces as one; overwritten by the next call. */
export function quickDeflate(pieces: readonly Uint8Array[]): Uint8Array {
  return deflater().deflate(pieces, true);
}

/** The same, a little later and smaller by a fifth. */
export function denseDeflate(pieces: readonly Uint8Array[]): Uint8Array {
  return deflater().deflate(pieces, false);
}

function deflater(): Deflater {
  if (current === undefined || current.isLarge) current = new Deflater();
  return current;
}

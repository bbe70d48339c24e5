/**
 * The kernel (../../kernel/): WebAssembly that reads a page's bytes, one instance a thread.
 *
 * It is code and memory and nothing else: compiled from text that is part of the sources, a few
 * milliseconds at the first page; whoever calls it puts bytes in, calls, and reads numbers out.
 * Nothing here waits, so a page is done with before the next one comes.
 *
 * Memory only grows, so after a huge page the whole instance is let go and made again. What was
 * handed out of it (views) keeps it alive as long as somebody holds it.
 */
import { KERNEL_CODE } from './kernel-code.ts';
import { MARKS_AT, RESULT_AT, ROWS_AT } from './kernel-layout.ts';
import { letterBlock } from './letters.ts';

/** What is used of it: TypeScript has these types with those of browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  print(from: number, length: number, marks: number): number;
}

const PAGE_BYTES = 1 << 16;
/** Behind whatever is read in steps of sixteen bytes. */
export const SPARE_BYTES = 64;
/** A larger one is not kept for the next page. */
const KEPT_BYTES_MAX = 16 << 20;

export class Kernel {
  readonly exports: Exports;
  /** The whole memory; made again when it grows. */
  bytes: Buffer;
  ints: Int32Array;

  constructor() {
    const host = { fillLetters: (nth: number, block: number) => this.#fillLetters(nth, block) };
    const instance = new WebAssembly.Instance(compiled(), { host });
    this.exports = instance.exports as Exports;
    const { buffer } = this.exports.memory;
    this.bytes = Buffer.from(buffer);
    this.ints = new Int32Array(buffer);
  }

  /** Makes sure that memory reaches so far. Throws when there is no more to be had. */
  reach(end: number): void {
    const missing = end + SPARE_BYTES - this.bytes.length;
    if (missing <= 0) return;
    this.exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.bytes = Buffer.from(this.exports.memory.buffer);
    this.ints = new Int32Array(this.exports.memory.buffer);
  }

  /** Where these words are; they are copied in unless they came out of here. */
  place(words: Uint8Array): number {
    if (words.buffer === this.bytes.buffer) return words.byteOffset;
    this.reach(ROWS_AT + words.length);
    this.bytes.set(words, ROWS_AT);
    return ROWS_AT;
  }

  placeMarks(marks: ArrayLike<number>): void {
    const isHere = marks instanceof Int32Array && marks.buffer === this.bytes.buffer;
    if (!isHere) this.ints.set(marks, MARKS_AT >> 2);
  }

  /** One of the numbers of 64 bits that a call has left. */
  result(nth: number): bigint {
    return this.bytes.readBigUInt64LE(RESULT_AT + 8 * nth);
  }

  #fillLetters(nth: number, block: number): void {
    this.ints.set(letterBlock(nth), block >> 2);
  }
}

let code: object | undefined;
let current: Kernel | undefined;

function compiled(): object {
  code ??= new WebAssembly.Module(Buffer.from(KERNEL_CODE, 'base64'));
  return code;
}

/** This thread's. */
export function theKernel(): Kernel {
  if (current === undefined || current.bytes.length > KEPT_BYTES_MAX) current = new Kernel();
  return current;
}

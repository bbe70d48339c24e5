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
import { MARKS_AT, REFERENCE_AT, RESULT_AT, ROWS_AT } from './kernel-layout.ts';
import { fillTables } from './kernel-tables.ts';
import { letterBlock } from './letters.ts';
import { referenceAt } from './references.ts';
import { hasSharedName } from './shared-divs.ts';

/** What is used of it: TypeScript has these types with those of browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Both fingerprints of words; how many were counted. */
  print(from: number, length: number, marks: number): number;
  /** Links, title and words of a page (scanner.ts). */
  scan(
    from: number,
    to: number,
    wordsAt: number,
    textBytesMax: number,
    linksMax: number,
    options: number,
  ): void;
  /** Hrefs that are known (known-hrefs.ts). */
  setFolder(folder: number, site: number, siteBytes: number, bytes: number): void;
  lookUpHref(from: number, to: number): number;
  keepHref(from: number, end: number): number;
  /** Up to fifteen bytes too many; answers where they end. */
  copyBytes(from: number, to: number, out: number): number;
  /** Attribute by attribute, as a scan reads them: where each ends, 0 when there are no more. */
  nextAttribute(from: number): number;
  setPageEnd(end: number): void;
  readonly nameFrom: { readonly value: number };
  readonly nameTo: { readonly value: number };
  readonly attributeFrom: { readonly value: number };
  readonly attributeTo: { readonly value: number };
}

const PAGE_BYTES = 1 << 16;
/** Behind whatever is read in steps of sixteen bytes. */
export const SPARE_BYTES = 64;
/** A larger one is not kept for the next page. */
const KEPT_BYTES_MAX = 32 << 20;

export class Kernel {
  readonly exports: Exports;
  /** The whole memory; made again when it grows. */
  bytes: Buffer;
  ints: Int32Array;

  /** Told of tags that say something of the page; answers whether the tag counts. */
  onTag: (tag: number, isQuiet: boolean) => boolean = () => false;

  constructor() {
    const host = {
      fillLetters: (nth: number, block: number) => this.ints.set(letterBlock(nth), block >> 2),
      readReference: (at: number, to: number) => this.#readReference(at, to),
      noteTag: (tag: number, isQuiet: number) => (this.onTag(tag, isQuiet !== 0) ? 1 : 0),
      isSharedDiv: (from: number, to: number) =>
        hasSharedName(this.bytes.toString('latin1', from, to)) ? 1 : 0,
    };
    const instance = new WebAssembly.Instance(compiled(), { host });
    this.exports = instance.exports as Exports;
    const { buffer } = this.exports.memory;
    this.bytes = Buffer.from(buffer);
    this.ints = new Int32Array(buffer);
    fillTables(this.bytes);
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

  /** Leaves what it stands for; answers how long it is, 0 for an ampersand that is only one. */
  #readReference(at: number, to: number): number {
    const { text, length } = referenceAt(this.bytes, at, to);
    if (length === 0) return 0;
    this.ints[REFERENCE_AT >> 2] = text.charCodeAt(0);
    this.ints[(REFERENCE_AT >> 2) + 1] = this.bytes.write(text, REFERENCE_AT + 8, 'utf8');
    return length;
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

/**
 * Walks through a pack file record by record, without an index.
 *
 * Where no whole record starts, the next one is searched for by its magic; what lies between
 * is reported as a gap. So one damaged record costs itself and nothing behind it.
 */
import { decodeRecord, HEAD_BYTES, lengthAt, MAGIC, type PackRecord } from './pack-record.ts';
import type { Segments, Spot } from './segments.ts';

export interface Scanned {
  readonly place: { readonly file: number; readonly at: number; readonly length: number };
  /** Undefined for a gap: bytes that are no whole record. */
  readonly record: PackRecord | undefined;
}

const WINDOW_BYTES = 4 * 1024 * 1024;

export async function* scanRecords(segments: Segments, from: Spot): AsyncIterable<Scanned> {
  const { file } = from;
  const window = new Window(segments, file);
  let gapFrom = from.at;
  let at = from.at;
  while (at < window.end) {
    const bytes = await window.recordAt(at);
    const record = bytes && decodeRecord(bytes, at);
    if (bytes === undefined || typeof record !== 'object') {
      at = await window.nextMagic(at + 1);
      continue;
    }
    if (gapFrom < at) yield gap(file, gapFrom, at);
    yield { place: { file, at, length: bytes.length }, record };
    at += bytes.length;
    gapFrom = at;
  }
  if (gapFrom < window.end) yield gap(file, gapFrom, window.end);
}

function gap(file: number, at: number, end: number): Scanned {
  return { place: { file, at, length: end - at }, record: undefined };
}

/** A part of the file in memory, moved forward as needed; a longer record is read whole. */
class Window {
  readonly #segments: Segments;
  readonly #file: number;
  readonly end: number;
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;

  constructor(segments: Segments, file: number) {
    this.#segments = segments;
    this.#file = file;
    this.end = segments.sizeOf(file);
  }

  /** The bytes of the record that starts here, unchecked; undefined when none can. */
  async recordAt(at: number): Promise<Buffer | undefined> {
    await this.#cover(at, HEAD_BYTES);
    const length = lengthAt(this.#bytes, at - this.#from, at);
    if (length === 0 || at + length > this.end) return undefined;
    await this.#cover(at, length);
    return this.#bytes.subarray(at - this.#from, at - this.#from + length);
  }

  async nextMagic(after: number): Promise<number> {
    for (let at = after; at < this.end; at = this.#from + this.#bytes.length - MAGIC.length + 1) {
      await this.#cover(at, MAGIC.length);
      const found = this.#bytes.indexOf(MAGIC, at - this.#from);
      if (found >= 0) return this.#from + found;
      if (this.#from + this.#bytes.length >= this.end) break;
    }
    return this.end;
  }

  async #cover(at: number, length: number): Promise<void> {
    const until = Math.min(this.end, at + length);
    if (at >= this.#from && until <= this.#from + this.#bytes.length) return;
    const bytes = Math.max(until - at, Math.min(WINDOW_BYTES, this.end - at));
    this.#bytes = await this.#segments.read({ file: this.#file, at }, bytes);
    this.#from = at;
  }
}

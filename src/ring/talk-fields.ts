/**
 * Fields of what nodes say about arcs, as bytes. A reader of these is nobody's friend: each number has
 * a range and each list a limit, and what is outside throws RangeError, which talk.ts turns into
 * "this is no message".
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { BODY_BYTES_MAX, type Charter, type Entry, type NodeId, type Stamp } from './arc-log.ts';
import { POSITION_BYTES, type Position, positionBytes, positionFrom } from './id.ts';

export const BUCKETS_MAX = 1_024;
/** 2K − 1 seats and one that is coming or going, for the largest K. */
export const SEATS_MAX = 32;
export const ENTRIES_MAX = 1_000;
const ARCS = 64;

export class FieldWriter {
  readonly #to = new ByteWriter();

  byte(value: number): this {
    this.#to.byte(value);
    return this;
  }

  varint(value: number): this {
    this.#to.varint(value);
    return this;
  }

  float(value: number): this {
    this.#to.float(value);
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.#to.raw(bytes);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#to.bytes(bytes);
    return this;
  }

  take(): Uint8Array {
    return this.#to.take();
  }

  flag(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  /** Whole and at least −1. */
  atLeast(value: number): this {
    return this.varint(value + 1);
  }

  place(place: Position): this {
    return this.raw(positionBytes(place));
  }

  stamp({ epoch, index }: Stamp): this {
    return this.varint(epoch).varint(index);
  }

  charter({ at, seats }: Charter): this {
    this.stamp(at).varint(seats.length);
    for (const seat of seats) this.place(seat);
    return this;
  }

  entries(entries: readonly Entry[]): this {
    this.varint(entries.length);
    for (const { charter, body } of entries) {
      this.flag(charter !== undefined);
      if (charter !== undefined) this.charter(charter);
      else this.bytes(body as Uint8Array);
    }
    return this;
  }

  numbers(numbers: readonly number[]): this {
    this.varint(numbers.length);
    for (const one of numbers) this.varint(one);
    return this;
  }

  sums(sums: readonly number[]): this {
    this.varint(sums.length);
    for (const sum of sums) this.float(sum);
    return this;
  }
}

export class FieldReader {
  readonly #from: ByteReader;

  constructor(bytes: Uint8Array, at: number) {
    this.#from = new ByteReader(bytes, at);
  }

  get done(): boolean {
    return this.#from.done;
  }

  byte(): number {
    return this.#from.byte();
  }

  /** A whole number from 0 up to and with `max`. */
  upTo(max: number): number {
    const value = this.#from.varint();
    if (!(value <= max)) throw new RangeError(`${value} is more than ${max}`);
    return value;
  }

  whole(): number {
    return this.upTo(Number.MAX_SAFE_INTEGER - 1);
  }

  atLeast(): number {
    return this.whole() - 1;
  }

  arc(): number {
    return this.upTo(ARCS - 1);
  }

  flag(): boolean {
    const byte = this.#from.byte();
    if (byte > 1) throw new RangeError('no yes and no no');
    return byte === 1;
  }

  number(): number {
    const value = this.#from.float();
    if (!Number.isFinite(value)) throw new RangeError('no number');
    return value;
  }

  place(): NodeId {
    return positionFrom(this.#from.raw(POSITION_BYTES));
  }

  stamp(): Stamp {
    return { epoch: this.whole(), index: this.whole() };
  }

  charter(): Charter {
    const at = this.stamp();
    const seats = this.#list(SEATS_MAX, () => this.place());
    if (new Set(seats).size !== seats.length) throw new RangeError('a seat twice');
    return { at, seats };
  }

  /** Those after an index, without holes. */
  entries(after: number): Entry[] {
    let index = after;
    return this.#list(ENTRIES_MAX, () => {
      index++;
      if (this.flag()) return { index, charter: this.charter() };
      return { index, body: this.blob(BODY_BYTES_MAX) };
    });
  }

  numbers(max: number): number[] {
    return this.#list(max, () => this.upTo(max - 1));
  }

  sums(): number[] {
    return this.#list(BUCKETS_MAX, () => this.number());
  }

  blob(max: number): Uint8Array {
    return this.#from.raw(this.upTo(max));
  }

  #list<T>(max: number, one: () => T): T[] {
    return Array.from({ length: this.upTo(max) }, one);
  }
}

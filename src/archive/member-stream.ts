/**
 * Members out of a file that is read in pieces: each is told when it is whole. Where the file is
 * torn or broken the stream ends, and `end` says how far it was good.
 */
import { memberAt } from './gzip-member.ts';

export interface FoundMember {
  readonly at: number;
  readonly length: number;
  /** The record. */
  readonly bytes: Buffer;
  /** The member itself, as it stands in the file. */
  readonly raw: Buffer;
}

const NONE = Buffer.alloc(0);

export class MemberStream {
  /** What is wrong behind `end`; undefined while nothing is. */
  fault: string | undefined;
  #kept: Buffer = NONE;
  /** What came since; joined only when it may complete a member. */
  #more: Uint8Array[] = [];
  #moreBytes = 0;
  #end: number;
  #wanted = 1;

  constructor(from = 0) {
    this.#end = from;
  }

  /** Where the last whole member ends. */
  get end(): number {
    return this.#end;
  }

  *feed(piece: Uint8Array): Iterable<FoundMember> {
    if (this.fault !== undefined) return;
    this.#more.push(piece);
    this.#moreBytes += piece.length;
    // A large member is looked at when twice as much of it is there, not with every piece.
    if (this.#kept.length + this.#moreBytes >= this.#wanted) yield* this.#whole();
  }

  /** Nothing follows: what could be whole is. */
  *last(): Iterable<FoundMember> {
    if (this.fault === undefined) yield* this.#whole();
    if (this.#kept.length > 0) this.fault ??= 'its last record is cut';
  }

  *#whole(): Iterable<FoundMember> {
    let from = 0;
    this.#wanted = 1;
    this.#kept = Buffer.concat([this.#kept, ...this.#more]);
    this.#more = [];
    this.#moreBytes = 0;
    while (from < this.#kept.length) {
      const member = memberAt(this.#kept, from);
      if (member.kind !== 'whole') {
        if (member.kind === 'torn') this.#wanted = 2 * (this.#kept.length - from);
        else this.fault = member.what;
        break;
      }
      const { length, bytes } = member;
      const raw = this.#kept.subarray(from, from + length);
      yield { at: this.#end, length, bytes, raw };
      this.#end += member.length;
      from += member.length;
    }
    this.#kept = this.#kept.subarray(from);
  }
}

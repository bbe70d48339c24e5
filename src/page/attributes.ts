/**
 * What stands between a tag's name and its `>`.
 *
 * `skipAttributes` only finds the end, for the many tags that say nothing about links.
 * `AttributeReader` also notes where the values are, as offsets: a value becomes a string when
 * someone wants it. Both follow the tokenizer's states, so a `>` in quotes doesn't end a tag,
 * a quote in an unquoted value is a character, and the first of two equal names wins.
 */
import { attributeText } from './attribute-text.ts';
import {
  APOSTROPHE,
  CLASS,
  ENDS_ATTRIBUTE_NAME,
  EQUALS,
  GREATER,
  IS_SPACE,
  indexOfByte,
  QUOTE,
  SLASH,
} from './bytes.ts';

/** Past the `>`, or -1 when the input ends inside the tag: such a tag does not exist. */
export function skipAttributes(bytes: Buffer, from: number): number {
  const end = bytes.length;
  let at = from;
  let named = false;
  while (at < end) {
    const byte = bytes[at++] as number;
    if (byte === GREATER) return at;
    if (byte > GREATER) named = true;
    else if (byte === EQUALS && named) {
      at = skipValue(bytes, at);
      named = false;
    } else if (byte === SLASH) named = false;
    else if (((CLASS[byte] as number) & IS_SPACE) === 0) named = true;
  }
  return -1;
}

/** Past the value that follows an `=`; at the `>` when there is none. */
function skipValue(bytes: Buffer, from: number): number {
  const end = bytes.length;
  let at = from;
  while (at < end && (CLASS[bytes[at] as number] as number) & IS_SPACE) at++;
  const first = bytes[at];
  if (first === QUOTE || first === APOSTROPHE) {
    return indexOfByte(bytes, first, at + 1) + 1;
  }
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === GREATER || (CLASS[byte] as number) & IS_SPACE) break;
    at++;
  }
  return at;
}

/** The attributes that mean something to us; a slot number each. */
export const ATTRIBUTE = {
  href: 0,
  rel: 1,
  src: 2,
  name: 3,
  content: 4,
  httpEquiv: 5,
  lang: 6,
  action: 7,
  method: 8,
  xlinkHref: 9,
  encoding: 10,
} as const;

const NAMES = [
  ...['href', 'rel', 'src', 'name', 'content', 'http-equiv', 'lang', 'action', 'method'],
  ...['xlink:href', 'encoding'],
];
/** Length and first letter tell our names apart, so one comparison is enough. */
const SLOT_OF_SHAPE = new Int8Array(512).fill(-1);
for (const [slot, name] of NAMES.entries()) {
  SLOT_OF_SHAPE[shape(name.length, name.charCodeAt(0))] = slot;
}

function shape(length: number, first: number): number {
  return ((length & 15) << 5) | (first & 31);
}

export class AttributeReader {
  readonly #bytes: Buffer;
  readonly #slots = new Int32Array(NAMES.length * 2).fill(-1);
  #used = false;
  #at = 0;
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  selfClosing = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads a whole tag; answers as `skipAttributes` does. */
  read(from: number): number {
    if (this.#used) this.#slots.fill(-1);
    this.#used = false;
    this.#at = from;
    while (this.next()) this.#keep();
    return this.#at;
  }

  /** An attribute's text, or nothing when the tag that was read doesn't have it. */
  value(slot: number): string | undefined {
    const from = this.from(slot);
    return from < 0 ? undefined : attributeText(this.#bytes, from, this.to(slot));
  }

  /** Where an attribute's value starts, or -1 when the tag that was read doesn't have it. */
  from(slot: number): number {
    return this.#slots[slot * 2] as number;
  }

  to(slot: number): number {
    return this.#slots[slot * 2 + 1] as number;
  }

  /** Begins at the end of a tag's name, for `next`. */
  begin(from: number): void {
    this.#at = from;
  }

  /** Moves to the next attribute; false at the end of the tag. */
  next(): boolean {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.#at;
    let byte = 0;
    for (; at < end; at++) {
      byte = bytes[at] as number;
      if (byte !== SLASH && ((CLASS[byte] as number) & IS_SPACE) === 0) break;
    }
    if (at >= end) return this.#finish(-1, false);
    if (byte === GREATER) return this.#finish(at + 1, at > this.#at && bytes[at - 1] === SLASH);
    this.nameStart = at++;
    while (at < end && ((CLASS[bytes[at] as number] as number) & ENDS_ATTRIBUTE_NAME) === 0) at++;
    this.nameEnd = at;
    return this.#value(at);
  }

  #value(from: number): boolean {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = from;
    while (at < end && (CLASS[bytes[at] as number] as number) & IS_SPACE) at++;
    this.valueStart = this.valueEnd = at;
    if (bytes[at] !== EQUALS) {
      this.#at = at;
      return true;
    }
    at++;
    while (at < end && (CLASS[bytes[at] as number] as number) & IS_SPACE) at++;
    const quoted = bytes[at] === QUOTE || bytes[at] === APOSTROPHE;
    const past = skipValue(bytes, at);
    this.valueStart = quoted ? at + 1 : at;
    this.valueEnd = quoted ? past - 1 : past;
    this.#at = past;
    return past <= end || this.#finish(-1, false);
  }

  #finish(at: number, selfClosing: boolean): boolean {
    this.#at = at;
    this.selfClosing = selfClosing;
    return false;
  }

  #keep(): void {
    const length = this.nameEnd - this.nameStart;
    const slot = SLOT_OF_SHAPE[shape(length, this.#bytes[this.nameStart] as number)] as number;
    if (slot < 0 || this.#slots[slot * 2] !== -1) return;
    const name = NAMES[slot] as string;
    if (name.length !== length) return;
    for (let i = 0; i < length; i++) {
      if (((this.#bytes[this.nameStart + i] as number) | 0x20) !== name.charCodeAt(i)) return;
    }
    this.#slots[slot * 2] = this.valueStart;
    this.#slots[slot * 2 + 1] = this.valueEnd;
    this.#used = true;
  }
}

/**
 * The words of a page, gathered as UTF-8 bytes with single spaces between them.
 *
 * Bytes and not a string: one pass copies each byte once, links and title are ranges of the
 * same buffer, and a fingerprint can read words from it without decoding.
 *
 * What separates words: white space, and tags, except that letters on both sides of an inline
 * tag are one word (`<b>W</b>ord`). So every word is whole, though punctuation after a tag
 * stands apart.
 *
 * Marks say whose words they are: the page's own, those of a link, or those of a part that all
 * pages of the site share. Links and shared parts say where a page stands, not what it says.
 */
import { AMPERSAND, CLASS, IS_SPACE, IS_WORD, indexOfByte, LESS, SPACE } from './bytes.ts';
import { type Reference, referenceAt } from './references.ts';
import { GAP_NONE, GAP_WORDS } from './tags.ts';

/** Bits. `text` is what the page itself marks as its text: `main` and `article`. */
export const VOICE = { own: 0, link: 1, shared: 2, text: 4 } as const;
const VOICE_BITS = 3;
/** Kept of one page; what comes after counts as the last one marked. */
const MARKS_MAX = 1 << 16;

/** Words as they were gathered. Valid until the next page is scanned. */
export interface Words {
  readonly bytes: Buffer;
  /** Pairs in one number (`markAt`, `voiceOf`), in the order of the text. */
  readonly marks: ArrayLike<number>;
}

export function markAt(mark: number): number {
  return mark >>> VOICE_BITS;
}

export function voiceOf(mark: number): number {
  return mark & ((1 << VOICE_BITS) - 1);
}

/** What is written for a byte of the page: white space is one space; 0 is looked at closely. */
const AS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ((CLASS[byte] as number) & IS_SPACE) return SPACE;
  return byte < SPACE || byte === AMPERSAND ? 0 : byte;
});

/** The same up to the next tag. */
const UP_TO_TAG = AS_TEXT.map((byte) => (byte === LESS ? 0 : byte));

const KEPT_BYTES_MAX = 1 << 20;
/** One scan at a time uses it (scanning never waits), so that a page need not allocate one. */
let spare: Buffer | undefined;

export class TextBuffer {
  #out: Buffer;
  #length = 0;
  #gap: number = GAP_NONE;
  #voice: number = VOICE.own;
  readonly #marks: number[] = [];
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#out = spare ?? Buffer.allocUnsafe(1 << 16);
    spare = undefined;
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  get full(): boolean {
    return this.#length >= this.#bytesMax;
  }

  /** What has come since the last word: the widest gap counts. */
  widenGap(gap: number): void {
    if (gap > this.#gap) this.#gap = gap;
  }

  /** Whose words come from here on. */
  speakAs(voice: number): void {
    if (voice === this.#voice || this.#marks.length >= MARKS_MAX) return;
    this.#voice = voice;
    this.#marks.push((this.#length << VOICE_BITS) | voice);
  }

  get marks(): readonly number[] {
    return this.#marks;
  }

  /** Adds text as it stands in the page. */
  add(bytes: Buffer, from: number, to: number, references: boolean): void {
    if (!this.full) this.#copy(bytes, from, to, references, AS_TEXT);
  }

  /** The same from here to the next tag, or to the end of the page; answers where that is. */
  addToTag(bytes: Buffer, from: number): number {
    const isLarge = bytes.length - from > KEPT_BYTES_MAX;
    const to = isLarge || this.full ? indexOfByte(bytes, LESS, from) : bytes.length;
    return this.full ? to : this.#copy(bytes, from, to, true, UP_TO_TAG);
  }

  /**
   * Words end where nobody can foretell, so the inner loop does not ask: it writes every byte,
   * and a space behind a space is written over.
   */
  #copy(bytes: Buffer, from: number, to: number, references: boolean, written: Uint8Array): number {
    this.#reserve(2 * (to - from) + 8);
    const out = this.#out;
    let length = this.#length;
    let at = from;
    while (at < to) {
      let byte = written[bytes[at] as number] as number;
      if (byte === SPACE) {
        this.#gap = GAP_WORDS;
        at++;
        continue;
      }
      if (byte === 0) {
        if (bytes[at] === LESS) break;
        this.#length = length;
        at += this.#addOdd(bytes[at] as number, bytes, at, to, references);
        length = this.#length;
        continue;
      }
      if (this.#gap !== GAP_NONE) {
        if (length > 0 && (this.#gap === GAP_WORDS || !joins(out[length - 1] as number, byte))) {
          out[length++] = SPACE;
        }
        this.#gap = GAP_NONE;
      }
      let before = 0;
      do {
        out[length] = byte;
        length += -((byte ^ SPACE) | (before ^ SPACE)) >>> 31;
        before = byte;
        if (++at === to) break;
        byte = written[bytes[at] as number] as number;
      } while (byte !== 0);
      if (before === SPACE) {
        length--;
        this.#gap = GAP_WORDS;
      }
    }
    this.#length = length;
    return at;
  }

  /** White space, a reference, or a control character. Answers how many bytes that was. */
  #addOdd(byte: number, bytes: Buffer, at: number, to: number, references: boolean): number {
    if ((CLASS[byte] as number) & IS_SPACE) {
      this.#gap = GAP_WORDS;
      return 1;
    }
    if (byte === 0) return 1;
    const reference = references && byte === AMPERSAND && readAt(bytes, at, to);
    if (!reference || reference.length === 0) {
      this.#addText(String.fromCharCode(byte));
      return 1;
    }
    this.#addText(reference.text);
    return reference.length;
  }

  #addText(text: string): void {
    const code = text.charCodeAt(0);
    if (code <= SPACE && (CLASS[code] as number) & IS_SPACE) {
      this.#gap = GAP_WORDS;
      return;
    }
    const last = this.#out[this.#length - 1] ?? SPACE;
    const apart = this.#gap === GAP_WORDS || !joins(last, Math.min(code, 0xff));
    if (this.#gap !== GAP_NONE && apart && this.#length > 0) this.#out[this.#length++] = SPACE;
    this.#gap = GAP_NONE;
    if (text.length > 1) this.#length += this.#out.write(text, this.#length, 'utf8');
    else if (code < 0x80) this.#out[this.#length++] = code;
    else if (code < 0x800) {
      this.#out[this.#length++] = 0xc0 | (code >> 6);
      this.#out[this.#length++] = 0x80 | (code & 0x3f);
    } else this.#length += this.#out.write(text, this.#length, 'utf8');
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }

  /** Hands the bytes out and is empty and unusable after; they are valid until the next page. */
  finish(): Buffer {
    let end = Math.min(this.#length, this.#bytesMax);
    if (end < this.#length) while (end > 0 && ((this.#out[end] as number) & 0xc0) === 0x80) end--;
    if (this.#out.length <= KEPT_BYTES_MAX) spare = this.#out;
    return this.#out.subarray(0, end);
  }
}

/** Half of all references are one: known by its bytes it costs a tenth. */
const NBSP = { text: '\u00a0', length: 6 };

function readAt(bytes: Buffer, at: number, to: number): Reference {
  const isNbsp =
    at + NBSP.length <= to &&
    bytes[at + 1] === 0x6e &&
    bytes[at + 2] === 0x62 &&
    bytes[at + 3] === 0x73 &&
    bytes[at + 4] === 0x70 &&
    bytes[at + 5] === 0x3b;
  return isNbsp ? NBSP : referenceAt(bytes, at, to);
}

function joins(before: number, after: number): boolean {
  return ((CLASS[before] as number) & (CLASS[after] as number) & IS_WORD) !== 0;
}

/**
 * Attribute values as strings.
 *
 * Nearly all are plain ASCII without references, and then a value is a cut of the page's
 * one-byte string, which costs no copy. Such a cut keeps the page's string alive: whoever
 * keeps a URL for long (one that was canonical as written is still a cut) should copy it.
 */
import { CLASS, IS_HIGH, NEEDS_DECODING } from './bytes.ts';
import { decodeAttribute } from './references.ts';

export class AttributeText {
  readonly #bytes: Buffer;
  readonly #latin: string;
  /** ASCII without CR and NUL: only references are left to look for. */
  readonly #plain: boolean;

  constructor(bytes: Buffer, latin: string, ascii: boolean) {
    this.#bytes = bytes;
    this.#latin = latin;
    this.#plain = ascii && !latin.includes('\r') && !latin.includes('\0');
  }

  between(from: number, to: number): string {
    if (!this.#plain) return this.#decoded(from, to);
    const text = this.#latin.slice(from, to);
    return text.includes('&') ? decodeAttribute(text) : text;
  }

  #decoded(from: number, to: number): string {
    const bytes = this.#bytes;
    let found = 0;
    for (let at = from; at < to; at++) found |= CLASS[bytes[at] as number] as number;
    const text = found & IS_HIGH ? bytes.toString('utf8', from, to) : this.#latin.slice(from, to);
    if ((found & NEEDS_DECODING) === 0) return text;
    return decodeAttribute(text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'));
  }
}

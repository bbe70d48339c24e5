/**
 * Waiting URLs as strings, for the many that a host's window keeps in memory: a string of bytes
 * takes a third of the room of the object, and is read without a buffer in between.
 *
 *   rank(4) hash(16) row, whose URL is without scheme and host
 *
 * Two of one host compare as they wait: by rank, then by hash. What all URLs of a host have in
 * common is kept once, by who keeps the strings: its name, and its place on the circle.
 */
import { ByteWriter } from '../base/bytes.ts';
import { smallBytes, URL_HASH_BYTES, URL_KEY_BYTES, type UrlKey } from './keys.ts';
import { type RowReader, readRow, SPARE, type Waiting, writeRow } from './waiting.ts';

/** The scheme: the only part of the origin that the host does not say. */
const SECURE = SPARE;
const HASH_AT = 4;
const PLACE_BYTES = HASH_AT + URL_HASH_BYTES;
const writer = new ByteWriter();

export function packWaiting(w: Waiting, host: string): string {
  const secure = w.url.startsWith('https');
  const path = w.url.slice((secure ? 8 : 7) + host.length);
  writer.byte(w.rank >>> 24).byte((w.rank >>> 16) & 0xff);
  writer.byte((w.rank >>> 8) & 0xff).byte(w.rank & 0xff);
  writeRow(writer.from(w.key, 8), w, path, secure ? SECURE : 0);
  return writer.takeLatin1();
}

/** `place` is that of the host: the first eight bytes of the keys of its URLs. */
export function unpackWaiting(packed: string, host: string, place: string): Waiting {
  const secure = (packed.charCodeAt(PLACE_BYTES) & SECURE) !== 0;
  const origin = `${secure ? 'https' : 'http'}://${host}`;
  const reader = new PackedReader(packed, PLACE_BYTES, origin);
  return readRow(reader, packedKey(packed, place), rankInPacked(packed));
}

export function rankInPacked(packed: string): number {
  const high = (packed.charCodeAt(0) << 8) | packed.charCodeAt(1);
  return high * 65_536 + ((packed.charCodeAt(2) << 8) | packed.charCodeAt(3));
}

/** Rank and hash: what makes two packed URLs the same. */
export function placeInPacked(packed: string): string {
  return packed.slice(0, PLACE_BYTES);
}

export function packedKey(packed: string, place: string): UrlKey {
  const key = smallBytes(URL_KEY_BYTES);
  for (let i = 0; i < 8; i++) key[i] = place.charCodeAt(i);
  for (let i = 0; i < URL_HASH_BYTES; i++) key[8 + i] = packed.charCodeAt(HASH_AT + i);
  return key;
}

class PackedReader implements RowReader {
  readonly #packed: string;
  readonly #origin: string;
  #at: number;

  constructor(packed: string, at: number, origin: string) {
    this.#packed = packed;
    this.#at = at;
    this.#origin = origin;
  }

  byte(): number {
    return this.#packed.charCodeAt(this.#at++);
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (!(byte >= 0x80)) return value;
    }
  }

  copyTo(target: Uint8Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) target[at + i] = this.byte();
  }

  /** The path and its origin. Canonical URLs are ASCII; if one were not, it is UTF-8 here. */
  text(): string {
    const length = this.varint();
    const path = this.#packed.slice(this.#at, this.#at + length);
    this.#at += length;
    return this.#origin + (isAscii(path) ? path : Buffer.from(path, 'latin1').toString());
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false;
  return true;
}

/**
 * Fixed-length names: `url_hash` for a URL (U2), a point on the circle for a host (U3).
 *
 * The circle has 2^64 points and is cut into n equal arcs, so the arc of a host is the top
 * bits of its key. Only the host name counts, never the port or the path: all that is known
 * about a host lives in one arc.
 *
 * Digests leave node:crypto as text of one character a byte, because asking it for a Buffer
 * costs three times as much as the hashing.
 */
import { hash } from 'node:crypto';
import { assert } from '../base/index.ts';

export const URL_HASH_BYTES = 32;
export const HOST_KEY_BYTES = 8;
export const ARCS_MAX = 65_536;

const PREFIX = 'sha256:';
const WRITTEN = /^sha256:[0-9a-f]{64}$/i;

/** SHA-256 of the canonical URL. */
export function urlHash(url: string): Uint8Array {
  const bytes = new Uint8Array(URL_HASH_BYTES);
  writeDigest(url, bytes, 0, URL_HASH_BYTES);
  return bytes;
}

/** The same into a larger array, for many URLs without an object for each. */
export function writeUrlHash(
  url: string,
  target: Uint8Array,
  at: number,
  count = URL_HASH_BYTES,
): void {
  writeDigest(url, target, at, count);
}

function writeDigest(text: string, target: Uint8Array, at: number, count: number): void {
  const digest = hash('sha256', text, 'binary');
  for (let index = 0; index < count; index++) target[at + index] = digest.charCodeAt(index);
}

/** As the API writes it: `sha256:` and 64 lower-case hex digits. */
export function formatUrlHash(urlHash: Uint8Array): string {
  assert(urlHash.length === URL_HASH_BYTES, 'a URL hash has 32 bytes');
  return PREFIX + Buffer.from(urlHash.buffer, urlHash.byteOffset, URL_HASH_BYTES).toString('hex');
}

/** That of a URL, without its bytes in between. */
export function writtenUrlHash(url: string): string {
  return PREFIX + hash('sha256', url, 'hex');
}

/** The bytes of a written hash; undefined when the text is not one. */
export function parseUrlHash(text: string): Uint8Array | undefined {
  if (!WRITTEN.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text.slice(PREFIX.length), 'hex'));
}

/** Where a host stands on the circle: the first 8 bytes of SHA-256 of its name. */
export function hostKey(hostname: string): Uint8Array {
  const key = new Uint8Array(HOST_KEY_BYTES);
  writeDigest(hostname, key, 0, HOST_KEY_BYTES);
  return key;
}

/** Which of `arcs` equal ranges of the circle holds this key; `arcs` is a power of two. */
export function arcOf(key: Uint8Array, arcs = 64): number {
  assert(arcs >= 1 && arcs <= ARCS_MAX && (arcs & (arcs - 1)) === 0, 'arcs: a power of two');
  assert(key.length >= 2, 'a host key has 8 bytes');
  return ((key[0]! << 8) | key[1]!) >>> (Math.clz32(arcs) - 15);
}

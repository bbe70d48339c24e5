/**
 * Keys: where a URL and a host stand on the circle.
 *
 *   url key   hostKey(8) + first 16 bytes of url_hash      one URL
 *   host key  hostKey(8) + port(2)                         one host; port 0 is the scheme's own
 *
 * Both start with the arc position, so an arc is a range of either.
 */
import { hostKey, hostOf, writeUrlHash } from '../url/index.ts';

export const HOST_KEY_BYTES = 10;
export const URL_HASH_BYTES = 16;
export const URL_KEY_BYTES = 8 + URL_HASH_BYTES;

export type UrlKey = Buffer;
export type HostKey = Buffer;

/** Hosts whose keys are remembered: a crawl asks for the same few again and again. */
const REMEMBERED_MAX = 10_000;
const remembered = new Map<string, HostKey>();

/** The key of the host of a canonical URL, from its `host` (name with port). Not to be changed. */
export function hostKeyOf(host: string): HostKey {
  const known = remembered.get(host);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const key = makeHostKey(host);
  remembered.set(host, key);
  return key;
}

function makeHostKey(host: string): HostKey {
  const key = smallBytes(HOST_KEY_BYTES);
  const colon = host.lastIndexOf(':');
  const hasPort = colon > 0 && !host.endsWith(']');
  key.set(hostKey(hasPort ? host.slice(0, colon) : host), 0);
  key.writeUInt16BE(hasPort ? Number(host.slice(colon + 1)) : 0, 8);
  return key;
}

/** The same from a URL whose key is at hand: nothing is hashed. */
export function hostKeyIn(key: UrlKey, url: string): HostKey {
  return hostKeyAt(key, hostOf(url));
}

/** The same from the host's place on the circle: nothing is hashed. */
export function hostKeyAt(place: Uint8Array, host: string): HostKey {
  const key = smallBytes(HOST_KEY_BYTES);
  for (let i = 0; i < 8; i++) key[i] = place[i] as number;
  const port = portIn(host);
  key[8] = port >> 8;
  key[9] = port & 0xff;
  return key;
}

/** 0 where there is none; the colons of an IPv6 address are no port. */
function portIn(host: string): number {
  const colon = host.lastIndexOf(':');
  return colon > 0 && !host.endsWith(']') ? Number(host.slice(colon + 1)) : 0;
}

export function urlKeyOf(url: string): UrlKey {
  const key = smallBytes(URL_KEY_BYTES);
  const host = hostKeyOf(hostOf(url));
  for (let i = 0; i < 8; i++) key[i] = host[i] as number;
  return urlKeyAt(key, url);
}

/** Completes a key that has its host's place already. */
export function urlKeyAt(key: UrlKey, url: string): UrlKey {
  writeUrlHash(url, key, 8, URL_HASH_BYTES);
  return key;
}

/**
 * Bytes that live long: on the heap, where Buffer.allocUnsafe would cut them from a slab of
 * 8 KB that stays as long as any of its pieces.
 */
export function smallBytes(bytes: number): Buffer {
  return Buffer.allocUnsafeSlow(bytes);
}

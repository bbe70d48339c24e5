/**
 * Keys: where a URL and a host stand on the circle.
 *
 *   url key   hostKey(8) + first 16 bytes of url_hash      one URL
 *   host key  hostKey(8) + port(2)                         one host; port 0 is the scheme's own
 *
 * Both start with the arc position, so an arc is a range of either.
 */
import { hostKey, hostnameOf, urlHash } from '../url/index.ts';

export const HOST_KEY_BYTES = 10;
export const URL_HASH_BYTES = 16;
export const URL_KEY_BYTES = 8 + URL_HASH_BYTES;

export type UrlKey = Buffer;
export type HostKey = Buffer;

/** The key of the host of a canonical URL, from its `host` (name with port). */
export function hostKeyOf(host: string): HostKey {
  const key = Buffer.allocUnsafe(HOST_KEY_BYTES);
  const colon = host.lastIndexOf(':');
  const hasPort = colon > 0 && !host.endsWith(']');
  key.set(hostKey(hasPort ? host.slice(0, colon) : host), 0);
  key.writeUInt16BE(hasPort ? Number(host.slice(colon + 1)) : 0, 8);
  return key;
}

export function urlKeyOf(url: string, host?: HostKey): UrlKey {
  const key = Buffer.allocUnsafe(URL_KEY_BYTES);
  key.set(host === undefined ? hostKey(hostnameOf(url)) : host.subarray(0, 8), 0);
  key.set(urlHash(url).subarray(0, URL_HASH_BYTES), 8);
  return key;
}

/**
 * IP addresses as numbers: what text says, and which networks hold it.
 *
 * One shape for both families: four unsigned 32-bit words, IPv4 in its mapped form
 * (`::ffff:a.b.c.d`), so that a network is four words and a prefix length, whatever its family.
 * Parsed by hand, because this runs for every answer of the resolver and every connection.
 *
 * Not here: which networks may be asked (address.ts).
 */

/** Four 32-bit words, most significant first. */
export type Ip = readonly [number, number, number, number];

export interface Network {
  readonly base: Ip;
  /** Leading bits that count, 0 to 128. */
  readonly bits: number;
}

const MAPPED = 0xffff;

/** The address that the text names, or undefined when it names none (zones are not accepted). */
export function parseIp(text: string): Ip | undefined {
  if (text.length === 0 || text.length > 45) return undefined;
  if (text.indexOf(':') === -1) {
    const v4 = parseIpv4(text, 0);
    return v4 < 0 ? undefined : [0, 0, MAPPED, v4];
  }
  return parseIpv6(text);
}

/** The IPv4 number of a mapped address, or -1 when the address is not one. */
export function ipv4Of(ip: Ip): number {
  return ip[0] === 0 && ip[1] === 0 && ip[2] === MAPPED ? ip[3] : -1;
}

/** `10.0.0.0/8`, `fc00::/7`, or a single address; undefined when it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  const base = parseIp(address);
  if (base === undefined) return undefined;
  const offset = address.indexOf(':') === -1 ? 96 : 0;
  if (slash === -1) return { base, bits: 128 };
  const digits = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(digits) || Number(digits) > 128 - offset) return undefined;
  return { base, bits: offset + Number(digits) };
}

export function isInNetwork(ip: Ip, { base, bits }: Network): boolean {
  for (let word = 0, left = bits; left > 0; word++, left -= 32) {
    const mask = left >= 32 ? 0xffffffff : ~(0xffffffff >>> left);
    if ((((ip[word] as number) ^ (base[word] as number)) & mask) !== 0) return false;
  }
  return true;
}

/** Strictly four decimal numbers without leading zeros, from `start` to the end; -1 otherwise. */
function parseIpv4(text: string, start: number): number {
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let i = start; i <= text.length; i++) {
    const code = i === text.length ? 46 : text.charCodeAt(i);
    if (code === 46) {
      if (octet < 0 || ++dots > 4) return -1;
      value = value * 256 + octet;
      octet = -1;
    } else {
      if (code < 48 || code > 57 || octet === 0) return -1;
      octet = Math.max(octet, 0) * 10 + (code - 48);
      if (octet > 255) return -1;
    }
  }
  return dots === 4 ? value : -1;
}

function parseIpv6(text: string): Ip | undefined {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  } else if (text.startsWith(':')) return undefined;
  while (at < text.length) {
    if (text.charCodeAt(at) === 58) {
      if (gap !== -1) return undefined;
      gap = groups.length;
      at++;
      continue;
    }
    const next = readGroup(text, at, groups);
    if (next < 0 || groups.length > 8) return undefined;
    at = next;
  }
  return placeGroups(groups, gap);
}

/** Reads one group (or a dotted tail) and its colon; answers where the next starts, or -1. */
function readGroup(text: string, start: number, groups: number[]): number {
  let value = 0;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 58) break;
    if (code === 46) return readDottedTail(text, start, groups);
    const digit = hexDigit(code);
    if (digit < 0 || at - start >= 4) return -1;
    value = value * 16 + digit;
  }
  groups.push(value);
  if (at === text.length) return at;
  return at + 1 === text.length ? -1 : at + 1;
}

function readDottedTail(text: string, start: number, groups: number[]): number {
  const v4 = parseIpv4(text, start);
  if (v4 < 0) return -1;
  groups.push(v4 >>> 16, v4 & 0xffff);
  return text.length;
}

function placeGroups(groups: readonly number[], gap: number): Ip | undefined {
  if (gap === -1 ? groups.length !== 8 : groups.length > 7) return undefined;
  const missing = 8 - groups.length;
  const full = new Array<number>(8).fill(0);
  for (let i = 0; i < groups.length; i++) {
    full[gap === -1 || i < gap ? i : i + missing] = groups[i] as number;
  }
  const word = (i: number) => (((full[i] as number) << 16) | (full[i + 1] as number)) >>> 0;
  return [word(0), word(2), word(4), word(6)];
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

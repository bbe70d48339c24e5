/**
 * Questions to the request log: was every host left its time, was anything asked twice?
 *
 * A gap is measured from the arrival of one request to the arrival of the next, over everything
 * that a host was asked, robots.txt included.
 */
import type { LogColumns, RequestLog } from './log.ts';

export interface Gap {
  /** A host name, or an address in `perAddressGaps`. */
  readonly of: string;
  readonly requests: number;
  /** Infinity when there was one request. */
  readonly smallestMs: number;
  /** From the end of an answer to the next arrival; negative when two requests overlapped. */
  readonly smallestIdleMs: number;
  /** The arrival that ended the smallest gap. */
  readonly atMs: number;
  /** Arrivals while an earlier request was still open. */
  readonly overlaps: number;
}

/** One entry per host that was asked, the smallest gap first. */
export function gaps(log: RequestLog): Gap[] {
  const columns = log.columns();
  return gapsBy(columns, (row) => columns.host[row]!, columns.names);
}

/** The same by address: hosts that share one count as one neighbour (P4). */
export function perAddressGaps(log: RequestLog): Gap[] {
  const columns = log.columns();
  const addresses = [...new Set(columns.addresses)];
  const numbers = new Map(addresses.map((address, number) => [address, number]));
  const ofHost = columns.addresses.map((address) => numbers.get(address)!);
  return gapsBy(columns, (row) => ofHost[columns.host[row]!]!, addresses);
}

interface Running {
  requests: number;
  lastAt: number;
  openUntil: number;
  smallestMs: number;
  smallestIdleMs: number;
  atMs: number;
  overlaps: number;
}

function gapsBy(c: LogColumns, keyOf: (row: number) => number, names: readonly string[]): Gap[] {
  const running = new Map<number, Running>();
  for (let row = 0; row < c.count; row++) {
    const key = keyOf(row);
    const now = running.get(key);
    if (now === undefined) running.set(key, firstOf(c, row));
    else advance(now, c.at[row]!, c.end[row]!);
  }
  const found = [...running].map(([key, { lastAt, openUntil, ...rest }]) => ({
    of: names[key]!,
    ...rest,
  }));
  return found.sort((a, b) => a.smallestMs - b.smallestMs);
}

function firstOf(c: LogColumns, row: number): Running {
  return {
    requests: 1,
    lastAt: c.at[row]!,
    openUntil: c.end[row]!,
    smallestMs: Number.POSITIVE_INFINITY,
    smallestIdleMs: Number.POSITIVE_INFINITY,
    atMs: c.at[row]!,
    overlaps: 0,
  };
}

function advance(now: Running, at: number, end: number): void {
  const gap = at - now.lastAt;
  if (gap < now.smallestMs) {
    now.smallestMs = gap;
    now.atMs = at;
  }
  now.smallestIdleMs = Math.min(now.smallestIdleMs, at - now.openUntil);
  if (at < now.openUntil) now.overlaps++;
  now.requests++;
  now.lastAt = at;
  now.openUntil = Math.max(now.openUntil, end);
}

export interface Duplicate {
  readonly url: string;
  readonly times: number;
}

/**
 * URLs that were answered for good more than once. A 429 or a server error invites another try,
 * and robots.txt and sitemaps may be read again, so those do not count.
 */
export function duplicates(log: RequestLog): Duplicate[] {
  const columns = log.columns();
  const times = new Map<string, number>();
  for (let row = 0; row < columns.count; row++) {
    const status = columns.status[row]!;
    if (status === 429 || status >= 500 || status === 0) continue;
    const url = columns.urlOf(row);
    if (columns.page[row]! < 0 && isAside(url)) continue;
    times.set(url, (times.get(url) ?? 0) + 1);
  }
  return [...times].filter(([, n]) => n > 1).map(([url, n]) => ({ url, times: n }));
}

/** robots.txt, what it redirects to, sitemaps, and the probe for soft 404s: asked besides the pages. */
export function isAside(url: string): boolean {
  return /^https?:\/\/[^/]+\/(robots(-2|-real)?\.txt|sitemap[^/]*)$/.test(url) || isProbe(url);
}

/** A page that no host has: a crawler may ask for one to see what a host says then (C3). */
export function isProbe(url: string): boolean {
  return /^https?:\/\/[^/]+\/no-such-page-[a-z0-9]+$/.test(url);
}

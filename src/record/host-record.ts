/**
 * What is known about one host (B3) and must survive a restart: above all when it may be
 * asked again. No peer we studied keeps delays, blocks and quotas; we do (P5).
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import type { Instant } from '../base/instant.ts';

/** How often a host's pages change, learned from them or set by an operator (T1). */
export const HOST_CLASSES = ['unknown', 'news', 'generic', 'dormant'] as const;
export type HostClass = (typeof HOST_CLASSES)[number];

/** One bit each in `HostRecord.flags`. */
export const HOST_FLAGS = {
  /** Part of it is a trap (Q1). */
  trap: 1,
  /** One body stands behind much of it (C3). */
  soft_404: 2,
  /** Most of its pages repeat others (C4): it gets a tenth of its budget. */
  content_farm: 4,
  /** Denied pending review (Q2). */
  denied: 8,
  /** Its class was set by an operator and isn't learned. */
  class_set: 16,
} as const;

export interface HostRecord {
  readonly host: string;
  readonly lastFetchAt: Instant;
  /** Not before this instant: politeness, Retry-After and pauses together. */
  readonly turnAt: Instant;
  /** From robots.txt; 0 when there is none. */
  readonly crawlDelayMs: number;
  /** Doubled by 429 and 503, decays to 1. */
  readonly backoff: number;
  readonly latencyMs: number;
  /** Server and network errors in a row, and since when. */
  readonly errors: number;
  readonly errorsSince: Instant;
  /** How often the host was found down in a row. */
  readonly downs: number;
  readonly address: string;
  /** The day (since 1970) that the two quotas below count. */
  readonly quotaDay: number;
  readonly fetchedToday: number;
  readonly newToday: number;
  readonly fetched: number;
  readonly failed: number;
  readonly bytes: number;
  readonly authority: number;
  /** In [0,1], from the last `orb rank` (Q2). */
  readonly quality: number;
  /** Other registrable domains that link here, as of the last `orb rank`. */
  readonly inDomains: number;
  readonly hostClass: HostClass;
  /** How long its pages stay as they are, and for how long that was watched (T1); 0 is unknown. */
  readonly changeMs: number;
  readonly watchedMs: number;
  readonly flags: number;
}

/**
 * The robots.txt of one origin (scheme and host). In a row of its own: it is long and seldom
 * changes, while the host's row is written with every visit.
 */
export interface RobotsRecord {
  readonly origin: string;
  readonly fetchedAt: Instant;
  readonly expiresAt: Instant;
  /** HTTP status, or 0 when it could not be read. */
  readonly status: number;
  /** Kept whole, so that `why` can quote the deciding line. */
  readonly body: Uint8Array;
  /** Failed tries in a row; the third decides that all is forbidden for now. */
  readonly tries: number;
  /** Why there was no answer; empty when there was one. */
  readonly problem: string;
}

export function blankHost(host: string): HostRecord {
  return {
    host,
    lastFetchAt: 0,
    turnAt: 0,
    crawlDelayMs: 0,
    backoff: 1,
    latencyMs: 0,
    errors: 0,
    errorsSince: 0,
    downs: 0,
    address: '',
    quotaDay: 0,
    fetchedToday: 0,
    newToday: 0,
    fetched: 0,
    failed: 0,
    bytes: 0,
    authority: 0.5,
    quality: 0.5,
    inDomains: 0,
    hostClass: 'unknown',
    changeMs: 0,
    watchedMs: 0,
    flags: 0,
  };
}

const VERSION = 2;
const writer = new ByteWriter();

export function encodeHost(h: HostRecord): Buffer {
  return writer
    .byte(VERSION)
    .text(h.host)
    .float(h.lastFetchAt)
    .float(h.turnAt)
    .varint(Math.ceil(h.crawlDelayMs))
    .varint(Math.round(h.backoff * 256))
    .varint(Math.round(h.latencyMs))
    .varint(h.errors)
    .varint(Math.round(h.errorsSince))
    .varint(h.downs)
    .text(h.address)
    .varint(h.quotaDay)
    .varint(h.fetchedToday)
    .varint(h.newToday)
    .varint(h.fetched)
    .varint(h.failed)
    .varint(h.bytes)
    .byte(Math.round(h.authority * 250))
    .byte(Math.round(h.quality * 250))
    .varint(h.inDomains)
    .byte(HOST_CLASSES.indexOf(h.hostClass))
    .varint(Math.round(h.changeMs))
    .varint(Math.round(h.watchedMs))
    .varint(h.flags)
    .take();
}

export function decodeHost(row: Uint8Array): HostRecord {
  const r = new ByteReader(row);
  const version = r.byte();
  if (version !== VERSION) throw new RangeError(`host row of version ${version}, not ${VERSION}`);
  return {
    host: r.text(),
    lastFetchAt: r.float(),
    turnAt: r.float(),
    crawlDelayMs: r.varint(),
    backoff: r.varint() / 256,
    latencyMs: r.varint(),
    errors: r.varint(),
    errorsSince: r.varint(),
    downs: r.varint(),
    address: r.text(),
    quotaDay: r.varint(),
    fetchedToday: r.varint(),
    newToday: r.varint(),
    fetched: r.varint(),
    failed: r.varint(),
    bytes: r.varint(),
    authority: r.byte() / 250,
    quality: r.byte() / 250,
    inDomains: r.varint(),
    hostClass: HOST_CLASSES[r.byte()] ?? 'unknown',
    changeMs: r.varint(),
    watchedMs: r.varint(),
    flags: r.varint(),
  };
}

export function encodeRobots(records: readonly RobotsRecord[]): Buffer {
  writer.byte(VERSION).byte(records.length);
  for (const r of records) {
    writer
      .text(r.origin)
      .varint(Math.round(r.fetchedAt))
      .varint(Math.round(r.expiresAt))
      .varint(r.status)
      .varint(r.tries)
      .text(r.problem)
      .bytes(r.body);
  }
  return writer.take();
}

export function decodeRobots(row: Uint8Array): RobotsRecord[] {
  const r = new ByteReader(row);
  const version = r.byte();
  if (version !== VERSION) throw new RangeError(`robots row of version ${version}, not ${VERSION}`);
  return Array.from({ length: r.byte() }, () => ({
    origin: r.text(),
    fetchedAt: r.varint(),
    expiresAt: r.varint(),
    status: r.varint(),
    tries: r.varint(),
    problem: r.text(),
    body: r.bytes(),
  }));
}

/** The rows of the world: URLs that are new, hosts as bytes, and what a store would answer. */
import assert from 'node:assert/strict';
import type { Instant } from '../base/instant.ts';
import {
  decodeHost,
  encodeHost,
  type HostRecord,
  hostKeyOf,
  NO_BYTES,
  quantised,
  type RobotsRecord,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import type { Host } from './host.ts';
import type { Lease } from './index.ts';
import { waitsBefore } from './window.ts';

type Phase = 'leased' | 'asked' | 'committed';

/** A visit that is under way. */
export interface Open {
  readonly lease: Lease;
  phase: Phase;
}

export interface Refill {
  readonly host: Host;
  readonly asked: number;
  readonly wasHydrated: boolean;
  rows: readonly Waiting[] | undefined;
  robots: readonly RobotsRecord[];
}

/** The nth URL: one in three by https, one in four below /x/, two in five of a job. */
export function newUrl(n: number, host: string, priority: number, now: Instant): Waiting {
  const scheme = n % 3 === 0 ? 'https' : 'http';
  const url = `${scheme}://${host}/${n % 4 === 0 ? 'x' : 'p'}/${n}`;
  const own = quantised(priority + (n % 7) / 100);
  return {
    ...{ key: urlKeyOf(url), url, kind: 'page', rank: rankOf(own, now), priority: own },
    ...{ depth: 1, hops: 0, outside: 0, parent: NO_BYTES, fails: 0, again: false },
    ...((n % 5 === 1 || n % 5 === 2) && { job: n % 5 }),
  };
}

export function hostRow(record: HostRecord): Buffer {
  const row = encodeHost(record);
  for (const [name, value] of Object.entries(decodeHost(row))) {
    if (typeof value === 'number') assert.ok(Number.isFinite(value), `${name} is a number`);
  }
  return row;
}

/** What a store answers to a refill. */
export function waitingAfter(rows: Iterable<Waiting>, host: Host, limit: number): Waiting[] {
  const { after } = host.window;
  assert.ok(host.key.equals(hostKeyOf(host.host)), 'a host knows its key');
  return [...rows]
    .filter((url) => hostOf(url.url) === host.host)
    .filter((url) => after === undefined || waitsBefore(after, url))
    .sort((a, b) => (waitsBefore(a, b) ? -1 : 1))
    .slice(0, limit);
}

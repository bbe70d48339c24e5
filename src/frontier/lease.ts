/**
 * A lease: the right to make one request, until an instant (F4).
 *
 * Nothing is written when a lease is given: a crash forgets it, and the URL still waits in
 * the store. A lease that has ended is not settled: its holder is told that it is lost.
 */
import type { Instant } from '../base/instant.ts';
import type { Waiting } from '../record/index.ts';
import type { Errand, Host } from './host.ts';

export type Lease = PageLease | RobotsLease;

interface Terms {
  readonly id: number;
  readonly host: Host;
  readonly url: string;
  readonly until: Instant;
}

export interface PageLease extends Terms, Marks {
  readonly kind: 'page';
  readonly waiting: Waiting;
}

/** Why a URL is not asked although its turn has come: it is settled without a request. */
export interface Marks {
  /** Set when robots.txt forbids it, or it is part of a trap. */
  readonly forbidden?: Forbidden;
  /** Set when its job is paused, or has ended. */
  readonly aside?: Aside;
}

export type Aside = 'shelve' | 'forget';

/** Says whether URLs of a job are asked now, given how many of its requests are under way. */
export type JobGate = (job: number, underWay: number) => Aside | undefined;

export function asksNothing({ forbidden, aside }: Marks): boolean {
  return forbidden !== undefined || aside !== undefined;
}

export interface RobotsLease extends Terms {
  readonly kind: 'robots';
  readonly errand: Errand;
}

export interface Forbidden {
  readonly reason: string;
  /** When the rules are read again. */
  readonly until: Instant;
  /** For its record, when it is not robots.txt that speaks against it. */
  readonly flags?: number;
}

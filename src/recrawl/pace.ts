/**
 * A host's class, learned from its pages (T1): how long do they stay as they are?
 *
 * The mean is taken of the logarithm, so that one page that changes by the minute does not make
 * a news site of a manual; and each page counts by the time it was watched, so that a page that
 * is visited often counts no more than one that is not. Between two classes lies a gap, so that
 * a host on the border does not change its class with every visit.
 */
import { DAY_MS } from '../base/instant.ts';
import { HOST_FLAGS, type HostClass } from '../record/index.ts';
import { changeMsOf, type Rate } from './rate.ts';

/** The part of a host's memory that is kept here. */
export interface Pace {
  hostClass: HostClass;
  changeMs: number;
  watchedMs: number;
  flags: number;
}

/** What is believed of a host before its first page was seen twice, and how firmly. */
const START_MS = 10 * DAY_MS;
const START_WATCHED_MS = 5 * DAY_MS;
/** Page-time after which the past counts no more than this. */
const WATCHED_MS_MAX = 10_000 * DAY_MS;
const TIME_MS_MAX = 30 * DAY_MS;
/** Quicker than `enter` becomes news, slower than `leave` is news no longer; dormant alike. */
const NEWS = { enter: DAY_MS, leave: 2 * DAY_MS } as const;
const DORMANT = { enter: 90 * DAY_MS, leave: 45 * DAY_MS } as const;

/** How long the host's pages stay as they are, as far as is known. */
export function hostChangeMs({ changeMs, hostClass, flags }: Readonly<Pace>): number {
  if ((flags & HOST_FLAGS.class_set) !== 0) return TYPICAL_MS[hostClass];
  return changeMs > 0 ? changeMs : TYPICAL_MS[hostClass];
}

const TYPICAL_MS: Readonly<Record<HostClass, number>> = {
  ...{ unknown: START_MS, news: DAY_MS / 4, generic: START_MS, dormant: 120 * DAY_MS },
};

/** A page was seen again: its host learns. `set` is the class that an operator gave the host. */
export function notePace(
  host: Pace,
  elapsedMs: number,
  rate: Rate,
  set: HostClass | undefined,
): void {
  const timeMs = Math.min(TIME_MS_MAX, Math.max(0, elapsedMs));
  const watched = host.watchedMs > 0 ? host.watchedMs : START_WATCHED_MS;
  const known = Math.log(host.changeMs > 0 ? host.changeMs : START_MS);
  const sum = known * watched + Math.log(changeMsOf(rate)) * timeMs;
  host.changeMs = Math.exp(sum / (watched + timeMs));
  host.watchedMs = Math.min(WATCHED_MS_MAX, watched + timeMs);
  classify(host, set);
}

/** An operator's word holds as long as it stands in the settings. */
export function classify(host: Pace, set: HostClass | undefined): void {
  if (set !== undefined) {
    host.hostClass = set;
    host.flags |= HOST_FLAGS.class_set;
    return;
  }
  host.flags &= ~HOST_FLAGS.class_set;
  if (host.changeMs > 0) host.hostClass = learnedClass(host);
}

function learnedClass({ hostClass, changeMs }: Readonly<Pace>): HostClass {
  if (changeMs <= (hostClass === 'news' ? NEWS.leave : NEWS.enter)) return 'news';
  if (changeMs >= (hostClass === 'dormant' ? DORMANT.leave : DORMANT.enter)) return 'dormant';
  return 'generic';
}

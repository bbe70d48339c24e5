/**
 * What is left of a page that was denied or erased: that there is such a URL, so that it is
 * known and not asked again, and why. Of its content nothing: no title, no headers, no hashes,
 * no validators, no timing.
 *
 * An event keeps host, times and pause, because politeness is proved by them (P7); which page
 * it was, and what came, is gone.
 */
import type { FetchEvent } from '../events/index.ts';
import {
  blankHost,
  blankRecord,
  FLAGS,
  HOST_FLAGS,
  type HostRecord,
  type UrlRecord,
} from '../record/index.ts';
import type { Rule } from './rules.ts';

/** Who, when and why, in a sentence: `orb why` quotes it. */
export function deniedReason({ by, at, reason, erases }: Rule): string {
  return `${erases ? 'taken down' : 'blocked'} by ${by} on ${at.slice(0, 10)}: ${reason}`;
}

/** Nothing of the content; where it stands in the crawl stays. */
export function erasedRecord(before: UrlRecord, rule: Rule): UrlRecord {
  const { url, kind, depth, hops, outside, parent, firstSeenAt } = before;
  return {
    ...blankRecord(url, firstSeenAt),
    ...{ kind, depth, hops, outside, parent },
    state: 'skipped',
    reason: deniedReason(rule),
    // What was stored in a region may be asked for again.
    flags: rule.kind === 'region' ? FLAGS.erased : FLAGS.blocked | FLAGS.erased,
  };
}

/** Never asked again; what it brought before stays. */
export function blockedRecord(before: UrlRecord, rule: Rule): UrlRecord {
  if (rule.erases || (before.flags & FLAGS.erased) !== 0) return erasedRecord(before, rule);
  const flags = before.flags | FLAGS.blocked;
  return { ...before, state: 'skipped', reason: deniedReason(rule), flags, nextCrawlAt: 0 };
}

/** Its name, which the denylist has besides, and when it may be asked at the earliest (P5). */
export function erasedHost({ host, turnAt, flags }: HostRecord): HostRecord {
  return { ...blankHost(host), turnAt, flags: flags & HOST_FLAGS.denied };
}

/** No web page has this address. */
export const ERASED_URL = 'erased:';

export function erasedEvent(event: FetchEvent): FetchEvent {
  const { v, id, kind, host, address, startedAt, answeredAt, endedAt, delayMs, status } = event;
  const times = { startedAt, answeredAt, endedAt, delayMs };
  const kept = { v, id: id.startsWith('erased-') ? id : `erased-${startedAt}`, kind };
  return { ...kept, url: ERASED_URL, host, address, ...times, status, bytes: 0, urlHash: '' };
}

/**
 * What a visit makes of a URL's record (B2, H6) and what is told about it (E1).
 *
 * An answer that says 'unchanged' (304, or a body with the hash of the last one) keeps what was
 * known and moves only `lastFetchedAt`. One that brings no page (an error, a page that is gone)
 * keeps what was known of the page, for the day that it is back. When it is visited next is
 * decided in ../recrawl/.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { Writable } from '../base/writable.ts';
import type { FetchEvent } from '../events/index.ts';
import { type Answered, mediaTypeOf, type Outcome, type Truncation } from '../fetch/index.ts';
import type { Exchange, Fate } from '../frontier/index.ts';
import {
  admittedAtOf,
  blankRecord,
  FLAGS,
  flagNames,
  NO_BYTES,
  type UrlRecord,
  type Waiting,
} from '../record/index.ts';
import { nextLookAtDead, type Recrawl, type SeenHost } from '../recrawl/index.ts';
import { formatUrlHash, hostOf, writtenUrlHash } from '../url/index.ts';
import type { Digest } from './digest.ts';
import { changedIn, type Finding, findingOf } from './finding.ts';

export interface Visited {
  readonly waiting: Waiting;
  /** The record of the visit before, if there was one. */
  readonly before: UrlRecord | undefined;
  readonly outcome: Outcome;
  readonly fate: Fate;
  readonly digest: Digest | undefined;
  readonly redirectTo: string | undefined;
  readonly now: Instant;
  /** Who says when to come back, and what is known of the host; it learns. */
  readonly recrawl: Recrawl;
  readonly host: SeenHost;
}

export function visitedRecord(visit: Visited): UrlRecord {
  const { waiting, before, outcome, fate, now } = visit;
  const { url, kind, priority, depth, hops, outside, parent } = waiting;
  const start = before ?? blankRecord(url, admittedAtOf(waiting));
  const { job = start.job } = waiting;
  const known = { ...start, kind, priority, depth, hops, outside, parent, job };
  const failed = fate.state === 'indexed' ? 0 : waiting.fails + 1;
  const common = {
    ...known,
    state: fate.state,
    reason: fate.reason,
    nextCrawlAt: fate.retryAt,
    failCount: failed,
    lastFetchedAt: outcome.kind === 'refused' ? known.lastFetchedAt : now,
  };
  const finding = findingOf(visit);
  const record =
    outcome.kind === 'answered' ? answeredRecord(common, outcome, visit, finding) : common;
  return comingBack(record, visit, finding);
}

function answeredRecord(
  known: UrlRecord,
  answer: Answered,
  visit: Visited,
  finding: Finding,
): UrlRecord {
  const { status, headers, timing } = answer;
  const facts = {
    ...known,
    httpStatus: status,
    remoteAddress: answer.remoteAddress,
    firstByteMs: timing.firstByteMs,
    wholeMs: timing.wholeMs,
    redirectTo: visit.redirectTo ?? '',
    flags: flagsOf(answer, visit.digest),
  };
  const visits = known.visits + (finding === 'nothing' ? 0 : 1);
  const isChange = finding === 'changed';
  const changes = known.changes + (isChange ? 1 : 0);
  const isNews = isChange || finding === 'first';
  const lastChangedAt = isNews ? visit.now : known.lastChangedAt;
  if (status === 304) return { ...facts, visits, changes, ...unmodified(visit), lastChangedAt };
  if (finding === 'nothing') return brokenVisit(facts, visit);
  const { digest } = visit;
  return {
    ...facts,
    visits,
    changes,
    contentType: mediaTypeOf(headers['content-type']),
    etag: headers.etag ?? '',
    lastModified: headers['last-modified'] ?? '',
    title: digest?.title ?? '',
    bodyBytes: digest?.bodyBytes ?? 0,
    contentHash: digest?.contentHash ?? NO_BYTES,
    simhash: isNews ? (digest?.simhash ?? 0n) : known.simhash,
    pairs: isNews ? (digest?.pairs ?? 0n) : known.pairs,
    original: NO_BYTES,
    lastChangedAt,
    reason: digest?.trouble || facts.reason || cutReason(answer, digest),
  };
}

/** What a 304 leaves as it was; a page that was gone in between is back. */
function unmodified({ before }: Visited): Partial<UrlRecord> {
  if (before?.state !== 'indexed') return { httpStatus: OK, redirectTo: '' };
  const { httpStatus, redirectTo, flags, reason } = before;
  return { httpStatus, redirectTo, flags, reason };
}

/** No page was sent: what was known of it stays, but for when it went away. */
function brokenVisit(facts: UrlRecord, { before, now, digest }: Visited): UrlRecord {
  const wentAway = facts.state === 'dead' && before?.state !== 'dead';
  const kept = (before?.flags ?? 0) & ~(facts.state === 'dead' ? OF_A_PAGE : OF_AN_ANSWER);
  return {
    ...facts,
    flags: facts.flags | kept,
    lastChangedAt: wentAway ? now : facts.lastChangedAt,
    reason: digest?.trouble || facts.reason,
  };
}

const OF_AN_ANSWER = FLAGS.truncated | FLAGS.tls_error;
/** What is no page repeats none, and no longer pretends to be one (C1–C3). */
const OF_A_PAGE = OF_AN_ANSWER | FLAGS.soft_404 | FLAGS.alias | FLAGS.near_duplicate;

/** When it is visited again (T1–T5, F8); what the fate said of a retry holds. */
function comingBack(record: UrlRecord, visit: Visited, finding: Finding): UrlRecord {
  const { before, now, recrawl, host } = visit;
  if (recrawl.policy.name === 'never' || record.nextCrawlAt > 0) return record;
  const was = before !== undefined && before.visits > 0 ? before : undefined;
  if (record.state === 'indexed') {
    const known = was?.state === 'dead' ? { ...was, intervalMs: 0 } : was;
    const changed = changedIn(finding);
    const { priority } = record;
    const next = recrawl.next({ now, host, priority, before: known, changed });
    const { nextCrawlAt, intervalMs, rateShape, rateMs } = next;
    return { ...record, nextCrawlAt, intervalMs, rateShape, rateMs };
  }
  if (record.state === 'dead') {
    const pausedMs = before?.state === 'dead' ? before.intervalMs : 0;
    if (was !== undefined && was.state !== 'dead') recrawl.leave(was, host);
    return lastLooks(record, nextLookAtDead(record.lastChangedAt, pausedMs, now));
  }
  if (record.state !== 'failed') return record;
  return { ...record, nextCrawlAt: now + Math.max(FAILED_MS, record.intervalMs) };
}

function lastLooks(dead: UrlRecord, next: ReturnType<typeof nextLookAtDead>): UrlRecord {
  if (next.nextCrawlAt > 0) return { ...dead, ...next };
  return { ...dead, ...next, reason: `${dead.reason}, for 30 days: it is not asked again` };
}

const OK = 200;
/** A page that could not be had for good is tried again after this, or after its own interval. */
const FAILED_MS = 7 * DAY_MS;

/** Why a body is not whole (H6, Y2); empty when it is. */
function cutReason({ truncated }: Answered, digest: Digest | undefined): string {
  if (truncated !== undefined) return CUT_REASONS[truncated];
  return digest?.isTruncated ? CUT_REASONS['decoded-limit'] : '';
}

const CUT_REASONS: Readonly<Record<Truncation, string>> = {
  'body-limit': 'the body is longer than --max-body and was cut there',
  'time-limit': 'the body was not over in --timeout and was cut there',
  'connection-closed': 'the server closed the connection before the end of the body',
  'length-mismatch': 'fewer bytes came than the server announced',
  'broken-framing': 'the chunks of the body could not be read to the end',
  'unwanted-type': 'its type is not among --types: only the headers were read',
  'decoded-limit': 'the body unfolds to more than --max-decoded and was cut there',
};

function flagsOf(answer: Answered, digest: Digest | undefined): number {
  let flags = 0;
  if (answer.truncated !== undefined || digest?.isTruncated) flags |= FLAGS.truncated;
  if (answer.tlsError !== undefined) flags |= FLAGS.tls_error;
  if (digest?.linksDropped) flags |= FLAGS.links_dropped;
  return flags;
}

export function fetchEvent(
  kind: FetchEvent['kind'],
  url: string,
  outcome: Outcome,
  exchange: Exchange,
  delayMs: number,
): FetchEvent {
  const { startedAt, answeredAt, endedAt } = exchange;
  const urlHash = writtenUrlHash(url);
  const base = {
    v: 1,
    kind,
    url,
    host: hostOf(url),
    urlHash,
    startedAt,
    answeredAt,
    endedAt,
    delayMs,
    id: `${urlHash}@${startedAt}`,
  } as const;
  if (outcome.kind !== 'answered') {
    const failure = outcome.kind === 'failed' ? outcome.reason : 'refused';
    return { ...base, address: '', status: 0, failure, bytes: 0 };
  }
  const { remoteAddress, status, body } = outcome;
  return { ...base, address: remoteAddress, status, bytes: body.length };
}

/** What a page's event says besides: what was found. */
export function pageEvent(event: FetchEvent, record: UrlRecord, links: number): FetchEvent {
  const { depth, title, contentType, contentHash, redirectTo, flags, usage, region } = record;
  // One by one: each spread after the first is a call into V8's slowest way to set a field.
  const told: Writable<FetchEvent> = { ...event, depth, links };
  if (title !== '') told.title = title;
  if (contentType !== '') told.contentType = contentType;
  if (redirectTo !== '') told.redirectTo = redirectTo;
  if (flags !== 0) told.flags = flagNames(flags);
  if (usage !== '') told.usage = usage;
  if (contentHash.length > 0) told.contentHash = formatUrlHash(contentHash);
  if (region !== '') told.region = region;
  return told;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.length > 0 && Buffer.compare(a, b) === 0;
}

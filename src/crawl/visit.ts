/**
 * THE PATH, second half: a lease becomes a stored page.
 *
 *   lease → address, turn → fetch → judge → digest → record → publish, admit links → settle
 *           address.ts      exchange.ts      ../content/digest     admit.ts          settle.ts
 *                                   ../frontier/judge  ../content/visited
 *
 * Robots were asked when the lease was given (../frontier/): a URL they forbid arrives here
 * marked, and is settled without a request. robots.txt itself is fetched by visit-robots.ts.
 */
import {
  type Digest,
  directedRecord,
  fetchEvent,
  keepsBody,
  pageEvent,
  type TextPrint,
  visitedRecord,
} from '../content/index.ts';
import { isPublic, type Outcome, parseHttpDate, redirectOf } from '../fetch/index.ts';
import { exchangeOf, type Fate, judge, type Lease, type PageLease } from '../frontier/index.ts';
import { COUNTED_AS, type Totals } from '../ports/shard-store.ts';
import { isLowQuality, LINKS_OF_LOW_MAX, NO_CLAIM } from '../quality/index.ts';
import { FLAGS, type UrlRecord, type Waiting } from '../record/index.ts';
import { findAddress } from './address.ts';
import { archivedPage, keepSent } from './archived.ts';
import type { Walk } from './context.ts';
import { settleDenied } from './deny.ts';
import { exchange } from './exchange.ts';
import { refusedByRobots, sayingsOf } from './preferences.ts';
import { redirectProblem } from './redirect.ts';
import { visitProbe } from './visit-probe.ts';
import { visitRobots } from './visit-robots.ts';

export async function visit(lease: Lease, walk: Walk, signal: AbortSignal): Promise<void> {
  if (lease.kind === 'robots') {
    return lease.errand.isProbe
      ? visitProbe(lease, walk, signal)
      : visitRobots(lease, walk, signal);
  }
  const denial = walk.denials.meets(lease.url);
  if (denial !== undefined) return settleDenied(lease, denial, walk);
  const forbidden = lease.forbidden ?? refusedByRobots(lease, walk);
  if (forbidden !== undefined) return settleForbidden(lease, forbidden, walk);
  const found = await findAddress(lease, walk, signal);
  if (found === 'another turn') return;
  const before = lease.waiting.again ? await lastVisit(lease, walk) : undefined;
  const outcome =
    typeof found === 'string'
      ? await exchange(lease, found, validatorsIn(before), walk, signal)
      : found;
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') {
    return walk.frontier.release(lease, walk.ports.clock.now());
  }
  // Its body may change threads from here on, and leaves no length behind.
  const bytes = outcome.kind === 'answered' ? outcome.body.length : 0;
  const sent = { bytes, body: keepSent(outcome, walk) };
  const made = await makeOf(lease, outcome, before, walk);
  const { links = [], lastmods } = made.digest ?? {};
  if (lastmods !== undefined && lastmods.length > 0) await walk.comeback.hint(links, lastmods);
  return settlePage(lease, made, sent, walk);
}

/** A body that was cut is asked for again, changed or not (H1). */
function validatorsIn(before: UrlRecord | undefined): UrlRecord | undefined {
  return before !== undefined && (before.flags & FLAGS.truncated) === 0 ? before : undefined;
}

async function lastVisit(lease: PageLease, walk: Walk): Promise<UrlRecord | undefined> {
  const [record] = await walk.ports.store.urls([lease.waiting.key]);
  return record;
}

/** What came over the line; the bytes themselves only where an archive wants them. */
interface Sent {
  readonly bytes: number;
  readonly body: Uint8Array | undefined;
}

/** What an outcome comes to. */
interface Made {
  readonly outcome: Outcome;
  readonly fate: Fate;
  readonly digest: Digest | undefined;
  readonly record: UrlRecord;
  readonly before: UrlRecord | undefined;
  /** The next hop, when there is one and nothing is wrong with it. */
  readonly next: string | undefined;
}

async function makeOf(
  lease: PageLease,
  outcome: Outcome,
  before: UrlRecord | undefined,
  walk: Walk,
): Promise<Made> {
  const { waiting } = lease;
  const now = walk.ports.clock.now();
  const { retry } = walk.frontier.policy;
  const random = walk.ports.random.next();
  const fate = judge(outcome, { fails: waiting.fails, now, random, retry });
  const redirect = outcome.kind === 'answered' ? redirectOf(outcome, lease.url) : undefined;
  const digest = redirect === undefined ? await digestOf(lease, outcome, fate, walk) : undefined;
  const redirectTo = redirect?.to;
  const { recrawl } = walk;
  const { host } = lease;
  const seen = visitedRecord({
    ...{ waiting, before, outcome, fate, digest, redirectTo, now, recrawl, host },
  });
  const record =
    outcome.kind === 'answered'
      ? directedRecord(seen, sayingsOf(lease, outcome, digest, walk))
      : seen;
  if (redirect === undefined) return { outcome, fate, digest, record, before, next: undefined };
  const problem = await redirectProblem(
    redirectTo,
    waiting,
    walk.rules.redirectsMax,
    walk.ports.store,
  );
  if (problem === undefined) return { outcome, fate, digest, record, before, next: redirectTo };
  if (problem === 'redirect_loop') {
    walk.frontier.attention.blockLoop(redirectTo ? [redirectTo, waiting.url] : [waiting.url]);
  }
  const flags = record.flags | (problem === 'redirect_loop' ? FLAGS.redirect_loop : 0);
  const broken = { ...record, state: 'failed' as const, reason: problem, flags };
  return { outcome, fate, digest, record: broken, before, next: undefined };
}

/** Undefined when there is nothing to read: no body, or not modified. */
async function digestOf(
  lease: PageLease,
  outcome: Outcome,
  fate: Fate,
  walk: Walk,
): Promise<Digest | undefined> {
  if (outcome.kind !== 'answered' || fate.state !== 'indexed') return undefined;
  if (outcome.status === 304 || outcome.truncated === 'unwanted-type') return undefined;
  const { decodedBytesMax, markdown } = walk.rules;
  const { url } = lease;
  const { kind } = lease.waiting;
  const { body, headers } = outcome;
  const { agent } = walk.frontier.policy;
  const few = isLowQuality(lease.host.quality) && { linksMax: LINKS_OF_LOW_MAX };
  return walk.ports.pool.digest({ url, kind, body, headers, decodedBytesMax, agent, markdown, ...few });
}

/**
 * Not async, and handed on by `return`: nothing of the page may be held by a frame that waits,
 * or the links of all pages on their way to the disk survive their first garbage collection.
 */
function settlePage(lease: PageLease, made: Made, sent: Sent, walk: Walk): Promise<void> | void {
  const { outcome, fate, digest, record } = made;
  const { waiting } = lease;
  const asked = exchangeOf(outcome, fate);
  const bytes = digest?.bodyBytes ?? 0;
  const host = walk.frontier.conclude(lease, asked, bytes);
  if (host === undefined) return;
  const delayMs = walk.frontier.delayMsOf(lease);
  const told = asked && fetchEvent(waiting.kind, lease.url, outcome, asked, delayMs);
  const event =
    told && pageEvent({ ...told, bytes: sent.bytes }, record, digest?.links.length ?? 0);
  const ending = {
    lease,
    host,
    settled: { waiting, record, ...(digest && { trace: digest.trace }) },
    ...(event && { event }),
    ...(digest && keepsBody(record) && { print: printIn(digest) }),
    ...(digest?.isMissing && { isMissing: true }),
    ...(digest && walk.rules.keepBodies && keepsBody(record) && bodyOf(digest)),
    ...(made.before && { before: made.before }),
    ...archivedPage(made, sent.body, validatorsIn(made.before), walk),
    candidates: admitFrom(waiting, made, walk),
    change: { ...changeOf(record, outcome), bytes },
  };
  const held = event && walk.onPage({ record, event, digest });
  if (held === undefined) return walk.settling.add(ending);
  return held.then(() => walk.settling.add(ending));
}

/** Not the digest itself: its links would live until the page is settled. */
function printIn({ simhash, words, pairs }: Digest): TextPrint {
  return { simhash, words, pairs };
}

function bodyOf({ contentHash: hash, body: bytes }: Digest) {
  return hash.length === 0 ? undefined : { body: { hash, bytes } };
}

/** The next hop, or the page's links: those of them that may be new. */
function admitFrom(page: Waiting, made: Made, walk: Walk): Waiting[] {
  const { digest, record, next } = made;
  const now = walk.ports.clock.now();
  if (next !== undefined) {
    const { kind, priority, depth, outside, hops, key, claim = NO_CLAIM } = page;
    if (depth === 0) walk.scope.widen(page.url, next);
    const hop = { url: next, kind, priority, depth, outside, hops: hops + 1, parent: key, claim };
    return walk.admit.mentions([hop], now);
  }
  if (digest === undefined || (record.flags & FLAGS.nofollow) !== 0) return [];
  const { links: urls, contexts, sitemaps, lastmods } = digest;
  const changedAt = parseHttpDate(record.lastModified, now);
  return walk.admit.links(page, { urls, contexts, sitemaps, lastmods, changedAt }, now);
}

async function settleForbidden(
  lease: PageLease,
  forbidden: NonNullable<PageLease['forbidden']>,
  walk: Walk,
): Promise<void> {
  const { waiting } = lease;
  const now = walk.ports.clock.now();
  const { reason, until } = forbidden;
  const before = waiting.again ? await lastVisit(lease, walk) : undefined;
  const fate = { state: 'skipped', reason, sign: 'none', retryAt: until, retryAfterMs: 0 } as const;
  const outcome = { kind: 'refused', address: '', detail: reason } as const;
  const skipped = visitedRecord({
    ...{ waiting, before, outcome, fate, now, recrawl: walk.recrawl, host: lease.host },
    ...{ digest: undefined, redirectTo: undefined },
  });
  const record = { ...skipped, flags: skipped.flags | (forbidden.flags ?? 0) };
  await walk.settling.add({
    lease,
    settled: { waiting, record },
    candidates: [],
    change: changeOf(record),
  });
}

function changeOf(record: UrlRecord, outcome?: Outcome): Partial<Totals> {
  const wasAsked = outcome !== undefined && outcome.kind !== 'refused' && record.kind === 'page';
  const isPublicPage = wasAsked && isPublic(record.remoteAddress);
  const change = {
    waiting: -1,
    asked: wasAsked ? 1 : 0,
    askedPublic: isPublicPage ? 1 : 0,
  };
  return { ...change, [COUNTED_AS[record.state]]: 1 };
}

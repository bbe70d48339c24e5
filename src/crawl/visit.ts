/**
 * THE PATH, second half: a lease becomes a stored page.
 *
 *   lease → address, turn → fetch → judge → digest → record → publish, admit links → settle
 *           address.ts      exchange.ts      ../content/digest     admit.ts          settle.ts
 *                                   ../frontier/judge  ../content/visited
 *
 * Robots were asked when the lease was given (../frontier/): a URL they forbid arrives here
 * marked, and is settled without a request. robots.txt itself is fetched by visit-robots.ts.
 * A page that shows little without its scripts waits for a browser before it is settled
 * (render.ts).
 */
import type { Writable } from '../base/writable.ts';
import {
  type Digest,
  directedRecord,
  fetchEvent,
  keepsBody,
  pageEvent,
  regionOf,
  type TextPrint,
  visitedRecord,
} from '../content/index.ts';
import { isPublic, type Outcome, parseHttpDate, redirectOf } from '../fetch/index.ts';
import {
  exchangeOf,
  type Fate,
  judge,
  type Lease,
  type PageLease,
  type RobotsLease,
} from '../frontier/index.ts';
import type { Body } from '../ports/blob-store.ts';
import { COUNTED_AS, type Settled, type Totals } from '../ports/shard-store.ts';
import { isLowQuality, LINKS_OF_LOW_MAX, NO_CLAIM } from '../quality/index.ts';
import { FLAGS, type UrlRecord, type Waiting } from '../record/index.ts';
import { formatUrlHash } from '../url/index.ts';
import { findAddress } from './address.ts';
import { type Admitted, NONE } from './admit.ts';
import { archivedPage, keepSent } from './archived.ts';
import type { Walk } from './context.ts';
import { settleDenied } from './deny.ts';
import type { Ending } from './ending.ts';
import { exchange } from './exchange.ts';
import { settleAside } from './job-aside.ts';
import { refusedByRobots, sayingsOf } from './preferences.ts';
import { redirectProblem } from './redirect.ts';
import { visitProbe } from './visit-probe.ts';
import { visitForPage } from './visit-render.ts';
import { visitRobots } from './visit-robots.ts';

export async function visit(lease: Lease, walk: Walk, signal: AbortSignal): Promise<void> {
  if (lease.kind === 'robots') return visitErrand(lease, walk, signal);
  const denial = walk.denials.meets(lease.url);
  if (denial !== undefined) return settleDenied(lease, denial, walk);
  if (lease.aside !== undefined) return settleAside(lease, lease.aside, walk);
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
  const fate = fateOf(lease, outcome, walk);
  const digest = await digestOf(lease, outcome, fate, walk);
  const { links = [], lastmods } = digest ?? {};
  if (lastmods !== undefined && lastmods.length > 0) await walk.comeback.hint(links, lastmods);
  const answer = { lease, outcome, fate, digest, before, sent };
  return isToRender(answer, walk) ? deferPage(answer, walk) : endVisit(answer, walk);
}

async function visitErrand(lease: RobotsLease, walk: Walk, signal: AbortSignal): Promise<void> {
  const asks = walk.renders?.asks;
  if (asks?.isOurs(lease.errand)) {
    return visitForPage(lease, asks.waiterOf(lease.errand), walk, signal);
  }
  if (lease.errand.isProbe) return visitProbe(lease, walk, signal);
  await visitRobots(lease, walk, signal);
  asks?.robotsRead();
}

/**
 * A body that was cut is asked for again, changed or not (H1); so is a page that lives by its
 * scripts, of which the document says nothing (J1).
 */
function validatorsIn(before: UrlRecord | undefined): UrlRecord | undefined {
  return before !== undefined && (before.flags & UNSURE) === 0 ? before : undefined;
}

const UNSURE = FLAGS.truncated | FLAGS.rendered | FLAGS.script_only;

async function lastVisit(lease: PageLease, walk: Walk): Promise<UrlRecord | undefined> {
  const [record] = await walk.ports.store.urls([lease.waiting.key]);
  return record;
}

/** What came over the line; the bytes themselves only where an archive wants them. */
export interface Sent {
  readonly bytes: number;
  readonly body: Uint8Array | undefined;
}

/** A request that is over, and what was read of its answer. */
export interface VisitAnswer {
  readonly lease: PageLease;
  readonly outcome: Outcome;
  readonly fate: Fate;
  readonly digest: Digest | undefined;
  readonly before: UrlRecord | undefined;
  readonly sent: Sent;
  /** Set when the page waited for a browser: what that came to. */
  readonly rendering?: RenderEnd;
}

export interface RenderEnd {
  readonly flags: number;
  readonly reason: string;
  /** As it was sent, and as a picture; the rendered one is the digest's own. */
  readonly bodies: readonly Body[];
}

/** What an answer comes to. */
interface Made extends VisitAnswer {
  readonly record: UrlRecord;
  /** The next hop, when there is one and nothing is wrong with it. */
  readonly next: string | undefined;
}

function fateOf({ waiting }: PageLease, outcome: Outcome, walk: Walk): Fate {
  const now = walk.ports.clock.now();
  const random = walk.ports.random.next();
  const { retry } = walk.frontier.policy;
  return judge(outcome, { fails: waiting.fails, now, random, retry });
}

function isToRender({ lease, outcome, digest }: VisitAnswer, { renders }: Walk): boolean {
  if (renders === undefined || digest === undefined || outcome.kind !== 'answered') return false;
  return renders.wants(lease, outcome, digest);
}

/** The request is over and counts; the page itself waits in the store as it did (J2). */
async function deferPage(answer: VisitAnswer, walk: Walk): Promise<void> {
  const { lease, outcome, fate, digest } = answer;
  const { frontier, renders, settling } = walk;
  if (renders === undefined || digest === undefined || outcome.kind !== 'answered') return;
  const host = frontier.conclude(lease, exchangeOf(outcome, fate), digest.bodyBytes);
  if (host === undefined) return;
  const askedPublic = isPublic(outcome.remoteAddress) ? 1 : 0;
  await settling.add({ host, candidates: [], change: { asked: 1, askedPublic } });
  frontier.detach(lease);
  return renders.defer({ ...answer, outcome, digest }, walk);
}

export async function endVisit(answer: VisitAnswer, walk: Walk): Promise<void> {
  return settlePage(await makeOf(answer, walk), walk);
}

async function makeOf(answer: VisitAnswer, walk: Walk): Promise<Made> {
  const { lease, outcome, fate, digest, before, rendering } = answer;
  const { waiting } = lease;
  const now = walk.ports.clock.now();
  const redirect = outcome.kind === 'answered' ? redirectOf(outcome, lease.url) : undefined;
  const redirectTo = redirect?.to;
  const { recrawl } = walk;
  const { host } = lease;
  const seen = visitedRecord({
    waiting,
    before,
    outcome,
    fate,
    digest,
    redirectTo,
    now,
    recrawl,
    host,
  });
  const directed =
    outcome.kind === 'answered'
      ? directedRecord(seen, sayingsOf(lease, outcome, digest, walk))
      : seen;
  const ended = rendering === undefined ? directed : withEnd(directed, rendering);
  const region = regionOf(ended, before, walk.rules.region);
  const record = region === ended.region ? ended : { ...ended, region };
  if (redirect === undefined) return { ...answer, record, next: undefined };
  const problem = await redirectProblem(
    redirectTo,
    waiting,
    walk.rules.redirectsMax,
    walk.ports.store,
  );
  if (problem === undefined) return { ...answer, record, next: redirectTo };
  if (problem === 'redirect_loop') {
    walk.frontier.attention.blockLoop(redirectTo ? [redirectTo, waiting.url] : [waiting.url]);
  }
  const flags = record.flags | (problem === 'redirect_loop' ? FLAGS.redirect_loop : 0);
  const broken = { ...record, state: 'failed' as const, reason: problem, flags };
  return { ...answer, record: broken, next: undefined };
}

function withEnd(record: UrlRecord, { flags, reason }: RenderEnd): UrlRecord {
  return { ...record, flags: record.flags | flags, reason: record.reason || reason };
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
  if (redirectOf(outcome, lease.url) !== undefined) return undefined;
  const { decodedBytesMax, markdown } = walk.rules;
  const { url } = lease;
  const { kind } = lease.waiting;
  const { body, headers } = outcome;
  const { agent } = walk.frontier.policy;
  const few = isLowQuality(lease.host.quality) && { linksMax: LINKS_OF_LOW_MAX };
  return walk.ports.pool.digest({
    url,
    kind,
    body,
    headers,
    decodedBytesMax,
    agent,
    markdown,
    ...few,
  });
}

/**
 * Not async, and handed on by `return`: nothing of the page may be held by a frame that waits,
 * or the links of all pages on their way to the disk survive their first garbage collection.
 */
function settlePage(made: Made, walk: Walk): Promise<void> | void {
  const { lease, outcome, fate, digest, record, sent, rendering } = made;
  const { waiting } = lease;
  const asked = exchangeOf(outcome, fate);
  const bytes = digest?.bodyBytes ?? 0;
  const isConcluded = rendering !== undefined;
  const host = isConcluded ? lease.host.toRecord() : walk.frontier.conclude(lease, asked, bytes);
  if (host === undefined) return;
  const delayMs = walk.frontier.delayMsOf(lease);
  const told = asked && fetchEvent(waiting.kind, lease.url, outcome, asked, delayMs);
  const page = told && { ...told, bytes: sent.bytes, ...othersOf(rendering) };
  const event = page && pageEvent(page, record, digest?.named ?? 0);
  const isAsked = wasAsked(record, outcome);
  const settled: Writable<Settled> = { waiting, record, isAsked, bytes };
  if (digest !== undefined) settled.trace = digest.trace;
  const { candidates, foreign } = admitFrom(waiting, made, walk);
  const change = changeOf(record, isConcluded ? undefined : outcome);
  change.bytes = bytes;
  const ending: Writable<Ending> = { lease, host, settled, candidates, change };
  if (foreign !== undefined) ending.foreign = foreign;
  if (event !== undefined) ending.event = event;
  if (made.before !== undefined) ending.before = made.before;
  if (digest?.isMissing) ending.isMissing = true;
  if (digest !== undefined && keepsBody(record)) {
    ending.print = printIn(digest);
    if (walk.rules.keepBodies) addBody(ending, digest, rendering, walk);
  }
  const { archived } = archivedPage(made, sent.body, validatorsIn(made.before), walk);
  if (archived !== undefined) ending.archived = archived;
  const held = event && walk.onPage({ record, event, digest });
  if (held === undefined) return walk.settling.add(ending);
  return held.then(() => walk.settling.add(ending));
}

/** Not the digest itself: its links would live until the page is settled. */
function printIn({ simhash, words, pairs }: Digest): TextPrint {
  return { simhash, words, pairs };
}

function addBody(
  ending: Writable<Ending>,
  { contentHash: hash, body: bytes }: Digest,
  rendering: RenderEnd | undefined,
  { rules: { region } }: Walk,
): void {
  if (hash.length === 0) return;
  ending.body = { hash, bytes };
  ending.region = region;
  if (rendering !== undefined) ending.otherBodies = rendering.bodies;
}

function othersOf(rendering: RenderEnd | undefined) {
  if (rendering === undefined || rendering.bodies.length === 0) return undefined;
  return { otherHashes: rendering.bodies.map(({ hash }) => formatUrlHash(hash)) };
}

/** The next hop, or the page's links: those of them that may be new. */
function admitFrom(waiting: Waiting, made: Made, walk: Walk): Admitted {
  const { digest, record, next } = made;
  const page = ownedBy(waiting, made.before, walk);
  const now = walk.ports.clock.now();
  if (next !== undefined) {
    const { kind, priority, depth, outside, hops, key, claim = NO_CLAIM, job = 0 } = page;
    if (depth === 0) walk.rulesOf(job)?.scope.widen(page.url, next);
    const hop = { url: next, kind, priority, depth, outside, hops: hops + 1, parent: key, claim };
    return walk.admit.mentions([{ ...hop, job }], now);
  }
  if (digest === undefined || (record.flags & FLAGS.nofollow) !== 0) return NONE;
  const { links: urls, contexts, votes, sitemaps, lastmods } = digest;
  const changedAt = parseHttpDate(record.lastModified, now);
  return walk.admit.links(page, { urls, contexts, votes, sitemaps, lastmods, changedAt }, now);
}

/** A page that comes again names on behalf of the job that found it, while that names anything. */
function ownedBy(waiting: Waiting, before: UrlRecord | undefined, { rulesOf }: Walk): Waiting {
  const { job } = before ?? {};
  return waiting.job || !job || rulesOf(job) === undefined ? waiting : { ...waiting, job };
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

function wasAsked({ kind }: UrlRecord, outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome.kind !== 'refused' && kind === 'page';
}

function changeOf(record: UrlRecord, outcome?: Outcome): Writable<Partial<Totals>> {
  const isAsked = wasAsked(record, outcome);
  const isPublicPage = isAsked && isPublic(record.remoteAddress);
  const change: Writable<Partial<Totals>> = {
    waiting: -1,
    asked: isAsked ? 1 : 0,
    askedPublic: isPublicPage ? 1 : 0,
  };
  change[COUNTED_AS[record.state]] = 1;
  return change;
}

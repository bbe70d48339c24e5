/**
 * A visit to robots.txt (R1, R2): the same way as a page, under the same turns, but what it
 * leaves behind is the host's rules.
 *
 *   answered 2xx    rules for 24 h              redirected   the next hop waits for its host's turn
 *   answered 4xx    no rules for 24 h           no answer    twice more, then nothing is allowed
 */
import { fetchEvent } from '../content/index.ts';
import { type Outcome, redirectOf } from '../fetch/index.ts';
import { exchangeOf, judge, type RobotsLease, robotsRecord, rulesOf } from '../frontier/index.ts';
import { SEED_PRIORITY } from '../quality/index.ts';
import type { RobotsRecord } from '../record/index.ts';
import { canonicalize } from '../url/index.ts';
import { findAddress } from './address.ts';
import { type Mention, robotsSitemap } from './admit.ts';
import { archivedAside } from './archived.ts';
import type { Walk } from './context.ts';
import { exchange } from './exchange.ts';
import { type Elsewhere, robotsElsewhere } from './robots-elsewhere.ts';

const REDIRECTS_MAX = 5;

export async function visitRobots(
  lease: RobotsLease,
  walk: Walk,
  signal: AbortSignal,
): Promise<void> {
  const found = await findAddress(lease, walk, signal);
  if (found === 'another turn') return;
  const outcome =
    typeof found === 'string' ? await exchange(lease, found, undefined, walk, signal) : found;
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') {
    walk.frontier.release(lease, walk.ports.clock.now());
  } else await settleRobots(lease, outcome, walk);
}

async function settleRobots(lease: RobotsLease, outcome: Outcome, walk: Walk): Promise<void> {
  const { frontier } = walk;
  const now = walk.ports.clock.now();
  const random = walk.ports.random.next();
  const { retry } = frontier.policy;
  const fate = judge(outcome, { fails: 0, now, random, retry });
  const asked = exchangeOf(outcome, fate);
  if (frontier.conclude(lease, asked, 0) === undefined) return;
  const elsewhere = await elsewhereOf(lease, outcome, walk);
  const { records, sitemaps } = takeIn(lease, outcome, elsewhere, walk);
  const named = [...sitemaps, ...(elsewhere?.named ?? [])];
  const event = asked && fetchEvent('robots', lease.url, outcome, asked, frontier.delayMsOf(lease));
  if (event) walk.onRobots(event);
  const owner = lease.errand.for;
  // Whoever has its arc by now asks for itself.
  const read = owner.presence === 'gone' ? undefined : records;
  await walk.settling.add({
    lease,
    // As it is now: a robots.txt that could not be read has moved the host's turn.
    host: lease.host.toRecord(),
    ...(event && { event }),
    ...archivedAside('robots', lease.url, outcome, walk),
    ...(read && { robots: { host: owner.key, records: read } }),
    ...(read && owner !== lease.host && { resting: [owner.toRecord()] }),
    ...walk.admit.mentions(named, now),
    change: {},
  });
}

async function elsewhereOf({ url, errand }: RobotsLease, outcome: Outcome, walk: Walk) {
  const to = outcome.kind === 'answered' ? redirectOf(outcome, url)?.to : undefined;
  if (to === undefined || errand.hops >= REDIRECTS_MAX) return undefined;
  return robotsElsewhere(to, errand.job, walk);
}

/** Hands the answer to the host that needs it, or the errand to the next hop. */
function takeIn(
  lease: RobotsLease,
  answer: Outcome,
  elsewhere: Elsewhere | undefined,
  walk: Walk,
): { records?: readonly RobotsRecord[]; sitemaps: Mention[] } {
  const { errand } = lease;
  const outcome = elsewhere?.read ?? answer;
  const redirect = outcome.kind === 'answered' ? redirectOf(outcome, lease.url) : undefined;
  if (redirect?.to !== undefined && errand.hops < REDIRECTS_MAX) {
    walk.frontier.errands.forward(errand, redirect.to);
    return { sitemaps: [] };
  }
  const before = errand.for.lastRobots(errand.origin);
  const now = walk.ports.clock.now();
  const { policy } = walk.frontier;
  const isUnread = elsewhere?.isUnread;
  const read = robotsRecord(errand.origin, outcome, before, now, policy, isUnread);
  const records = walk.frontier.setRobots(errand, read.record, read.retryAt);
  return { records, sitemaps: walk.rules.sitemaps ? sitemapsOf(read.record, errand.job) : [] };
}

function sitemapsOf(record: RobotsRecord, job: number | undefined): Mention[] {
  return rulesOf(record).sitemaps.flatMap((href) => {
    const url = canonicalize(href, `${record.origin}/`);
    return url === undefined ? [] : [robotsSitemap(url, SEED_PRIORITY.normal, job)];
  });
}

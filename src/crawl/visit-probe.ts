/**
 * A visit to a page that cannot exist (C3), once per host that gives a reason: whatever answers
 * it with 200 and a body answers so to every dead link. Under the same turns, robots and scope
 * as any page; what it leaves behind is a line in the host's sketch, never a page of the crawl.
 */
import { fetchEvent } from '../content/index.ts';
import { type Outcome, redirectOf } from '../fetch/index.ts';
import { exchangeOf, judge, type RobotsLease } from '../frontier/index.ts';
import { findAddress } from './address.ts';
import type { Walk } from './context.ts';
import { exchange } from './exchange.ts';

interface Answer {
  readonly hash: number;
  readonly simhash: bigint;
}

const NO_PAGE: Answer = { hash: 0, simhash: 0n };

export async function visitProbe(
  lease: RobotsLease,
  walk: Walk,
  signal: AbortSignal,
): Promise<void> {
  const outcome = walk.isInScope(lease.url)
    ? await ask(lease, walk, signal)
    : ({ kind: 'refused', address: '', detail: 'out of scope' } as const);
  if (outcome === 'another turn') return;
  const { frontier, ports } = walk;
  const now = ports.clock.now();
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') {
    return frontier.release(lease, now);
  }
  const random = ports.random.next();
  const asked = exchangeOf(
    outcome,
    judge(outcome, { fails: 0, now, random, retry: frontier.policy.retry }),
  );
  const host = frontier.conclude(lease, asked, 0);
  if (host === undefined) return;
  const { hash, simhash } = await answerOf(lease, outcome, walk);
  const event = asked && fetchEvent('probe', lease.url, outcome, asked, frontier.delayMsOf(lease));
  const sketches = frontier.attention.probed(lease.host, hash, simhash, now);
  await walk.settling.add({
    lease,
    host,
    sketches,
    ...(event && { event }),
    ...{ candidates: [], change: {} },
  });
}

async function ask(
  lease: RobotsLease,
  walk: Walk,
  signal: AbortSignal,
): Promise<Outcome | 'another turn'> {
  const found = await findAddress(lease, walk, signal);
  if (found === 'another turn' || typeof found !== 'string') return found;
  return exchange(lease, found, undefined, walk, signal);
}

/** What stands there, when the host says that something does. */
async function answerOf(lease: RobotsLease, outcome: Outcome, walk: Walk): Promise<Answer> {
  if (outcome.kind !== 'answered' || outcome.status < 200 || outcome.status > 299) return NO_PAGE;
  if (redirectOf(outcome, lease.url) !== undefined) return NO_PAGE;
  const { body, headers } = outcome;
  const { decodedBytesMax } = walk.rules;
  const { agent } = walk.frontier.policy;
  const page = { url: lease.url, kind: 'page', body, headers, decodedBytesMax, agent } as const;
  const { contentHash, simhash } = await walk.ports.pool.digest(page);
  if (contentHash.length === 0) return NO_PAGE;
  return { hash: Buffer.from(contentHash).readUInt32BE(0), simhash };
}

/**
 * A visit for a page that is being rendered: a script, data, a frame. The same way as a page,
 * under the same turns and address rules; what comes of it goes to the page that asked (J2), and
 * a line into the log, as of every request (P7).
 */
import { fetchEvent } from '../content/index.ts';
import type { Outcome } from '../fetch/index.ts';
import { exchangeOf, judge, type RobotsLease } from '../frontier/index.ts';
import { findAddress } from './address.ts';
import { archivedAside } from './archived.ts';
import type { Walk } from './context.ts';
import { exchange } from './exchange.ts';

export async function visitForPage(
  lease: RobotsLease,
  answer: ((outcome: Outcome) => void) | undefined,
  walk: Walk,
  signal: AbortSignal,
): Promise<void> {
  const { frontier, ports } = walk;
  // The page has ended meanwhile: the turn goes to somebody else.
  if (answer === undefined) return frontier.settle(lease);
  const found = await findAddress(lease, walk, signal);
  if (found === 'another turn') return;
  const outcome =
    typeof found === 'string' ? await exchange(lease, found, undefined, walk, signal) : found;
  const now = ports.clock.now();
  const random = ports.random.next();
  const { retry } = frontier.policy;
  const asked = exchangeOf(outcome, judge(outcome, { fails: 0, now, random, retry }));
  const host = frontier.conclude(lease, asked, 0);
  if (host !== undefined) {
    const delayMs = frontier.delayMsOf(lease);
    const event = asked && fetchEvent('asset', lease.url, outcome, asked, delayMs);
    await walk.settling.add({
      ...{ lease, host, candidates: [], change: {} },
      ...(event && { event }),
      ...archivedAside('asset', lease.url, outcome, walk),
    });
  }
  answer(outcome);
}

/**
 * A step of the path: what the site says about the use of a page (R3, R5), by the robots.txt
 * that the lease was given under and by the answer itself.
 */

import type { Sayings } from '../content/index.ts';
import { type Digest, type Directives, directivesOf } from '../content/index.ts';
import type { Answered } from '../fetch/index.ts';
import { type Forbidden, type PageLease, rulesOf } from '../frontier/index.ts';
import { NO_USAGE, refusedPurpose, type Usage } from '../robots/index.ts';
import { originOf } from '../url/index.ts';
import type { Walk } from './context.ts';

/** The robots.txt that is current as the page is fetched; it may have run out since the lease. */
function robotsUsage({ host, url }: PageLease, walk: Walk): Usage {
  const origin = originOf(url);
  const { agent } = walk.frontier.policy;
  const current = host.robotsFor(origin, walk.ports.clock.now());
  if (current !== undefined) return current.rules.usage(agent, url);
  const last = host.lastRobots(origin);
  return last === undefined ? NO_USAGE : rulesOf(last).usage(agent, url);
}

/** Why a page is not even asked for: robots.txt says no to what the crawl is for. */
export function refusedByRobots(lease: PageLease, walk: Walk): Forbidden | undefined {
  const { purposes } = walk.rules;
  if (purposes.length === 0 || lease.waiting.kind !== 'page') return undefined;
  const refused = refusedPurpose(robotsUsage(lease, walk), purposes);
  if (refused === undefined) return undefined;
  const { source, purpose } = refused;
  return { reason: `${source} says no to ${purpose}, which this crawl is for`, until: 0 };
}

export function sayingsOf(
  lease: PageLease,
  answer: Answered,
  digest: Digest | undefined,
  walk: Walk,
): Sayings {
  const now = walk.ports.clock.now();
  const { purposes } = walk.rules;
  if (answer.status === 304) return { page: undefined, robots: NO_USAGE, purposes, now };
  const { headers } = answer;
  const directives: Directives =
    digest?.directives ?? directivesOf(headers, [], walk.frontier.policy.agent);
  return { page: { headers, directives }, robots: robotsUsage(lease, walk), purposes, now };
}

/**
 * The frontier: what is asked next, and when.
 *
 *   window.ts     the best URLs of a host, in memory    policy.ts   the numbers
 *   host.ts       a host and what it waits for          ratings.ts  another rating while it goes on
 *   group.ts      hosts behind one address              ready.ts    whose turn has come
 *   lease.ts      the right to one request              frontier.ts push, take, settle
 *   leases.ts     those that are out, and whose         lines.ts    who is near those who are ready
 *   judge.ts      what an answer means                  turn.ts     when a host may be asked again
 *   turns.ts      who may be asked now, who sleeps       budget.ts   limits on the whole crawl
 *   rest.ts       pauses of which no answer tells        arc-hosts.ts   arcs that come and go
 *   attention.ts  what pages have shown, and what URLs deserve
 *   address-table.ts   whose turn an address is, of several nodes
 *   errands.ts    requests that are no page of the queue
 *   awake.ts      whose sketches are in memory          robots-rules.ts   robots.txt, read once
 *   robots-record.ts   what reading robots.txt came to   robots-verdict.ts   what it forbids
 */
export { AddressTable, type Claimant, COME_BACK_SHARE, type TurnTerms } from './address-table.ts';
export { Attention, type Noticed, type SeenPage, type Standing } from './attention.ts';
export { Budget, type BudgetLimits, type Exhausted, type Spent } from './budget.ts';
export { Frontier } from './frontier.ts';
export type { Errand, Host } from './host.ts';
export { type Circumstances, type Fate, judge, type Sign } from './judge.ts';
export {
  type Aside,
  asksNothing,
  type Forbidden,
  type JobGate,
  type Lease,
  type PageLease,
  type RobotsLease,
} from './lease.ts';
export type { Nearness, Taker } from './lines.ts';
export { POLITE, type Politeness, type QualityPolicy, type RetryPolicy } from './policy.ts';
export type { HostRating, Ratings } from './ratings.ts';
export { restAddressUntil, restHost } from './rest.ts';
export { type RobotsRead, robotsRecord } from './robots-record.ts';
export { rulesOf } from './robots-rules.ts';
export { addressDelayMsOf, delayMsOf, type Exchange, exchangeOf } from './turn.ts';
export type { Fits } from './turns.ts';

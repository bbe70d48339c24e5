/**
 * THE PATH: from a seed to a stored page, step by step.
 *
 *   admit.ts     mention → scope → owner → seen? → remember → queue
 *   worker.ts    takes leases from the frontier, visits them
 *   visit.ts     lease → address → fetch → judge → digest → links → settle
 *     address.ts       which address, and is it its turn
 *     neighbours.ts    … also of other nodes, whose hosts have the same address
 *     exchange.ts      one request
 *     redirect.ts      what is wrong with a redirect
 *     visit-robots.ts  the same way for robots.txt
 *   settle.ts    body, event, links and record become durable together
 *   node.ts      an owner of arcs: opens or joins a cluster, plants seeds, runs
 *     arcs.ts          which arcs it acts for, and while when    keeper.ts    taking and leaving one
 *     trouble.ts       an engine of the cluster is away
 *   due-store.ts a store with an index of what is due beside it: due-fill.ts fills it again
 *   lend.ts      requests that others make: loan.ts one of them, lend-result.ts what it brought
 *   fetcher.ts   such a fetcher: leases, asks, brings back     check-and-add.ts   which URLs are new
 *   outwork.ts   pages that others read (readings.ts) or render (renderings.ts)   hand.ts   such a one
 *   ring-member.ts   a node that finds owners on a ring: chord with real peers and real time
 *   ring-node.ts     … and owns arcs of it: ring-arcs.ts their steps and copies (ring-arcs-*.ts), ring-calls.ts
 *   ring-group.ts    a ring as a group: mentions to owners (ring-inbox.ts, ring-caller.ts)
 *   ring-tenures.ts  … how long a node may act        ring-book.ts   the jobs of a ring (-keeper, -wire)
 *   ring-lend.ts     an owner that is full lends (ring-lend-*.ts as bytes); ring-borrow.ts, ring-lender.ts a helper
 *   ring-address.ts  … whose turn an address is (-tables, -wire)   ring-rules.ts   what all have alike
 *   ring-survey.ts   what is asked about a ring: ring-walk.ts all nodes, ring-report.ts one as bytes
 *   context.ts   what every step is given
 *   rank.ts      hosts rated by their links, waiting URLs ordered by it (rank-*.ts)
 *   metrics.ts   every metric by name; metrics-ports.ts counts beside the path (metrics-*.ts)
 *   serve-lookups.ts   rows and slices for the service     serve-surveys.ts   … and the whole (survey-*.ts)
 *   session.ts   a crawl as its user sees it      answers.ts   what can be asked of it
 */
export { type Mention, refusal, seedMention } from './admit.ts';
export type { VisitedPage, VisitPorts, VisitRules, Walk } from './context.ts';
export type { CrawlMetrics, Known, MeasuredSession } from './metrics.ts';
export { CrawlNode, type Membership, type NodePlan, type NodePorts } from './node.ts';
export { Ranking, type RankQuery, type RankReport, type TopHost } from './rank.ts';
export { crawlingDesk, restingDesk } from './rank-desk.ts';
export { RingBook, type RingBookPorts } from './ring-book.ts';
export { RingGroup, type RingGroupPorts } from './ring-group.ts';
export {
  type JoinEnd,
  RingMember,
  type RingMemberOptions,
  type RingView,
} from './ring-member.ts';
export { NODE_RULES, RingNode, type RingNodeOptions } from './ring-node.ts';
export { RingTenures } from './ring-tenures.ts';
export type { CrawlProgress, CrawlRequest, CrawlSession, CrawlSummary } from './session.ts';
export type { RunEnd } from './worker.ts';

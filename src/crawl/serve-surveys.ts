/**
 * What the dashboard wants to see at a glance and no single row tells (O2): orders over all
 * hosts, the end of the log, samples and counts. Each answer costs a bounded amount of memory,
 * and a time that its file says; what walks past everything is done one at a time.
 *
 *   hosts in an order, hosts with something wrong     survey-hosts.ts
 *   one host: robots.txt, its queue                   survey-host.ts
 *   one host and one URL: what the log says           survey-history.ts
 *   links to a page                                   survey-links.ts
 *   arcs, freshness, copies                           survey-shards.ts, -fresh.ts, -copies.ts
 */
import { SECOND_MS } from '../base/instant.ts';
import type { EventSearch } from '../ports/event-search.ts';
import type { WaitingPlace } from '../ports/shard-store.ts';
import { type HostKey, hostKeyOf, type UrlKey } from '../record/index.ts';
import type { PageAnswer } from './answers.ts';
import type { AnswerSources } from './ask-sources.ts';
import { heldFor } from './held.ts';
import type { Shards } from './metrics-shards.ts';
import type { Slice } from './serve-lookups.ts';
import { type CopiesAnswer, CopySurvey } from './survey-copies.ts';
import { type Freshness, freshnessOf } from './survey-fresh.ts';
import { type Timeline, timelineOf, type Versions, versionsOf } from './survey-history.ts';
import { type Queue, queueOf, type RobotsAnswer, robotsOf } from './survey-host.ts';
import {
  type FlaggedHost,
  flaggedHosts,
  type HostsWanted,
  type OrderedHosts,
  orderedHosts,
} from './survey-hosts.ts';
import { type LinksIn, linksInto } from './survey-links.ts';
import { type ShardCounts, ShardSurvey } from './survey-shards.ts';

export interface Surveys {
  hosts(wanted: HostsWanted): Promise<OrderedHosts>;
  flagged(after: HostKey | undefined, limit: number): Promise<Slice<FlaggedHost>>;
  robots(host: string, path: string): Promise<readonly RobotsAnswer[] | undefined>;
  queue(host: string, after: WaitingPlace | undefined, limit: number): Promise<Queue>;
  timeline(host: string): Promise<Timeline>;
  versions(url: string): Promise<Versions>;
  linksTo(page: PageAnswer, after: UrlKey | undefined): Promise<LinksIn>;
  shards(): Promise<readonly ShardCounts[]>;
  freshness(): Promise<Freshness>;
  copies(): Promise<CopiesAnswer>;
  close(): Promise<void>;
}

const FRESH_HOLDS_MS = 5 * SECOND_MS;

export function makeSurveys(sources: AnswerSources, log: EventSearch, shards: Shards): Surveys {
  const { store, clock } = sources;
  const inTurn = oneAtATime();
  const byShard = new ShardSurvey(store, shards, clock);
  const copies = new CopySurvey(sources);
  const fresh = heldFor(FRESH_HOLDS_MS, clock, () => freshnessOf(sources));
  return {
    hosts: (wanted) => inTurn(() => orderedHosts(sources, wanted)),
    flagged: (after, limit) => inTurn(() => flaggedHosts(sources, after, limit)),
    robots: (host, path) => robotsOf(sources, host, path),
    queue: (host, after, limit) => queueOf(sources, hostKeyOf(host), after, limit),
    timeline: (host) => inTurn(() => timelineOf(log, host, clock.now())),
    versions: (url) => inTurn(() => versionsOf(log, url)),
    linksTo: ({ url, parent }, after) => inTurn(() => linksInto(sources, url, parent, after)),
    shards: () => byShard.counts(),
    freshness: fresh,
    copies: () => copies.answer(),
    close: () => copies.close(),
  };
}

/** However many ask, one walk past everything is under way. */
function oneAtATime(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act);
    last = next.catch(() => undefined);
    return next;
  };
}

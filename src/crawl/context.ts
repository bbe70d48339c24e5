/**
 * What every step of the path is given: the ports it awaits, the rules it follows, and the
 * node's own memory. Made once, by node.ts.
 */
import type { Rules } from '../comply/index.ts';
import type { Digest } from '../content/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { HeadersOf } from '../fetch/index.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { FetchLimits, Http } from '../ports/http.ts';
import type { ParserPool } from '../ports/parser-pool.ts';
import type { Random } from '../ports/random.ts';
import type { Resolver } from '../ports/resolver.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import type { MarkdownOptions } from '../readable/index.ts';
import type { UrlRecord } from '../record/index.ts';
import type { Recrawl } from '../recrawl/index.ts';
import type { Recent } from '../seen/index.ts';
import type { Admit, RulesOf } from './admit.ts';
import type { Arcs } from './arcs.ts';
import type { Neighbours } from './neighbours.ts';
import type { Comeback } from './recrawl.ts';
import type { Renders } from './render.ts';
import type { Settling } from './settle.ts';

export interface VisitPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly resolver: Resolver;
  readonly http: Http;
  readonly pool: ParserPool;
  readonly store: ShardStore;
}

export interface VisitRules {
  readonly limits: FetchLimits;
  readonly decodedBytesMax: number;
  readonly keepBodies: boolean;
  /** The tag of bodies that are stored from now on (G2); empty is none. */
  readonly region: string;
  /** Whether an archive is written as the crawl goes (B6). */
  readonly archives: boolean;
  /** What the crawl is for (R5): pages whose site says no to it are not kept. */
  readonly purposes: readonly string[];
  readonly headersOf: HeadersOf;
  readonly wants: (mediaType: string) => boolean;
  readonly redirectsMax: number;
  /** Nothing is held back, so nobody but our own machines may be asked. */
  readonly privateOnly: boolean;
  /** Read the sitemaps that robots.txt names (X2). */
  readonly sitemaps: boolean;
  /** Make Markdown of each page, so (X5); undefined when nobody wants it. */
  readonly markdown: MarkdownOptions | undefined;
}

/** What a visit tells its listeners, before it is settled. */
export interface VisitedPage {
  readonly record: UrlRecord;
  readonly event: FetchEvent;
  readonly digest: Digest | undefined;
}

export interface Walk {
  readonly ports: VisitPorts;
  readonly rules: VisitRules;
  readonly frontier: Frontier;
  readonly admit: Admit;
  /** What the pages of a job may name. */
  readonly rulesOf: RulesOf;
  readonly isInScope: (url: string) => boolean;
  readonly recent: Recent;
  readonly settling: Settling;
  /** When pages are visited again, and what brings them back. */
  readonly recrawl: Recrawl;
  readonly comeback: Comeback;
  /** Which arcs may be acted for; undefined for a node that is alone, and owns them all. */
  readonly arcs?: Arcs | undefined;
  /** Turns at addresses that others' hosts have, too; undefined where no other node is told. */
  readonly neighbours?: Neighbours | undefined;
  /** What may not be asked any more (G1). */
  readonly denials: Rules;
  /** Pages that wait for a browser (J1); undefined where none is ever used. */
  readonly renders?: Renders | undefined;
  /** Awaited for each page before it is settled: a slow reader slows the crawl down (L5). */
  readonly onPage: (page: VisitedPage) => Promise<void> | undefined;
  /** Told of each request for a robots.txt. */
  readonly onRobots: (event: FetchEvent) => void;
}

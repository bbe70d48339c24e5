/**
 * What can be asked of a crawl folder, whether its crawl runs or not (A4): the running crawl
 * answers through a socket in its folder, with the same words.
 */
import type { Totals } from '../ports/shard-store.ts';
import type { HostRecord, LinkEdge, UrlRecord } from '../record/index.ts';

export interface Answers {
  status(): Promise<StatusAnswer>;
  /** In key order: host by host. */
  pages(query: PagesQuery): AsyncIterable<UrlRecord>;
  links(query: LinksQuery): AsyncIterable<LinkAnswer>;
  why(url: string): Promise<WhyAnswer>;
  audit(): Promise<PolitenessAudit>;
  body(url: string): Promise<Uint8Array | undefined>;
}

export interface StatusAnswer {
  readonly dir: string;
  readonly seeds: readonly string[];
  readonly isRunning: boolean;
  readonly totals: Totals;
  readonly byState: Readonly<Record<string, number>>;
  readonly hosts: readonly HostRecord[];
}

export interface PagesQuery {
  readonly state?: string;
  readonly host?: string;
  readonly limit?: number;
}

export interface LinksQuery {
  readonly url?: string;
  readonly limit?: number;
}

export interface LinkAnswer extends LinkEdge {
  readonly source: string;
}

export interface WhyAnswer {
  readonly url: string;
  readonly verdict: string;
  /** The story, one sentence a step, oldest first. */
  readonly story: readonly string[];
  readonly record?: UrlRecord;
}

export interface PolitenessAudit {
  readonly requests: number;
  readonly hosts: readonly HostAudit[];
  readonly violations: number;
}

export interface HostAudit {
  readonly host: string;
  readonly requests: number;
  /** Smallest pause from one request's answer to the next request's start, and what was owed then. */
  readonly smallestGapMs: number;
  readonly owedMs: number;
  /** Most requests in any window of the owed pause. */
  readonly mostInWindow: number;
  readonly violations: number;
}

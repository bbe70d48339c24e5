/**
 * What can be asked of a crawl folder, whether its crawl runs or not (A4): the running crawl
 * answers through a socket in its folder, with the same words. `ask.ts` answers from a store,
 * `ask-wire.ts` puts questions and answers through a wire.
 */
import type { Capture } from '../archive/index.ts';
import type { Instant } from '../base/instant.ts';
import type { HostAudit } from '../frontier/audit.ts';
import type { Totals } from '../ports/shard-store.ts';
import type { HostRecord, LinkEdge, UrlRecord } from '../record/index.ts';
import type { Change } from '../recrawl/index.ts';
import type { RecrawlAnswer, RecrawlQuery } from './ask-recrawl.ts';
import type { ComplyAnswers } from './comply-answers.ts';
import type { Job, JobAct, Steered } from './job-view.ts';
import type { RankQuery, RankReport } from './rank.ts';
import type { RenderCounts } from './render.ts';

/** Of a page that was rendered there are more: as the server sent it, and its picture (J1). */
export type BodyForm = 'read' | 'sent' | 'screenshot';

export interface Answers extends ComplyAnswers {
  status(): Promise<StatusAnswer>;
  /** In key order: host by host. */
  pages(query: PagesQuery): AsyncIterable<PageAnswer>;
  links(query: LinksQuery): AsyncIterable<LinkAnswer>;
  why(url: string): Promise<WhyAnswer>;
  audit(query?: AuditQuery): Promise<PolitenessAudit>;
  /** Rates hosts now (Q2); whoever asks while that is done gets the same answer. */
  rank(query: RankQuery): Promise<RankReport>;
  /** Makes pages due at once (T4). */
  recrawl(query: RecrawlQuery): Promise<RecrawlAnswer>;
  /** What became of pages since an instant (B7), in key order. */
  changes(query: ChangesQuery): AsyncIterable<Change>;
  /** The decoded body as it was stored; undefined when there is none. */
  body(url: string, form?: BodyForm): Promise<Uint8Array | undefined>;
  /** Like pages(), with the headers of the last answer: for archives. */
  captures(query: PagesQuery): AsyncIterable<Capture>;
  /** In key order. */
  hosts(query: HostsQuery): AsyncIterable<HostRecord>;
  /** The newest first; the last is the crawl itself. */
  jobs(): Promise<readonly Job[]>;
  /** An operator's word on a job; rejects where no crawl runs. */
  steerJob(query: SteerQuery): Promise<Steered>;
}

export interface SteerQuery {
  readonly id: number;
  readonly act: JobAct;
}

export interface StatusAnswer {
  readonly dir: string;
  readonly seeds: readonly string[];
  readonly isRunning: boolean;
  readonly now: Instant;
  readonly totals: Totals;
  /** From the totals: `failed` includes the dead ones. */
  readonly byState: Readonly<Record<string, number>>;
  readonly judged: Judged;
  /** Pages and the browser, of the run that is under way (J2). */
  readonly renders?: RenderCounts;
  /** At most 20: hosts in trouble first, then those with the most pages. */
  readonly hosts: readonly HostRecord[];
}

/** What was found out about pages and hosts besides their answers. */
export interface Judged {
  /** Pages with the bytes of another, and with nearly its words. */
  readonly copies: number;
  readonly nearDuplicates: number;
  /** Pages that are missing pages in disguise, and hosts that answer so. */
  readonly soft404s: number;
  readonly soft404Hosts: number;
  /** Hosts with a trap, and the kinds of addresses that are cut off there. */
  readonly trapHosts: number;
  readonly trapShapes: number;
  /** Hosts that mostly repeat others, and hosts that wait for a person's look. */
  readonly farmHosts: number;
  readonly deniedHosts: number;
  /** Waiting URLs that are over the budget of their domain. */
  readonly parked: number;
  /** URLs whose next visit is due, counted up to 1,000, and for how long the first has been. */
  readonly due: number;
  readonly lagMs: number;
}

export interface PageAnswer extends UrlRecord {
  /** The page that this one nearly repeats. */
  readonly originalUrl?: string;
}

/** A limit of 0, or none, means all. */
export interface PagesQuery {
  readonly state?: string;
  /** One of `FLAGS`. */
  readonly flag?: string;
  /** A name stands for all its ports; `name:port` for one. */
  readonly host?: string;
  /** Whose bodies are stored under that tag. */
  readonly region?: string;
  readonly limit?: number;
}

export interface ChangesQuery {
  readonly since: Instant;
  readonly host?: string;
}

export interface LinksQuery {
  /** The page whose links are wanted; all pages when left out. */
  readonly url?: string;
  readonly host?: string;
  readonly limit?: number;
}

export interface HostsQuery {
  /** A name stands for all its ports; `name:port` for one. */
  readonly host?: string;
}

export interface LinkAnswer extends LinkEdge {
  readonly source: string;
}

/** In one word: what became of the URL, or why nothing did. */
export type WhyVerdict =
  | 'not a URL'
  | 'out of scope'
  | 'too deep'
  | 'trap'
  | 'never heard of'
  | 'waiting'
  | 'forbidden'
  | 'denied'
  | 'skipped'
  | 'fetched'
  | 'retrying'
  | 'dead'
  | 'failed';

export interface WhyAnswer {
  /** Canonical, or as given when it is no URL. */
  readonly url: string;
  readonly verdict: WhyVerdict;
  /** The story, one sentence a step, oldest first. */
  readonly story: readonly string[];
  readonly record?: UrlRecord;
  /** The page that it nearly repeats. */
  readonly originalUrl?: string;
  readonly host?: HostRecord;
  readonly notes?: HostNotes;
}

/** What was noticed about a host's pages, as far as it concerns a URL. */
export interface HostNotes {
  /** The kind of addresses that the URL belongs to is cut off. */
  readonly trap?: TrapNote;
  readonly soft404?: Noticed;
  readonly farm?: Noticed;
  /** A redirect led to it in a circle. */
  readonly isLoop?: boolean;
}

export interface Noticed {
  readonly since: Instant;
  /** A sentence for the owner of the site. */
  readonly reason: string;
}

export interface TrapNote extends Noticed {
  /** The addresses meant, such as `/calendar/*`. */
  readonly shape: string;
  readonly kind: string;
  /** Pages that it had cost when it was found, and how many were kept out since. */
  readonly fetched: number;
  readonly skipped: number;
  /** When some of them are looked at again. */
  readonly lookAt: Instant;
  /** With so many parameters they are still asked; 0 when none is. */
  readonly parametersMax: number;
}

export interface AuditQuery {
  readonly host?: string;
  /** Hosts in the answer, the worst first; the sums are always over all. */
  readonly limit?: number;
}

/** `frontier/audit.ts` says what each number means. */
export interface PolitenessAudit {
  readonly requests: number;
  readonly hostCount: number;
  readonly violations: number;
  readonly hosts: readonly HostAudit[];
}

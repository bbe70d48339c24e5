/** What the API answers, as its own schemas have it; the test in a browser holds both together. */
import type { Static } from 'typebox';
import type { FETCH } from '../../api/host-more.ts';
import type { HOST, HOST_DETAIL, TRAP } from '../../api/host-view.ts';
import type { PAGE } from '../../api/page-view.ts';
import type { PROBLEM } from '../../api/problem.ts';
import type {
  RING,
  RING_ARC,
  RING_NODE,
  RING_NODE_DETAIL,
  RING_PEER,
} from '../../api/ring-view.ts';
import type { PROGRESS } from '../../api/stats.ts';

export type Page = Static<typeof PAGE>;
export type Host = Static<typeof HOST>;
export type HostDetail = Static<typeof HOST_DETAIL>;
export type Trap = Static<typeof TRAP>;
export type Fetch = Static<typeof FETCH>;
export type Progress = Static<typeof PROGRESS>;
export type Problem = Static<typeof PROBLEM>;
export type Ring = Static<typeof RING>;
export type RingNode = Static<typeof RING_NODE>;
export type RingNodeDetail = Static<typeof RING_NODE_DETAIL>;
export type RingArc = Static<typeof RING_ARC>;
export type RingPeer = Static<typeof RING_PEER>;

export interface Stats {
  readonly seeds: number;
  readonly judged: Readonly<Record<string, number>>;
  readonly totals: Readonly<Record<string, number>>;
  readonly run: Progress;
}

export interface Why {
  readonly url: string;
  readonly verdict: string;
  readonly story: readonly string[];
  readonly original_url?: string;
  readonly page?: Page;
  readonly host?: Host;
}

export interface Link {
  readonly target: string;
  readonly text: string;
  readonly rel: string;
  readonly kind: string;
}

export interface LinkIn {
  readonly source: string;
  readonly source_hash: string;
  readonly text: string;
  readonly rel: string;
  readonly kind: string;
  readonly is_first: boolean;
}

export interface Receipt {
  readonly job_id: string;
  readonly queued_urls: number;
  readonly known_urls: number;
  readonly refused_urls: number;
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
}

export interface Job {
  readonly job_id: string;
  readonly name: string;
  readonly state: 'running' | 'paused' | 'done' | 'cancelled';
  readonly ended_by?: string;
  readonly created_at: string;
  readonly ended_at?: string;
  readonly seeds: number;
  readonly priority: string;
  readonly scope: string;
  readonly crawl_depth?: number;
  readonly limits: { readonly pages?: number; readonly until?: string };
  readonly counts: Readonly<
    Record<'named' | 'waiting' | 'held' | 'fetched' | 'failed' | 'skipped' | 'bytes', number>
  >;
}

/** How far back the log was looked through. */
interface Looked {
  readonly since?: string;
  readonly is_whole: boolean;
}

export interface HostHistory extends Looked {
  readonly step_ms: number;
  readonly fetches: number;
  readonly steps: readonly {
    readonly at: string;
    readonly fetched: number;
    readonly failed: number;
    readonly bytes: number;
    readonly pause_ms_max: number;
  }[];
  readonly latest: readonly Fetch[];
}

export interface Versions extends Looked {
  readonly versions: readonly Fetch[];
}

export interface Waiting {
  readonly url: string;
  readonly url_hash: string;
  readonly priority: number;
  readonly rank: number;
  readonly depth: number;
  readonly admitted_at?: string;
  readonly fails: number;
  readonly again: boolean;
}

export interface RobotsVerdict {
  readonly origin: string;
  readonly status: number;
  readonly allowed: boolean;
  readonly line?: number;
  readonly rule?: string;
  readonly token?: string;
  readonly agent_lines: readonly number[];
  readonly delay_line?: number;
  readonly delay_ms?: number;
}

export interface Shard {
  readonly shard: number;
  readonly hosts: number;
  readonly waiting?: number;
  readonly visits: number;
}

export interface Freshness {
  readonly now: string;
  readonly due: number;
  readonly due_within: { readonly hour: number; readonly day: number; readonly week: number };
  readonly counted_max: number;
  readonly lag_ms: number;
  readonly latest: readonly Page[];
  readonly sampled: number;
  readonly in_time: number;
  readonly groups: readonly {
    readonly tier: number;
    readonly class: Host['class'];
    readonly pages: number;
    readonly in_time: number;
    readonly interval_ms: number;
    readonly late_ms_max: number;
  }[];
}

export interface Copies {
  readonly is_counted: boolean;
  readonly looked_urls: number;
  readonly clusters: readonly {
    readonly kind: 'near' | 'exact';
    readonly copies: number;
    readonly original_url?: string;
    readonly samples: readonly string[];
  }[];
}

interface Noticed {
  readonly since: string;
  readonly reason: string;
}

export interface WrongHost {
  readonly host: Host;
  readonly traps: readonly Trap[];
  readonly soft_404?: Noticed;
  readonly farm?: Noticed;
}

export interface Rule {
  readonly kind: string;
  readonly value: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

export interface Denylist {
  readonly denials: readonly Rule[];
  readonly holds: readonly Rule[];
  readonly complaints: number;
  readonly takedowns: number;
}

export interface TakedownReport {
  readonly audit_line: number;
  readonly removed: { readonly records: number; readonly bodies: number; readonly events: number };
  readonly kept: readonly string[];
}

export interface AuditLine {
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly action: string;
  readonly phase: string;
  readonly subject: { readonly value?: unknown };
  readonly reason: string;
  readonly outcome?: string;
}

export interface TrailVerdict {
  readonly lines: number;
  readonly pending: number;
  readonly bad?: { readonly line: number; readonly problem: string };
}

/** What the API answers, as its own schemas have it; the test in a browser holds both together. */
import type { Static } from 'typebox';
import type { HOST, HOST_DETAIL } from '../../api/host-view.ts';
import type { PAGE } from '../../api/page-view.ts';
import type { PROBLEM } from '../../api/problem.ts';
import type { PROGRESS } from '../../api/stats.ts';

export type Page = Static<typeof PAGE>;
export type Host = Static<typeof HOST>;
export type HostDetail = Static<typeof HOST_DETAIL>;
export type Progress = Static<typeof PROGRESS>;
export type Problem = Static<typeof PROBLEM>;

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

export interface Receipt {
  readonly queued_urls: number;
  readonly known_urls: number;
  readonly refused_urls: number;
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
}

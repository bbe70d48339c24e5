/**
 * A quarter: hosts of one kind, and the truth about every page of theirs.
 *
 * The numbered web (../hosts.ts) is what a crawl can finish exactly. A quarter is a place where a
 * crawler has to judge: is this page a copy, is this site endless, did this page change? So each
 * of its hosts answers two questions: what is at a path, and what that is in truth.
 */
import type { WebAnswer, WebRequest } from '../exchange.ts';

export const QUARTERS = [
  'calendar',
  'calendar-filler',
  'session',
  'session-filler',
  'session-path',
  'session-path-filler',
  'facets',
  'facets-filler',
  'loop',
  'loop-filler',
  'pager',
  'pager-filler',
  'encyclopaedia',
  'mirror',
  'printer',
  'syndicated',
  'archive',
  'edited',
  'soft-404',
  'soft-404-echo',
  'soft-404-recovers',
  'farm',
  'template',
  'single',
  'changing',
  'ranked',
  'app',
  'documents',
] as const;

export type QuarterName = (typeof QUARTERS)[number];

export interface QuarterSize {
  /** Hosts; of mirrors and syndication, groups of hosts. */
  readonly hosts?: number;
  /** Honest pages of a host; the root comes on top. */
  readonly pages?: number;
}

export type Quarters = Partial<Readonly<Record<QuarterName, QuarterSize>>>;

export interface QuarterOrder {
  readonly kind: QuarterName;
  readonly seed: number;
  readonly hosts: number;
  readonly pages: number;
}

/**
 *   honest    worth a fetch          trap      one of a row without an end
 *   missing   not there, whatever the status says (a soft 404)
 *   farm      one text with small edits, hundreds of times
 */
export type Role = 'honest' | 'trap' | 'missing' | 'farm';

export interface Label {
  readonly role: Role;
  /** Pages of one text say the same, in whatever template and on whatever host. */
  readonly text: string;
  /** The share of its words that differ from that text. */
  readonly edited: number;
  /** Empty without its scripts. */
  readonly scripted?: boolean;
  /** Its share of all PageRank, boilerplate links not counted; of a ranked web alone. */
  readonly importance?: number;
}

/** A page that changes, as it is at one instant. */
export interface PageState {
  /** Grows with every change; equal versions mean equal text. */
  readonly version: number;
  readonly changedAtMs: number;
  readonly ratePerDay: number;
  readonly validators: Validators;
  /** 404 from `endsAtMs` on, or a redirect to `movedTo`. */
  readonly endsAtMs: number;
  readonly movedTo: string | undefined;
  /** Shows the time of the visit: its bytes differ every time, its text does not. */
  readonly ticking: boolean;
}

export type Validators = 'both' | 'etag' | 'date' | 'none';

/** Where a host stands, known when the ports are. */
export interface QuarterPlace {
  readonly origin: string;
  originOf(label: string): string;
}

export interface QuarterHost {
  readonly kind: QuarterName;
  /** `calendar-1`: the host is www.calendar-1-s7.test, in a domain of its own. */
  readonly label: string;
  /** Named by the root of every numbered host, not by host 0 alone. */
  readonly popular: boolean;
  answer(path: string, request: WebRequest, place: QuarterPlace): WebAnswer;
  /** What a path is in truth; undefined when it is an ordinary 404. */
  labelOf(path: string): Label | undefined;
  /** Every path that a crawl from the root must fetch. */
  paths(): Iterable<string>;
  /** Of changing hosts only. */
  stateAt?(path: string, atMs: number): PageState | undefined;
}

/** Whether two pages are copies of each other, with at most this share of words between them. */
export function sameText(a: Label, b: Label, editedMax = 0.03): boolean {
  return a.text === b.text && a.edited + b.edited < editedMax;
}

/**
 * What can be decided about a crawl's pages, and asked about the decisions (G1–G3): the words
 * that the command line, the socket and the service share.
 */
import type { AuditLine, ChainProblem, Rule, SubjectKind } from '../comply/index.ts';

export interface ComplyAnswers {
  /** Denies for ever, and with `erase` takes away what was kept. Resolves when it is audited. */
  takeDown(query: TakedownQuery): Promise<TakedownReport>;
  /** Ends a denial: it may be asked again. What was erased stays so. */
  lift(query: LiftQuery): Promise<HoldReport>;
  /** What is held is not erased, until it is released. */
  hold(query: HoldQuery): Promise<HoldReport>;
  complain(query: ComplaintQuery): Promise<ComplaintReport>;
  /** Denials and holds in force, and how many complaints and takedowns there were. */
  compliance(): Promise<ComplianceAnswer>;
  /** Every line of the trail, oldest first. */
  trail(): AsyncIterable<AuditLine>;
  verifyTrail(): Promise<TrailVerdict>;
}

/** Exactly one of `url`, `host`, `pattern` and, for an erasure, `region`. */
export interface SubjectQuery {
  readonly url?: string;
  /** A name stands for all its ports. */
  readonly host?: string;
  /** With every host below it. */
  readonly subdomains?: boolean;
  /** The whole URL, `*` standing for anything. */
  readonly pattern?: string;
  /** What is stored under that tag now. */
  readonly region?: string;
}

export interface TakedownQuery extends SubjectQuery {
  readonly reason: string;
  readonly by: string;
  /** Also what is kept already: record, body, links, fingerprint, events. */
  readonly erase: boolean;
}

export interface TakedownReport {
  readonly subject: { readonly kind: SubjectKind; readonly value: string };
  /** Nothing was done, and why. */
  readonly refused?: string;
  /** The audit line that says so. */
  readonly seq: number;
  readonly removed: Removed;
  /** What is still there, and why. */
  readonly kept: readonly string[];
}

export interface Removed {
  readonly records: number;
  readonly bodies: number;
  readonly events: number;
}

export interface LiftQuery extends SubjectQuery {
  readonly reason: string;
  readonly by: string;
}

export interface HoldQuery extends SubjectQuery {
  readonly reason: string;
  readonly by: string;
  readonly release: boolean;
}

export interface HoldReport {
  readonly subject: TakedownReport['subject'];
  readonly refused?: string;
  readonly seq: number;
}

export interface ComplaintQuery {
  readonly host: string;
  readonly text: string;
  readonly by: string;
  /** Never ask the host again, nor any below it. */
  readonly optOut: boolean;
}

export interface ComplaintReport {
  readonly host: string;
  /** Complaints so far, this one included. */
  readonly total: number;
  readonly seq: number;
  readonly optedOut: boolean;
}

export interface ComplianceAnswer {
  readonly denials: readonly Rule[];
  readonly holds: readonly Rule[];
  readonly complaints: number;
  readonly takedowns: number;
}

export interface TrailVerdict {
  readonly lines: number;
  /** The first line that is wrong; left out when none is. */
  readonly bad?: ChainProblem;
  /** Begun and not ended: finished at the next start. */
  readonly pending: number;
}

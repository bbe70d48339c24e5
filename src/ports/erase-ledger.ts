/**
 * How far the nodes of a cluster have come with what they erase together (G2): each notes what it
 * has done for its own part of the circle, so that whoever comes next does not do it again, and
 * that all know when it is done.
 *
 * Promises (erase-ledger.contract.ts):
 *   1. parts() gives all that note() resolved for, whoever noted it; noted twice, the last counts.
 *   2. forget() takes away what was noted of deeds before that one, and nothing else.
 */
import type { KeyRange } from './shard-store.ts';

/** `seen`: its owner knows of the deed, and all that it settled before is committed. */
export type PartPhase = 'seen' | 'done';

export interface ErasePart extends KeyRange {
  readonly phase: PartPhase;
  /** What came of it, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface EraseLedger {
  /** Of a deed, by the number of its line in the trail. */
  parts(of: number): Promise<readonly ErasePart[]>;
  note(of: number, parts: readonly ErasePart[]): Promise<void>;
  forget(before: number): Promise<void>;
}

/** Under which a part is kept: the same part, the same name. */
export function partName(of: number, { phase, from, to }: ErasePart): string {
  return `${of}/${phase}/${from}-${to}`;
}

export function deedIn(name: string): number {
  return Number.parseInt(name, 10);
}

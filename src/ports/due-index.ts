/**
 * What is due, beside the store that decides it (K2, T3): an index that nodes ask every second, so
 * that the store need not be. The store stays the truth. The index may be behind it, forget all, or
 * be away; whoever asks looks at the record before anything is done (crawl/due-store.ts).
 *
 *   take ─▶ note, due, note, due … ─▶ leave      an arc, or a part of one (../url/arcs.ts), by its owner
 *              └─ 'lost': nobody can tell what is missing ─▶ fill, fill … sealed ─▶ whole again
 *
 * Promises (due-index.contract.ts):
 *   1. Of an arc that is whole, due() tells what was noted last of each URL, once, earliest first,
 *      also right after it was noted; of several arcs the earliest of all.
 *   2. Of an arc that is not whole it tells nothing, and that it is lost: one that is new to the
 *      engine, one that its engine forgot or forgot a part of, one that nobody left in good order.
 *   3. An arc that was left in good order is whole for the very next tenure. One in between, of
 *      which the engine never heard, may have changed it: then it is lost.
 *   4. While an arc is filled, what is noted of a URL counts more than what it is filled with. Once
 *      it is sealed it is whole; a filling that began before it was lost again changes nothing.
 *   5. What a former owner notes after another took the arc changes nothing.
 *   6. Nothing rejects; an engine that is away is said to be, once, to a person. What is noted
 *      meanwhile is told later, or the arc is lost.
 */
import type { Instant } from '../base/instant.ts';
import type { UrlKey, UrlRecord } from '../record/index.ts';
import type { Tier } from '../recrawl/index.ts';
import type { Due } from './shard-store.ts';

export interface DueIndex {
  /**
   * It is ours from now on, by this tenure: all that changes in it is noted here. Asks nothing of
   * the engine.
   */
  take(arc: number, epoch: number): void;
  /** Of arcs that are ours; one that was not taken, as a part of one that was split, is lost. */
  due(range: DueRange, arcs: readonly number[]): Promise<DueAnswer>;
  /** What the store has committed. Told to the engine with the next question. */
  note(changes: readonly DueChange[]): void;
  /** Nothing more of it is noted here. */
  leave(arc: number): Promise<void>;
  /** Rows of the store; with the last of them the arc is whole. False: it is lost again. */
  fill(lost: LostArc, rows: readonly Due[], isLast: boolean): Promise<boolean>;
  close(): Promise<void>;
}

export interface DueRange {
  readonly from: Instant;
  readonly until: Instant;
  readonly limit: number;
}

/** A URL is due then; 0 is never. Without a tier it stays where it is. */
export interface DueChange {
  readonly key: UrlKey;
  readonly at: Instant;
  readonly tier?: Tier;
}

export interface DueAnswer {
  readonly rows: readonly Due[];
  readonly lost: readonly LostArc[];
}

export interface LostArc {
  readonly arc: number;
  /** Since when: a filling is for this loss and no other. Undefined while the engine is away. */
  readonly loss: string | undefined;
}

/** What a store with an index beside it must tell. */
export interface DueTruth {
  /** Undefined for a URL that is not known. */
  dueStates(keys: readonly UrlKey[]): Promise<readonly (DueState | undefined)[]>;
}

export interface DueState {
  readonly record: UrlRecord;
  /** When it is due; undefined when it waits already, or never is. */
  readonly dueAt: Instant | undefined;
}

/** The earliest of all, each list being in order. */
export function earliestOf(lists: readonly (readonly Due[])[], limit: number): readonly Due[] {
  const given = lists.filter((list) => list.length > 0);
  if (given.length <= 1) return (given[0] ?? []).slice(0, limit);
  return given
    .flat()
    .sort((a, b) => a.at - b.at)
    .slice(0, limit);
}

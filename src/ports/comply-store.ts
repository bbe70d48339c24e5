/**
 * What compliance must not forget: the audit trail, and the sum of what it says.
 *
 * Promises (comply-store.contract.ts):
 *   1. trail() gives every line that append() resolved for, in order, also after a restart, and
 *      none of which a part is missing.
 *   2. load() gives what the changes add up to, in any order of asking; a change is whole or
 *      not at all.
 *   3. What append() and save() resolved for survives a power cut, where the engine is durable.
 *   4. A trail has one line of each number: of several nodes that append it, one is told true, and
 *      of the others' nothing is written. A change whose head others have gone beyond is not saved:
 *      whoever did has saved what it says, too.
 *
 * The sum is saved after the line: a process that dies leaves at most a line that the sum lacks,
 * never the opposite.
 */
import type { AuditLine, ComplyChange, Counts, Rule } from '../comply/index.ts';

export interface ComplyStore {
  /** The lines as they stand there, without their ends. */
  trail(): AsyncIterable<string>;
  /** As the nth of the trail; false when another node has written that one. */
  append(line: string, nth: number): Promise<boolean>;
  load(): Promise<SavedCompliance>;
  save(change: ComplyChange): Promise<void>;
}

export interface SavedCompliance {
  readonly denials: readonly Rule[];
  readonly holds: readonly Rule[];
  readonly pending: readonly AuditLine[];
  readonly counts: Counts;
}

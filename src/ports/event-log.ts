/**
 * Every fetch, told to whoever listens (E1): the contract with an indexer downstream, and the
 * crawl's own log, from which politeness can be audited (P7).
 *
 * Promises (event-log.contract.ts):
 *   1. What publish() resolved for is read at least once by every reader, in host order.
 *   2. read() from a cursor gives what came after it, across restarts.
 *   3. scrub() leaves another event in the place of each that fits, for every reader from then
 *      on; the others, and all cursors, are as they were.
 *   4. A torn last event, after kill -9, is not read.
 */
import type { FetchEvent } from '../events/index.ts';

export interface EventLog {
  publish(events: readonly FetchEvent[]): Promise<void>;
  read(after?: EventCursor): AsyncIterable<LoggedEvent>;
  close(): Promise<void>;
}

/** A log that can forget (G1). */
export interface ScrubbableLog extends EventLog {
  /**
   * What is written instead must say less. Answers how many there were. `mention` is a text that
   * every event meant has in it: the others need not be read closely.
   */
  scrub(fits: (event: FetchEvent) => boolean, less: Less, mention?: string): Promise<number>;
}

/** One that perhaps can: a topic that others read keeps what it was told. */
export type ErasableLog = EventLog & Partial<Pick<ScrubbableLog, 'scrub'>>;

export type Less = (event: FetchEvent) => FetchEvent;

export type EventCursor = string;

export interface LoggedEvent {
  readonly cursor: EventCursor;
  readonly event: FetchEvent;
}

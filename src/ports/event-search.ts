/**
 * A log that can be looked through for one text without being read closely: what became of a
 * URL or of a host lately. The cost is bounded by the caller, whatever the log holds.
 *
 * Promises (adapters/folder/event-search.test.ts):
 *   1. `take` hears each event that has the text in it, oldest first, of the last `bytesMax`
 *      bytes of the log; of a torn or foreign line it hears nothing.
 *   2. The answer says from when on the log was looked through, and whether that is all of it.
 */
import type { Instant } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';

export interface EventSearch {
  search(
    mention: string,
    bytesMax: number,
    take: (event: FetchEvent) => void,
  ): Promise<SearchedLog>;
}

export interface SearchedLog {
  /** When the first event that was looked at began; undefined when there was none. */
  readonly since: Instant | undefined;
  readonly isWhole: boolean;
}

/**
 * How far a reader of the event log has come, by the reader's name.
 *
 * Promises (bookmarks.contract.ts):
 *   1. get() gives what was set last, after a restart, too; undefined when nothing was.
 *   2. A kill at any instant leaves the old place or the new one.
 */
import type { EventCursor } from './event-log.ts';

export interface Bookmarks {
  get(reader: string): Promise<EventCursor | undefined>;
  set(reader: string, cursor: EventCursor): Promise<void>;
}

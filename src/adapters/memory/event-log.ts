/**
 * Events in memory: the reference of the `EventLog` port. A cursor is how many events came
 * before and with it.
 */
import type { FetchEvent } from '../../events/index.ts';
import type { EventCursor, Less, LoggedEvent, ScrubbableLog } from '../../ports/event-log.ts';

export class MemoryEventLog implements ScrubbableLog {
  readonly #events: FetchEvent[] = [];

  async publish(events: readonly FetchEvent[]): Promise<void> {
    for (const event of events) this.#events.push(event);
  }

  async *read(after?: EventCursor): AsyncIterable<LoggedEvent> {
    for (let i = Number(after ?? 0); i < this.#events.length; i++) {
      yield { cursor: String(i + 1), event: this.#events[i] as FetchEvent };
    }
  }

  async scrub(fits: (event: FetchEvent) => boolean, less: Less): Promise<number> {
    let count = 0;
    this.#events.forEach((event, i) => {
      if (!fits(event)) return;
      this.#events[i] = less(event);
      count++;
    });
    return count;
  }

  async close(): Promise<void> {}
}

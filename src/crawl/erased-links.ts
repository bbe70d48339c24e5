/**
 * Records as answers and exports show them (G2): a link to a page that was erased is on a page
 * of somebody else, and stays there as long as that page says so; but its text may be about what
 * was erased, so nobody is shown it. The denylist is asked when the page is shown.
 */
import { erasedEvent, type Rules } from '../comply/index.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Records } from '../ports/records.ts';
import type { LinkEdge } from '../record/index.ts';

export function lessErased(records: Records, denials: Rules): Records {
  const shown = (links: readonly LinkEdge[]) =>
    denials.isEmpty ? links : links.filter(({ target }) => denials.meets(target)?.erases !== true);
  return {
    totals: () => records.totals(),
    jobs: () => records.jobs(),
    scan: (after, limit) => records.scan(after, limit),
    keys: (after, limit) => records.keys(after, limit),
    trace: async (key) => {
      const trace = await records.trace(key);
      return trace && { ...trace, links: shown(trace.links) };
    },
    visited: async (after, limit) => {
      const rows = await records.visited(after, limit);
      return rows.map((row) => ({ ...row, links: shown(row.links) }));
    },
  };
}

type Readable = Pick<EventLog, 'read'>;

/** The same of a log that cannot forget: what was erased is read as it would be left in a folder. */
export function logLessErased(events: Readable, denials: Rules): Readable {
  return {
    read: async function* (after) {
      for await (const { cursor, event } of events.read(after)) {
        const isErased = !denials.isEmpty && denials.meets(event.url)?.erases === true;
        yield { cursor, event: isErased ? erasedEvent(event) : event };
      }
    },
  };
}

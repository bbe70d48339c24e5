/**
 * Retention applied (G2): what is due by ../comply/retention.ts goes, class by class. A body goes
 * when every page that has it is due. Done again, it finds nothing.
 */
import type { Instant } from '../base/instant.ts';
import {
  bodyCutoff,
  type Cutoffs,
  cutoffsOf,
  dueOf,
  ERASED_URL,
  erasedEvent,
  isPast,
  type RetentionPolicy,
  type Rules,
} from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { UrlKey } from '../record/index.ts';
import type { EraseDesk, ErasePorts } from './erase.ts';
import { bodiesOf, hashesIn, ROWS_PER_LOOK, recordsFrom, removeBodies } from './erase-parts.ts';

export interface Retained {
  readonly bodies: number;
  readonly headers: number;
  readonly events: number;
}

export async function retain(
  ports: ErasePorts,
  desk: EraseDesk,
  policy: RetentionPolicy,
  holds: Rules,
  now: Instant,
): Promise<Retained> {
  const cutoffs = cutoffsOf(policy, now);
  const isHeld = (url: string) => holds.meets(url) !== undefined;
  const hasDue = Math.max(cutoffs.bodies, cutoffs.events, ...cutoffs.regions.values()) > 0;
  const bodies = hasDue ? await dropBodies(ports, desk, cutoffs, isHeld) : 0;
  const headers = cutoffs.headers > 0 ? await dropHeaders(ports, desk, cutoffs, isHeld) : 0;
  const isDue = ({ url, endedAt }: FetchEvent) =>
    isPast(endedAt, cutoffs.events) && url !== ERASED_URL && !isHeld(url);
  const events = cutoffs.events > 0 ? await ports.events.scrub?.(isDue, erasedEvent) : 0;
  return { bodies, headers, events: events ?? 0 };
}

type IsHeld = (url: string) => boolean;

async function dropBodies(
  ports: ErasePorts,
  desk: EraseDesk,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
): Promise<number> {
  const watch = desk.watch();
  try {
    const due = await dueBodies(ports, cutoffs, isHeld);
    return await removeBodies(ports, desk, due, (name) => watch.seen.hashes.has(name));
  } finally {
    watch.stop();
  }
}

/**
 * In hex. The log names the bodies of earlier visits, which no record has any more: when it
 * forgets one, nobody could find that body to erase it, so it goes as well.
 */
async function dueBodies(
  ports: ErasePorts,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
): Promise<readonly string[]> {
  const [due, forgotten, needed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const named = new Set<string>();
  for await (const { event } of ports.events.read()) {
    const [isHeldOne, at] = [isHeld(event.url), event.endedAt];
    for (const name of hashesIn(event)) {
      if (isHeldOne) needed.add(name);
      else if (isPast(at, bodyCutoff(cutoffs, event.region))) due.add(name);
      if (isPast(at, cutoffs.events)) forgotten.add(name);
      else named.add(name);
    }
  }
  for (const name of forgotten) if (!named.has(name)) due.add(name);
  for await (const row of recordsFrom(ports.records)) {
    const isDue = !isHeld(row.record.url) && dueOf(row.record, cutoffs).body;
    for (const name of await bodiesOf(row, ports.records)) (isDue ? due : needed).add(name);
  }
  return [...due].filter((name) => !needed.has(name));
}

async function dropHeaders(
  ports: ErasePorts,
  desk: EraseDesk,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
): Promise<number> {
  let count = 0;
  let keys: UrlKey[] = [];
  const flush = async () => {
    if (keys.length > 0) await desk.untrace(keys);
    count += keys.length;
    keys = [];
  };
  for await (const { key, record } of recordsFrom(ports.records)) {
    if (isHeld(record.url) || !dueOf(record, cutoffs).headers) continue;
    if ((await ports.records.trace(key)) === undefined) continue;
    if (keys.push(key) === ROWS_PER_LOOK) await flush();
  }
  await flush();
  return count;
}

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
import { type KeyRange, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { hostKeyOf, type UrlKey } from '../record/index.ts';
import type { EraseDesk, ErasePorts } from './erase.ts';
import {
  bodiesOf,
  hashesIn,
  isIn,
  ROWS_PER_LOOK,
  recordsFrom,
  recordsOfAll,
  removeAmongOthers,
  removeBodies,
} from './erase-parts.ts';

export interface Retained {
  readonly bodies: number;
  readonly headers: number;
  readonly events: number;
}

export interface RetainOrder {
  readonly ports: ErasePorts;
  readonly desk: EraseDesk;
  readonly policy: RetentionPolicy;
  readonly holds: Rules;
  readonly now: Instant;
  /** The parts of the circle that are ours to look after; all of it unless told. */
  readonly ranges?: readonly KeyRange[];
}

export async function retain(order: RetainOrder): Promise<Retained> {
  const { ports, desk, policy, holds, now, ranges = [WHOLE_CIRCLE] } = order;
  const cutoffs = cutoffsOf(policy, now);
  const isHeld = (url: string) => holds.meets(url) !== undefined;
  const hasDue = Math.max(cutoffs.bodies, cutoffs.events, ...cutoffs.regions.values()) > 0;
  const bodies = hasDue ? await dropBodies(ports, desk, cutoffs, isHeld, ranges) : 0;
  const headers = cutoffs.headers > 0 ? await dropHeaders(ports, desk, cutoffs, isHeld, ranges) : 0;
  const isDue = ({ url, endedAt }: FetchEvent) =>
    isPast(endedAt, cutoffs.events) && url !== ERASED_URL && !isHeld(url);
  const events = cutoffs.events > 0 ? await ports.events.scrub?.(isDue, erasedEvent) : 0;
  return { bodies, headers, events: events ?? 0 };
}

type Ranges = readonly KeyRange[];
type IsHeld = (url: string) => boolean;

async function dropBodies(
  ports: ErasePorts,
  desk: EraseDesk,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
  ranges: Ranges,
): Promise<number> {
  const watch = desk.watch();
  try {
    const due = await dueBodies(ports, cutoffs, isHeld, ranges);
    const isNeeded = (name: string) => watch.seen.hashes.has(name);
    if (!ports.isShared) return await removeBodies(ports, desk, due, isNeeded);
    const named = (gone: ReadonlySet<string>) => namedStill(ports, cutoffs, isHeld, gone);
    return await removeAmongOthers(ports, due, isNeeded, named);
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
  ranges: Ranges,
): Promise<readonly string[]> {
  const isAll = ranges[0] === WHOLE_CIRCLE;
  const isOurs = (key: Uint8Array) => isIn(ranges, key);
  const [due, forgotten, needed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const named = new Set<string>();
  for await (const { event } of ports.events.read()) {
    const [isHeldOne, at] = [isHeld(event.url), event.endedAt];
    const isOne = isAll || isOurs(hostKeyOf(event.host));
    for (const name of hashesIn(event)) {
      if (isHeldOne) needed.add(name);
      else if (isOne && isPast(at, bodyCutoff(cutoffs, event.region))) due.add(name);
      if (!isPast(at, cutoffs.events)) named.add(name);
      else if (isOne) forgotten.add(name);
    }
  }
  for (const name of forgotten) if (!named.has(name)) due.add(name);
  for await (const row of recordsFrom(ports.records)) {
    const isDue = !isHeld(row.record.url) && dueOf(row.record, cutoffs).body;
    if (isDue && !isOurs(row.key)) continue;
    for (const name of await bodiesOf(row, ports.records)) (isDue ? due : needed).add(name);
  }
  return [...due].filter((name) => !needed.has(name));
}

/** Those of the bodies that a page has which may keep them. */
async function namedStill(
  { records }: ErasePorts,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for await (const row of recordsFrom(records)) {
    if (!isHeld(row.record.url) && dueOf(row.record, cutoffs).body) continue;
    for (const name of await bodiesOf(row, records)) if (names.has(name)) named.add(name);
  }
  return named;
}

async function dropHeaders(
  ports: ErasePorts,
  desk: EraseDesk,
  cutoffs: Cutoffs,
  isHeld: IsHeld,
  ranges: Ranges,
): Promise<number> {
  let count = 0;
  let keys: UrlKey[] = [];
  const flush = async () => {
    if (keys.length > 0) await desk.untrace(keys);
    count += keys.length;
    keys = [];
  };
  for await (const { key, record } of recordsOfAll(ports.records, ranges)) {
    if (isHeld(record.url) || !dueOf(record, cutoffs).headers) continue;
    if ((await ports.records.trace(key)) === undefined) continue;
    if (keys.push(key) === ROWS_PER_LOOK) await flush();
  }
  await flush();
  return count;
}

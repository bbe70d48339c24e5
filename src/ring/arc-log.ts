/**
 * An arc's log: what its owner wrote, in order, and who keeps copies of it.
 *
 *   epoch 7:  1 charter · 2 admitted · 3 settled · 4 admitted …      each write has a stamp: (7, 3)
 *
 * Entries are facts and are never taken back: a URL was named, a page was settled, a host was
 * asked. Each row that they change takes the entry's stamp, and the higher stamp wins. So a copy
 * may hear an entry twice, or keep one that no owner remembers, and nothing has to be undone: no
 * log is cut, and only the owner keeps its end, for those who are a little behind.
 *
 * What an entry says is opaque here: bytes for a node, plain objects in a simulation.
 */
import type { Position } from './id.ts';

export type NodeId = Position;

/** A place in the history of an arc: epochs first, then the owner's writes in that epoch. */
export interface Stamp {
  readonly epoch: number;
  readonly index: number;
}

export const BEFORE_ALL: Stamp = { epoch: 0, index: 0 };

export function isBefore(one: Stamp, other: Stamp): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.index < other.index);
}

/** Whoever has a seat keeps a copy and a vote; the owner is one of them. */
export interface Charter {
  readonly at: Stamp;
  readonly seats: readonly NodeId[];
}

export interface Entry {
  readonly index: number;
  /** Of the charter, when that is what changed. */
  readonly charter?: Charter;
  readonly body?: unknown;
}

/** An entry's body is at most so long: two of them, and what is around them, fit into a message. */
export const BODY_BYTES_MAX = 24 * 1024;

/** So many of them must agree: any two such groups share a seat, also with one seat more or less. */
export function majorityOf(charter: Charter): number {
  return Math.floor(charter.seats.length / 2) + 1;
}

/** What at least so many of them have reached, by the numbers of each; 0 where there are fewer. */
export function reachedBy(count: number, reached: number[]): number {
  // A handful of numbers, for every message: put in order by hand, the largest first.
  for (let i = 1; i < reached.length; i++) {
    const it = reached[i] as number;
    let at = i;
    for (; at > 0 && (reached[at - 1] as number) < it; at--) {
      reached[at] = reached[at - 1] as number;
    }
    reached[at] = it;
  }
  return reached[count - 1] ?? 0;
}

/** K nodes must have an admission; so that K − 1 may fail, 2K − 1 have a seat. */
export function seatsFor(copies: number): number {
  return 2 * copies - 1;
}

/** The end of the log that its owner keeps, without holes: [base + 1, last]. */
export interface Tail {
  readonly base: number;
  readonly entries: readonly Entry[];
}

export const NO_TAIL: Tail = { base: 0, entries: [] };

export function lastOf({ base, entries }: Tail): number {
  return base + entries.length;
}

export function withEntries(tail: Tail, added: readonly Entry[]): Tail {
  return { base: tail.base, entries: [...tail.entries, ...added] };
}

/** So many entries, and bytes of them; one entry is never too long. */
export interface Amount {
  readonly entries: number;
  readonly bytes: number;
}

/** What comes after an index, as much as fits; undefined when that is not kept any more. */
export function entriesAfter(tail: Tail, index: number, max: Amount): readonly Entry[] | undefined {
  const from = index - tail.base;
  if (from < 0) return undefined;
  let [to, bytes] = [from, 0];
  while (to < tail.entries.length && to - from < max.entries) {
    bytes += bytesOf(tail.entries[to] as Entry);
    if (bytes > max.bytes && to > from) break;
    to++;
  }
  return tail.entries.slice(from, to);
}

/** What it takes in a message or in memory, roughly; objects of a simulation take nothing. */
function bytesOf({ body }: Entry): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.length : 0);
}

const ENTRY_BYTES = 32;

/** Forgets what everybody has, and in any case all but the end that is as long as allowed. */
export function trimmed(tail: Tail, everybodyHas: number, max: Amount): Tail {
  let [kept, bytes] = [0, 0];
  while (kept < Math.min(tail.entries.length, max.entries)) {
    bytes += bytesOf(tail.entries[tail.entries.length - 1 - kept] as Entry);
    if (bytes > max.bytes) break;
    kept++;
  }
  const last = lastOf(tail);
  const base = Math.max(tail.base, Math.min(everybodyHas, last), last - kept);
  return base === tail.base ? tail : { base, entries: tail.entries.slice(base - tail.base) };
}

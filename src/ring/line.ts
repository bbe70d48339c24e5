/**
 * Who stands in line for a place: the first node at or after it, and those behind, clockwise.
 *
 *     before ──▶ (me) ──▶ list[0] ──▶ list[1] …        what a node of Chord sees of the circle
 *        ├────────────────────────────────────┤        a place in here has a known line
 *
 * In a small ring the list goes all round, and every place has.
 */
import type { Peer } from './chord-message.ts';
import { clockwiseFrom } from './chord-state.ts';
import { isBetween, isInRange, type Position } from './id.ts';

export interface Standing {
  readonly me: Peer;
  readonly before: Peer | undefined;
  readonly successors: readonly Peer[];
  /** The list is full: there may be others beyond its end. */
  readonly isPart: boolean;
}

/** Those in line for a place, as many as are known; undefined when its first is not. */
export function lineFrom(place: Position, standing: Standing): readonly Peer[] | undefined {
  const { me, before, successors, isPart } = standing;
  // Alone: whoever was before has gone, and nobody came to tell.
  if (successors.length === 0) return [me];
  const known = new Map([me, ...successors].map((peer) => [peer.id, peer]));
  if (before !== undefined) known.set(before.id, before);
  const last = successors.at(-1) as Peer;
  const after = before?.place ?? me.place;
  const isAll = !isPart || isBetween(me.place, after, last.place) || after === last.place;
  if (!isAll && !isInRange(place, { after, upTo: last.place })) return undefined;
  const line = [...known.values()].sort(clockwiseFrom(place));
  // Whoever stands exactly there is the first, not the last.
  const first = line.findIndex((peer) => peer.place === place);
  const whole = first > 0 ? [...line.slice(first), ...line.slice(0, first)] : line;
  return isAll ? whole : upToLast(whole, last);
}

/** Behind the last that is known comes somebody who is not. */
function upToLast(line: readonly Peer[], last: Peer): readonly Peer[] {
  return line.slice(0, line.findIndex(({ id }) => id === last.id) + 1);
}

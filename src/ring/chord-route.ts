/**
 * What a node answers to "who owns this key?": itself, its successors, or who is nearer.
 *
 * Nothing is kept for whoever asks, so a flood of lookups costs time, never memory.
 */
import type { Peer } from './chord-message.ts';
import { type Chord, ownRange } from './chord-state.ts';
import { isBetween, isInRange, type Position } from './id.ts';
import type { Way } from './lookup.ts';

/** So many fingers and so many of the list are offered to others: ways around dead ones. */
const OFFERED = { fingers: 3, listed: 5 } as const;
/** A node itself may try all that it knows. */
export const ALL_WAYS = { fingers: 64, listed: 64 } as const;

export function wayTo(chord: Chord, n: number, key: Position, ways: Ways = OFFERED): Way {
  const { me, list, before } = chord;
  const known = before === undefined ? {} : { before };
  const head = list[0];
  if (head === undefined || (before !== undefined && isInRange(key, ownRange(chord)))) {
    return { kind: 'way', n, owns: true, ...known, owners: [], nearer: [] };
  }
  if (isInRange(key, { after: me.place, upTo: head.place })) {
    return { kind: 'way', n, owns: false, ...known, owners: list, nearer: [] };
  }
  const nearer = nearerTo(chord, key, ways);
  const last = list.at(-1) as Peer;
  const isBeyond = isInRange(key, { after: me.place, upTo: last.place });
  const owners = isBeyond ? list.filter(({ place }) => !isBetween(me.place, place, key)) : [];
  return { kind: 'way', n, owns: false, ...known, owners, nearer };
}

interface Ways {
  readonly fingers: number;
  readonly listed: number;
}

/** Nodes between this one and the key, nearest to the key first; the head is always one. */
function nearerTo({ me, list, fingers }: Chord, key: Position, most: Ways): readonly Peer[] {
  let at = list.length - 1;
  while (at > 0 && !isBetween(me.place, (list[at] as Peer).place, key)) at--;
  const listed = list[at] as Peer;
  const ways: Peer[] = [];
  // Fingers go from the farthest inward: the first before the key is the nearest to it.
  for (let i = 0; i < fingers.length && ways.length < most.fingers; i++) {
    const finger = fingers[i];
    if (finger === undefined || finger.id === ways.at(-1)?.id) continue;
    if (isBetween(listed.place, finger.place, key)) ways.push(finger);
  }
  const last = Math.max(1, at - most.listed + 2);
  for (; at >= last; at--) ways.push(list[at] as Peer);
  ways.push(list[0] as Peer);
  return ways;
}

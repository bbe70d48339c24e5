/**
 * What a node answers to "who owns this key?": itself, its successors, or who is nearer.
 *
 * Nothing is kept for whoever asks, so a flood of lookups costs time, never memory.
 */
import type { Peer } from './chord-message.ts';
import { type Chord, ownRange } from './chord-state.ts';
import { isBetween, isInRange, type Position } from './id.ts';
import type { Way } from './lookup.ts';

/** So many ways are offered: the nearest ones, then the list's nearest, which is rarely dead. */
const WAYS = 3;

export function wayTo(chord: Chord, n: number, key: Position): Way {
  const { me, list, before } = chord;
  const known = before === undefined ? {} : { before };
  const head = list[0];
  if (head === undefined || (before !== undefined && isInRange(key, ownRange(chord)))) {
    return { kind: 'way', n, owns: true, ...known, owners: [], nearer: [] };
  }
  if (isInRange(key, { after: me.place, upTo: head.place })) {
    return { kind: 'way', n, owns: false, ...known, owners: list, nearer: [] };
  }
  return { kind: 'way', n, owns: false, ...known, owners: [], nearer: nearerTo(chord, key) };
}

/** Nodes between this one and the key, nearest to the key first; the head is always one. */
function nearerTo({ me, list, fingers }: Chord, key: Position): readonly Peer[] {
  let at = list.length - 1;
  while (at > 0 && !isBetween(me.place, (list[at] as Peer).place, key)) at--;
  const listed = list[at] as Peer;
  const ways: Peer[] = [];
  // Fingers go from the farthest inward: the first before the key is the nearest to it.
  for (let i = 0; i < fingers.length && ways.length < WAYS; i++) {
    const finger = fingers[i];
    if (finger === undefined || finger.id === ways.at(-1)?.id) continue;
    if (isBetween(listed.place, finger.place, key)) ways.push(finger);
  }
  ways.push(listed);
  if (at > 0) ways.push(list[0] as Peer);
  return ways;
}

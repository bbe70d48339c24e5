/**
 * Keeping the ring a ring: stabilise and rectify, as Pamela Zave corrected them ("How to Make
 * Chord Correct", arXiv:1502.06461; "Reasoning about Identifier Spaces", arXiv:1610.01140).
 *
 *   stabilise   ask my successor   silent: drop it, the next of the list is my successor
 *                                  answers: my list is it and its whole list; and if it has
 *                                  somebody nearer before it, ask that one
 *               ask the nearer     silent: nothing    answers: my list is it and its whole list
 *               then notify my successor
 *   rectify     (notified) nearer than whom I have before me: take it
 *                          else is whom I have still there?  silent: take it
 *
 * Each change of the list takes what one live node said, whole, and only if this node's own
 * successor is still the one it was when it asked. A successor is never taken unasked.
 */
import type { Instant } from '../base/index.ts';
import { forget } from './chord-lookup.ts';
import type { ChordEffect, ChordMessage, Peer } from './chord-message.ts';
import {
  after,
  type Chord,
  clockwiseFrom,
  LOST_MAX,
  listBehind,
  type Open,
  type Stabilising,
  send,
} from './chord-state.ts';
import { isBetween } from './id.ts';

type List = Extract<ChordMessage, { kind: 'list' }>;

export function stabilise(chord: Chord, now: Instant, out: ChordEffect[]): Chord {
  const head = chord.list[0];
  if (chord.status !== 'member' || chord.stabilising !== undefined) return chord;
  return head === undefined ? chord : ask(chord, head, 'successor', 1, now, out);
}

/** Asks a node for its list as if it stood before our successor; it was found, not told. */
export function stabiliseWith(chord: Chord, peer: Peer, now: Instant, out: ChordEffect[]): Chord {
  const head = chord.list[0];
  if (chord.status !== 'member' || chord.stabilising !== undefined || peer.id === chord.me.id) {
    return chord;
  }
  const isNearer = head === undefined || isBetween(chord.me.place, peer.place, head.place);
  return isNearer ? ask(chord, peer, 'nearer', 1, now, out) : chord;
}

export function gotList(
  chord: Chord,
  from: Peer,
  message: List,
  now: Instant,
  out: ChordEffect[],
): Chord {
  const { stabilising, me } = chord;
  if (!isAnswer(stabilising, from, message.n)) return chord;
  const calm = { ...chord, stabilising: undefined };
  const list = listBehind(chord, stabilising.to, message.list);
  if (stabilising.whom === 'nearer') return adopted({ ...calm, list }, true, out);
  const { before } = message;
  const isNearer = before !== undefined && isBetween(me.place, before.place, from.place);
  if (isNearer) return ask({ ...calm, list }, before, 'nearer', 1, now, out);
  return adopted({ ...calm, list }, false, out);
}

/** The end of a stabilise; one that found a nearer successor goes on until none is nearer. */
function adopted(chord: Chord, isBetter: boolean, out: ChordEffect[]): Chord {
  out.push(send(chord.list[0] as Peer, { kind: 'notify' }));
  return isBetter ? again(chord, out) : chord;
}

/** Does a stabilise at once, and not in a while. */
function again(chord: Chord, out: ChordEffect[]): Chord {
  out.push(after(0, { kind: 'stabilise' }));
  return chord;
}

export function lateList(chord: Chord, now: Instant, out: ChordEffect[]): Chord {
  const { stabilising, rules } = chord;
  if (stabilising === undefined) return chord;
  const { to, whom, tries } = stabilising;
  const calm = { ...chord, stabilising: undefined };
  if (whom === 'nearer') {
    const head = chord.list[0];
    if (head !== undefined) out.push(send(head, { kind: 'notify' }));
    return calm;
  }
  if (wasAway(stabilising, chord, now)) return ask(calm, to, whom, tries, now, out);
  if (tries < rules.tries) return ask(calm, to, whom, tries + 1, now, out);
  return dropHead(calm, out);
}

/** The successor is gone: the next of the list is asked at once. */
export function dropHead(chord: Chord, out: ChordEffect[]): Chord {
  const [gone, ...list] = chord.list;
  if (gone === undefined) return chord;
  const lost = [gone, ...chord.lost.filter(({ id }) => id !== gone.id)].slice(0, LOST_MAX);
  const calm = forget({ ...chord, stabilising: undefined, lost }, gone);
  if (list.length > 0) return again({ ...calm, list }, out);
  const others = lastResort(calm, gone);
  if (others.length > 0) return again({ ...calm, list: others }, out);
  out.push({ kind: 'alone' });
  return { ...calm, list: [], before: undefined, rectifying: undefined };
}

/**
 * All r successors died within a round: outside of what the proof assumes. Whoever else is known
 * is better than nobody; stabilising finds the way back from there.
 */
function lastResort(chord: Chord, gone: Peer): readonly Peer[] {
  const known = [...chord.fingers, chord.before, ...chord.owners.map(({ owner }) => owner)];
  const byId = new Map<string, Peer>();
  for (const peer of known) {
    if (peer !== undefined && peer.id !== chord.me.id && peer.id !== gone.id) {
      byId.set(peer.id, peer);
    }
  }
  return [...byId.values()].sort(clockwiseFrom(chord.me.place)).slice(0, chord.rules.successors);
}

export function gotNotify(chord: Chord, from: Peer, now: Instant, out: ChordEffect[]): Chord {
  const { me, before, rectifying, status } = chord;
  if (status !== 'member') return chord;
  if (before === undefined || isBetween(before.place, from.place, me.place)) {
    return taken(chord, from, out);
  }
  if (from.id === before.id) return from.at === before.at ? chord : { ...chord, before: from };
  if (rectifying === undefined) return ping(chord, from, 1, now, out);
  const isNearer = isBetween(rectifying.claims.place, from.place, me.place);
  return isNearer ? { ...chord, rectifying: { ...rectifying, claims: from } } : chord;
}

export function gotPong(chord: Chord, from: Peer, n: number): Chord {
  return isAnswer(chord.rectifying, from, n) ? { ...chord, rectifying: undefined } : chord;
}

export function latePong(chord: Chord, now: Instant, out: ChordEffect[]): Chord {
  const { rectifying, rules, before } = chord;
  if (rectifying === undefined) return chord;
  const { to, claims, tries } = rectifying;
  if (before?.id !== to.id) return { ...chord, rectifying: undefined };
  if (wasAway(rectifying, chord, now)) return ping(chord, claims, tries, now, out);
  if (tries < rules.tries) return ping(chord, claims, tries + 1, now, out);
  return taken(forget(chord, to), claims, out);
}

/** Takes a predecessor; a node that was alone has found its successor, too. */
function taken(chord: Chord, before: Peer, out: ChordEffect[]): Chord {
  const next = { ...chord, before, rectifying: undefined };
  if (chord.list.length > 0) return next;
  return again({ ...next, list: [before] }, out);
}

function ping(chord: Chord, claims: Peer, tries: number, now: Instant, out: ChordEffect[]): Chord {
  const n = chord.sent + 1;
  const to = chord.before as Peer;
  out.push(send(to, { kind: 'ping', n }), after(chord.rules.patienceMs, { kind: 'late', n }));
  return { ...chord, sent: n, rectifying: { n, to, tries, sentAt: now, claims } };
}

function ask(
  chord: Chord,
  to: Peer,
  whom: Stabilising['whom'],
  tries: number,
  now: Instant,
  out: ChordEffect[],
): Chord {
  const n = chord.sent + 1;
  out.push(send(to, { kind: 'ask', n }), after(chord.rules.patienceMs, { kind: 'late', n }));
  return { ...chord, sent: n, stabilising: { n, to, whom, tries, sentAt: now } };
}

function isAnswer<T extends Open>(open: T | undefined, from: Peer, n: number): open is T {
  return open !== undefined && open.n === n && open.to.id === from.id;
}

/** A deadline that is noticed far too late says that this node slept, not that the other died. */
export function wasAway(open: Open, { rules }: Chord, now: Instant): boolean {
  return now - open.sentAt > 3 * rules.patienceMs;
}

/**
 * Coming and going: a join through any member, a leave that spares others the waiting, fingers,
 * and a greeting now and then to those who were lost.
 *
 *   join    lookup(my place) ─▶ I lie between m and s ─▶ s's whole list, behind s, is mine
 *
 * Nobody answers for a ring before it has its list: a joiner is a member at once, or not at all.
 */
import type { Instant } from '../base/index.ts';
import { type Ended, ownLookup, type Walked } from './chord-lookup.ts';
import type { ChordEffect, ChordMessage, Peer } from './chord-message.ts';
import { stabiliseWith, wasAway } from './chord-stabilise.ts';
import {
  after,
  type Chord,
  type Joining,
  LOST_MAX,
  listBehind,
  memberTimers,
  send,
} from './chord-state.ts';
import { isInRange, next, POSITION_BITS, plusPower } from './id.ts';

type List = Extract<ChordMessage, { kind: 'list' }>;

export function join(chord: Chord, via: readonly Peer[], now: Instant, out: ChordEffect[]): Chord {
  const others = via.filter(({ id }) => id !== chord.me.id).slice(0, LOST_MAX);
  if (chord.status !== 'out') return chord;
  const joining = { via: others, before: undefined, owners: [], open: undefined };
  const what = { why: 'join', tag: 0, key: chord.me.place } as const;
  const walked = ownLookup({ ...chord, status: 'joining', joining }, what, others, now, out);
  return walked.ended === undefined
    ? walked.chord
    : placed(walked.chord, walked.ended.end, now, out);
}

/** The walk of a join is over: the successor is asked for its list, or there is no way in. */
export function placed(chord: Chord, end: Ended['end'], now: Instant, out: ChordEffect[]): Chord {
  if (chord.joining === undefined) return chord;
  if (end.kind !== 'between') return refused(chord, 'no-answer', out);
  const { before, owners } = end;
  return askNext({ ...chord, joining: { ...chord.joining, before, owners } }, now, out);
}

/** Our own former self may still be listed: it is passed over. At another address, it is asked. */
function askNext(chord: Chord, now: Instant, out: ChordEffect[], tries = 1): Chord {
  const { me } = chord;
  const joining = chord.joining as Joining;
  const owners = joining.owners.filter(({ id, at }) => id !== me.id || at !== me.at);
  const to = owners[0];
  if (to === undefined) return refused(chord, 'no-answer', out);
  const n = chord.sent + 1;
  out.push(send(to, { kind: 'ask', n }), after(chord.rules.patienceMs, { kind: 'late', n }));
  const open = { n, to, tries, sentAt: now };
  return { ...chord, sent: n, joining: { ...joining, owners, open } };
}

export function gotJoinList(
  chord: Chord,
  from: Peer,
  message: List,
  out: ChordEffect[],
): Chord | undefined {
  const { joining } = chord;
  if (joining?.open?.n !== message.n || joining.open.to.id !== from.id) return undefined;
  if (from.id === chord.me.id) return refused(chord, 'id-taken', out);
  const list = listBehind(chord, joining.open.to, message.list);
  const before = joining.before ?? message.before ?? from;
  const lost = joining.via;
  const member: Chord = { ...chord, status: 'member', joining: undefined, list, before, lost };
  out.push({ kind: 'joined' }, ...memberTimers(member));
  return member;
}

export function lateJoin(
  chord: Chord,
  n: number,
  now: Instant,
  out: ChordEffect[],
): Chord | undefined {
  const { joining, rules } = chord;
  if (joining?.open?.n !== n) return undefined;
  const { tries } = joining.open;
  if (wasAway(joining.open, chord, now)) return askNext(chord, now, out, tries);
  if (tries < rules.tries) return askNext(chord, now, out, tries + 1);
  const owners = joining.owners.slice(1);
  return askNext({ ...chord, joining: { ...joining, owners } }, now, out);
}

function refused(chord: Chord, why: 'id-taken' | 'no-answer', out: ChordEffect[]): Chord {
  out.push({ kind: 'refused', why });
  return { ...chord, status: 'out', joining: undefined };
}

/** Both neighbours are told, and nobody is asked: a node that goes is as good as gone. */
export function leave(chord: Chord, out: ChordEffect[]): Chord {
  const { status, before, list } = chord;
  const head = list[0];
  if (status === 'member') {
    const known = before === undefined ? {} : { before };
    if (head !== undefined) out.push(send(head, { kind: 'leaving', ...known }));
    if (before !== undefined && before.id !== head?.id) out.push(send(before, { kind: 'leaving' }));
  }
  return { ...chord, status: 'left', joining: undefined, stabilising: undefined, lookups: [] };
}

/** The next finger: one lookup at a time, from half round the circle down to where the list is. */
export function fix(chord: Chord, now: Instant, out: ChordEffect[]): Walked {
  const { me, list, fixing, fingers, status, rules } = chord;
  const idle = { chord, ended: undefined };
  if (status !== 'member') return idle;
  const last = list.at(-1);
  const key = plusPower(me.place, POSITION_BITS - 1 - Math.min(fixing, POSITION_BITS - 1));
  const isListed = last === undefined || isInRange(key, { after: me.place, upTo: last.place });
  if (!isListed && fixing < POSITION_BITS) {
    return ownLookup(chord, { why: 'finger', tag: fixing, key }, undefined, now, out);
  }
  out.push(after(rules.fixMs, { kind: 'fix' }));
  return { ...idle, chord: { ...chord, fixing: 0, fingers: fingers.slice(0, fixing) } };
}

/** A new node gets its first fingers one after another, later ones now and then. */
export function fixed(chord: Chord, { lookup, end }: Ended, out: ChordEffect[]): Chord {
  const isNew = lookup.tag >= chord.fingers.length;
  out.push(after(isNew ? 0 : chord.rules.fixMs, { kind: 'fix' }));
  const fingers = chord.fingers.slice();
  fingers[lookup.tag] = end.kind === 'found' ? end.owner : fingers[lookup.tag];
  return { ...chord, fingers, fixing: lookup.tag + 1 };
}

/**
 * Rings that a partition made of one ring do not see each other. Each node looks its own place up
 * with somebody it lost: whoever follows it over there is a nearer successor, if it is nearer.
 */
export function reach(chord: Chord, now: Instant, out: ChordEffect[]): Walked {
  const { status, rules, lost, list } = chord;
  if (status !== 'member') return { chord, ended: undefined };
  out.push(after(rules.reachMs, { kind: 'reach' }));
  const [contact, ...others] = lost;
  if (contact === undefined || list.some(({ id }) => id === contact.id)) {
    return { chord: { ...chord, lost: others }, ended: undefined };
  }
  const what = { why: 'reach', tag: 0, key: next(chord.me.place) } as const;
  return ownLookup({ ...chord, lost: [...others, contact] }, what, [contact], now, out);
}

export function reached(chord: Chord, { end }: Ended, now: Instant, out: ChordEffect[]): Chord {
  return end.kind === 'found' ? stabiliseWith(chord, end.owner, now, out) : chord;
}

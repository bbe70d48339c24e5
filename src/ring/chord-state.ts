/**
 * What a node of the ring knows: small, and every part of it bounded.
 *
 *            before ──▶ (me) ──▶ list[0] ──▶ list[1] … list[r-1]      correctness
 *                         ╰─ fingers: me + 2^63, me + 2^62, …         speed
 *
 * The list is only ever changed by a stabilise (or once, by the join), as a whole and with what
 * one live node said at one instant: that is what Zave's proof rests on.
 */
import type { Instant } from '../base/index.ts';
import type { ChordEffect, ChordInput, ChordMessage, Found, Peer } from './chord-message.ts';
import { isBetween, type Position, type Range } from './id.ts';
import type { Lookup } from './lookup.ts';

export interface ChordRules {
  /** r: so many successors are kept. r + 1 members that stay are the stable base. */
  readonly successors: number;
  readonly stabiliseMs: number;
  readonly fixMs: number;
  /** How often a lost acquaintance is greeted: what heals a partition. */
  readonly reachMs: number;
  /** How long an answer may take. */
  readonly patienceMs: number;
  /** Silences in a row after which a neighbour is taken for dead. */
  readonly tries: number;
  readonly lookupsMax: number;
  readonly hopsMax: number;
  readonly ownersMax: number;
}

export const CHORD_RULES: ChordRules = {
  successors: 16,
  stabiliseMs: 5_000,
  fixMs: 20_000,
  reachMs: 30_000,
  patienceMs: 600,
  tries: 3,
  lookupsMax: 64,
  hopsMax: 4_096,
  ownersMax: 256,
};

/** Former neighbours that are greeted again, and contacts that were given. */
export const LOST_MAX = 16;

/** A question that is open. */
export interface Open {
  readonly n: number;
  readonly to: Peer;
  readonly tries: number;
  readonly sentAt: Instant;
}

/** A stabilise on its way: it asks the successor, then perhaps whom that has before it. */
export interface Stabilising extends Open {
  readonly whom: 'successor' | 'nearer';
}

/** A rectify on its way: is the one before me still there, while another claims its place? */
export interface Rectifying extends Open {
  readonly claims: Peer;
}

/** A join on its way: the successor was found and is asked for its whole list. */
export interface Joining {
  readonly via: readonly Peer[];
  readonly before: Peer | undefined;
  readonly owners: readonly Peer[];
  readonly open: Open | undefined;
}

export interface Chord {
  readonly me: Peer;
  readonly rules: ChordRules;
  readonly status: 'out' | 'joining' | 'member' | 'left';
  /** Successors, nearest first. Empty: this node is a ring of its own. */
  readonly list: readonly Peer[];
  /** Whom this node takes for its predecessor; a hint, and perhaps dead. */
  readonly before: Peer | undefined;
  /** [i] is the owner of me + 2^(63 - i), as far as the list does not reach. */
  readonly fingers: readonly (Peer | undefined)[];
  readonly fixing: number;
  readonly stabilising: Stabilising | undefined;
  readonly rectifying: Rectifying | undefined;
  readonly joining: Joining | undefined;
  readonly lookups: readonly Lookup[];
  /** Owners that answered of late, newest first. */
  readonly owners: readonly Found[];
  readonly lost: readonly Peer[];
  /** The number of the last question. */
  readonly sent: number;
}

export function chordOut(me: Peer, rules: ChordRules = CHORD_RULES): Chord {
  return {
    me,
    rules,
    status: 'out',
    list: [],
    before: undefined,
    fingers: [],
    fixing: 0,
    stabilising: undefined,
    rectifying: undefined,
    joining: undefined,
    lookups: [],
    owners: [],
    lost: [],
    sent: 0,
  };
}

/** A member from the start: alone, or one of a stable base whose members know each other. */
export function chordMember(me: Peer, base: readonly Peer[] = [], rules = CHORD_RULES): Chord {
  const others = base.filter(({ id }) => id !== me.id).sort(clockwiseFrom(me.place));
  const list = others.slice(0, rules.successors);
  return { ...chordOut(me, rules), status: 'member', list, before: others.at(-1) };
}

/** The keys that this node may think its own: what lies between its predecessor and itself. */
export function ownRange({ me, before }: Chord): Range {
  return { after: before?.place ?? me.place, upTo: me.place };
}

/** The timers of a member, which go on by themselves from then. */
export function memberTimers({ rules }: Chord): ChordEffect[] {
  return [
    after(0, { kind: 'round' }),
    after(0, { kind: 'fix' }),
    after(rules.reachMs, { kind: 'reach' }),
  ];
}

export function clockwiseFrom(start: Position): (a: Peer, b: Peer) => number {
  return (a, b) => (a.place === b.place ? 0 : isBetween(start, a.place, b.place) ? -1 : 1);
}

/**
 * A list that begins with `head` and goes on as that node said, cut where it is full, out of
 * order, or comes round to this node: no list goes round the circle, whatever its source says.
 */
export function listBehind(chord: Chord, head: Peer, rest: readonly Peer[]): readonly Peer[] {
  const { me, rules } = chord;
  const list = [head];
  let last = head.place;
  for (const peer of rest) {
    if (list.length >= rules.successors || !isBetween(last, peer.place, me.place)) break;
    list.push(peer);
    last = peer.place;
  }
  return isSameList(list, chord.list) ? chord.list : list;
}

function isSameList(a: readonly Peer[], b: readonly Peer[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i] && (a[i]?.id !== b[i]?.id || a[i]?.at !== b[i]?.at)) return false;
  }
  return true;
}

export function send(to: Peer, message: ChordMessage): ChordEffect {
  return { kind: 'send', to, message };
}

export function after(ms: number, input: ChordInput): ChordEffect {
  return { kind: 'after', ms, input };
}

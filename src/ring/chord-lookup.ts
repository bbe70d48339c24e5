/**
 * The lookups of a node: those of its user, of its fingers, of a join, and of a greeting.
 *
 * At most `lookupsMax` walk at once; a user who asks for more is told so. Owners that answered of
 * late are asked first: the right one says so in one hop, and a wrong one costs that hop.
 */
import type { Instant } from '../base/index.ts';
import type { ChordEffect, Found, Peer } from './chord-message.ts';
import { ALL_WAYS, wayTo } from './chord-route.ts';
import { after, type Chord, send } from './chord-state.ts';
import { isInRange, type Position } from './id.ts';
import {
  added,
  isNamed,
  type Lookup,
  lookupFrom,
  type Walk,
  type Way,
  walkOn,
  walkWith,
} from './lookup.ts';

/** What came of a lookup, for whoever wanted it. */
export interface Ended {
  readonly lookup: Lookup;
  readonly end: Exclude<Walk, { kind: 'ask' }>;
}

/** The state after a walk went on, and its end when it has come. */
export interface Walked {
  readonly chord: Chord;
  readonly ended: Ended | undefined;
}

export function userLookup(
  chord: Chord,
  key: Position,
  tag: number,
  now: Instant,
  out: ChordEffect[],
): Chord {
  const { lookups, rules, status } = chord;
  if (status !== 'member' || lookups.length >= rules.lookupsMax) {
    out.push({ kind: 'unfound', tag, why: status === 'member' ? 'busy' : 'out' });
    return chord;
  }
  const way = wayTo(chord, 0, key, ALL_WAYS);
  if (way.owns) {
    const range = { after: chord.before?.place ?? chord.me.place, upTo: chord.me.place };
    const found = { key, owner: chord.me, range, hops: 0, at: now };
    out.push({ kind: 'found', tag, found });
    return chord;
  }
  const lookup = lookupFrom(chord.me, { why: 'user', tag, key }, way);
  const cached = chord.owners.find(({ range }) => range !== undefined && isInRange(key, range));
  const { chord: next, ended } =
    cached === undefined || lookup.owners.length > 0
      ? walk(chord, walkOn(lookup, chord.me, rules.hopsMax), lookup, now, out)
      : askFirst(chord, lookup, cached.owner, now, out);
  return ended === undefined ? next : endUser(next, ended, now, out);
}

function askFirst(
  chord: Chord,
  lookup: Lookup,
  to: Peer,
  now: Instant,
  out: ChordEffect[],
): Walked {
  const asking = { ...lookup, tried: added(lookup.tried, to.id), hops: 1 };
  return walk(chord, { kind: 'ask', lookup: asking, to }, lookup, now, out);
}

/** Starts a lookup of the node's own, beside the user's limit. */
export function ownLookup(
  chord: Chord,
  what: Pick<Lookup, 'why' | 'tag' | 'key'>,
  via: readonly Peer[] | undefined,
  now: Instant,
  out: ChordEffect[],
): Walked {
  const way = via === undefined ? wayTo(chord, 0, what.key, ALL_WAYS) : { nearer: via, owners: [] };
  const lookup = lookupFrom(chord.me, what, way);
  return walk(chord, walkOn(lookup, chord.me, chord.rules.hopsMax), lookup, now, out);
}

/** An answer, if a lookup waits for it: undefined otherwise. */
export function gotWay(
  chord: Chord,
  from: Peer,
  way: Way,
  now: Instant,
  out: ChordEffect[],
): Walked | undefined {
  const lookup = chord.lookups.find(({ open }) => open?.n === way.n && open.to.id === from.id);
  if (lookup === undefined) return undefined;
  return walk(chord, walkWith(lookup, from, way, chord.me, chord.rules.hopsMax), lookup, now, out);
}

/**
 * A silence, if it is a lookup's: the node that kept it is no finger any more. An owner is asked
 * again, as often as a neighbour would be: to pass it over is to name another.
 */
export function lateWay(
  chord: Chord,
  n: number,
  now: Instant,
  out: ChordEffect[],
): Walked | undefined {
  const lookup = chord.lookups.find(({ open }) => open?.n === n);
  if (lookup?.open === undefined) return undefined;
  const { to, tries } = lookup.open;
  if (isNamed(lookup, to) && tries < chord.rules.tries) {
    return walk(chord, { kind: 'ask', lookup, to }, lookup, now, out, tries + 1);
  }
  const calmer = forget(chord, to);
  return walk(calmer, walkOn(lookup, chord.me, chord.rules.hopsMax), lookup, now, out);
}

function walk(
  chord: Chord,
  step: Walk,
  before: Lookup,
  now: Instant,
  out: ChordEffect[],
  tries = 1,
): Walked {
  const others = chord.lookups.filter((one) => !isSame(one, before));
  if (step.kind !== 'ask') {
    return { chord: { ...chord, lookups: others }, ended: { lookup: before, end: step } };
  }
  const n = chord.sent + 1;
  const open = { n, to: step.to, tries, sentAt: now };
  out.push(send(step.to, { kind: 'find', n, key: step.lookup.key }));
  out.push(after(chord.rules.patienceMs, { kind: 'late', n }));
  const lookups = [...others, { ...step.lookup, open }];
  return { chord: { ...chord, sent: n, lookups }, ended: undefined };
}

function isSame(a: Lookup, b: Lookup): boolean {
  return a === b || (a.open !== undefined && a.open === b.open);
}

export function endUser(chord: Chord, ended: Ended, now: Instant, out: ChordEffect[]): Chord {
  const { lookup, end } = ended;
  const { tag, key, hops } = lookup;
  if (end.kind !== 'found') {
    out.push({ kind: 'unfound', tag, why: 'no-way' });
    return chord;
  }
  const found = { key, owner: end.owner, range: end.range, hops, at: now };
  out.push({ kind: 'found', tag, found });
  return { ...chord, owners: remembered(chord, found) };
}

function remembered({ owners, rules }: Chord, found: Found): readonly Found[] {
  if (found.range === undefined) return owners;
  const others = owners.filter(({ owner }) => owner.id !== found.owner.id);
  return [found, ...others].slice(0, rules.ownersMax);
}

/** Takes a node that kept silent, or left, out of all that only makes things fast. */
export function forget(chord: Chord, peer: Peer): Chord {
  const { fingers, owners } = chord;
  const isFinger = fingers.some((finger) => finger?.id === peer.id);
  const isOwner = owners.some(({ owner }) => owner.id === peer.id);
  if (!isFinger && !isOwner) return chord;
  return {
    ...chord,
    fingers: fingers.map((finger) => (finger?.id === peer.id ? undefined : finger)),
    owners: owners.filter(({ owner }) => owner.id !== peer.id),
  };
}

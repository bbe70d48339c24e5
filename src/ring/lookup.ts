/**
 * Who owns this key? One lookup, as its asker walks it: one question at a time, each with a
 * deadline, from node to node that is nearer to the key (D2).
 *
 *   nearer: a, b, c ── ask a ─▶ nearer: d, …     a is silent: ask b
 *                      ask d ─▶ owners: x, y     the key lies between d and its successor x
 *                      ask x ─▶ "mine"           found; x is silent: y; x says "his": ask him
 *
 * Only the node right before a key may name its owner, and the owner is asked before it is
 * believed: so fingers, however stale, cost time and never the answer. Who answered or kept
 * silent is not asked twice, so a walk ends; `hopsMax` ends it sooner.
 */
import type { ChordMessage, Peer } from './chord-message.ts';
import type { Open } from './chord-state.ts';
import { isBetween, isInRange, type Position, type Range } from './id.ts';

/** Candidates that a walk remembers: enough ways around silent nodes. */
const NEARER_MAX = 16;

export interface Lookup {
  readonly why: 'user' | 'finger' | 'join' | 'reach';
  readonly tag: number;
  readonly key: Position;
  readonly open: Open | undefined;
  /** Nodes before the key that were not asked yet, nearest to the key first. */
  readonly nearer: readonly Peer[];
  /** Who named the owners, and whom: the first that answers is it. */
  readonly before: Peer | undefined;
  readonly owners: readonly Peer[];
  /** Ids of all that were asked, and of the asker itself. */
  readonly tried: readonly string[];
  readonly hops: number;
}

export type Way = Extract<ChordMessage, { kind: 'way' }>;

export type Walk =
  | { readonly kind: 'ask'; readonly lookup: Lookup; readonly to: Peer }
  | { readonly kind: 'found'; readonly owner: Peer; readonly range: Range | undefined }
  /** For a join: between whom the key lies. */
  | {
      readonly kind: 'between';
      readonly before: Peer | undefined;
      readonly owners: readonly Peer[];
    }
  | { readonly kind: 'lost' };

export function lookupFrom(
  me: Peer,
  { why, tag, key }: Pick<Lookup, 'why' | 'tag' | 'key'>,
  start: { readonly nearer: readonly Peer[]; readonly owners: readonly Peer[] },
): Lookup {
  const { nearer, owners } = start;
  const named = owners.length > 0 ? me : undefined;
  const tried = [me.id];
  return { why, tag, key, open: undefined, nearer, before: named, owners, tried, hops: 0 };
}

/** The next question, or the end. */
export function walkOn(lookup: Lookup, me: Peer, hopsMax: number): Walk {
  const { owners, before, nearer, tried, hops } = lookup;
  if (lookup.why === 'join' && owners.length > 0) return { kind: 'between', before, owners };
  const owner = owners[0];
  if (owner?.id === me.id) return { kind: 'found', owner: me, range: undefined };
  const to = owner ?? nearer[0];
  if (to === undefined || hops >= hopsMax) return { kind: 'lost' };
  const left =
    owner === undefined ? { nearer: nearer.slice(1) } : { owners: owners.slice(1), nearer };
  const next = { ...lookup, ...left, tried: [...tried, to.id], hops: hops + 1 };
  return { kind: 'ask', lookup: next, to };
}

/** What an answer of `from` makes of a walk. */
export function walkWith(lookup: Lookup, from: Peer, way: Way, me: Peer, hopsMax: number): Walk {
  if (way.owns) return ownerSaid(lookup, from, way, me, hopsMax);
  const wasOwner =
    lookup.before !== undefined &&
    isInRange(lookup.key, { after: lookup.before.place, upTo: from.place });
  if (wasOwner) return notHis(lookup, from, way, me, hopsMax);
  if (lookup.why === 'reach' && way.nearer.some(({ id }) => id === me.id)) return { kind: 'lost' };
  const owners = soundOwners(lookup, from, way.owners);
  if (owners.length > 0) return walkOn({ ...lookup, before: from, owners }, me, hopsMax);
  const nearer = merged(lookup, from, way.nearer);
  return walkOn({ ...lookup, owners: [], nearer }, me, hopsMax);
}

function ownerSaid(lookup: Lookup, from: Peer, { before }: Way, me: Peer, hopsMax: number): Walk {
  if (lookup.why !== 'join') {
    const range = { after: before?.place ?? from.place, upTo: from.place };
    return { kind: 'found', owner: from, range };
  }
  // A joiner is told its place by the node before it, unless that one is gone.
  if (before === undefined || lookup.tried.includes(before.id)) {
    return { kind: 'between', before, owners: [from] };
  }
  const asked = { ...lookup, nearer: [before, ...lookup.nearer], owners: [] };
  const walk = walkOn(asked, me, hopsMax);
  return walk.kind === 'ask' ? { ...walk, lookup: { ...walk.lookup, owners: [from] } } : walk;
}

/** The owner that was named knows somebody between the key and itself: is he there? */
function notHis(lookup: Lookup, from: Peer, way: Way, me: Peer, hopsMax: number): Walk {
  const { before: his } = way;
  const isHis =
    his !== undefined &&
    !lookup.tried.includes(his.id) &&
    (his.place === lookup.key || isBetween(lookup.key, his.place, from.place));
  if (!isHis) return { kind: 'found', owner: from, range: undefined };
  return walkOn({ ...lookup, owners: [his, from, ...lookup.owners] }, me, hopsMax);
}

function soundOwners(lookup: Lookup, from: Peer, owners: readonly Peer[]): readonly Peer[] {
  const first = owners[0];
  if (first === undefined) return [];
  if (!isInRange(lookup.key, { after: from.place, upTo: first.place })) return [];
  return owners.filter(({ id }, i) => i === 0 || !lookup.tried.includes(id));
}

/** Only who brings the walk nearer to the key counts; an answer that does not is nonsense. */
function merged(lookup: Lookup, from: Peer, offered: readonly Peer[]): readonly Peer[] {
  const { key, tried, nearer } = lookup;
  const fresh = offered.filter(
    ({ id, place }) =>
      isBetween(from.place, place, key) &&
      !tried.includes(id) &&
      !nearer.some((known) => known.id === id),
  );
  if (fresh.length === 0) return nearer;
  return [...fresh, ...nearer].sort(nearestBefore(key)).slice(0, NEARER_MAX);
}

/** Nearest before the key first. */
export function nearestBefore(key: Position): (a: Peer, b: Peer) => number {
  return (a, b) => (a.place === b.place ? 0 : isBetween(a.place, b.place, key) ? 1 : -1);
}

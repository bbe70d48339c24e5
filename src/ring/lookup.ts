/**
 * Who owns this key? One lookup, as its asker walks it: one question at a time, each with a
 * deadline, from node to node that is nearer to the key (D2).
 *
 *   nearer: a, b, c ── ask a ─▶ nearer: d, …     a is silent: ask b
 *                      ask d ─▶ owners: x, y     the key lies between d and its successor x
 *                      ask x ─▶ "mine"           found; x is silent: y; x says "his": ask him
 *
 * The node right before a key names its owner; if that node is gone, the nearest that is left
 * does. The owner is asked before it is believed: so fingers, however stale, cost time and never
 * the answer. `hopsMax` ends a walk that is led about.
 */
import type { ChordMessage, Peer } from './chord-message.ts';
import type { Open } from './chord-state.ts';
import { isBetween, isInRange, type Position, type Range } from './id.ts';

/** Candidates that a walk remembers: enough ways around silent nodes. */
const NEARER_MAX = 32;
/** Those asked last are not asked again; whoever was asked long before may be, which only costs. */
const TRIED_MAX = 64;

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
  /** Whom the nearest node that answered would name, should all that are nearer keep silent. */
  readonly spare: Named | undefined;
  /** Ids of the asker itself and of those that were asked of late. */
  readonly tried: readonly string[];
  readonly hops: number;
}

interface Named {
  readonly before: Peer;
  readonly owners: readonly Peer[];
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
  const rest = { spare: undefined, tried: [me.id], hops: 0 };
  if (nearer.length > 0) {
    const spare = owners.length > 0 ? { before: me, owners } : undefined;
    return {
      why,
      tag,
      key,
      open: undefined,
      nearer,
      before: undefined,
      owners: [],
      ...rest,
      spare,
    };
  }
  return { why, tag, key, open: undefined, nearer, before: named, owners, ...rest };
}

/** The next question, or the end. */
export function walkOn(lookup: Lookup, me: Peer, hopsMax: number): Walk {
  const { owners, before, nearer, tried, hops } = lookup;
  if (lookup.why === 'join' && owners.length > 0) return { kind: 'between', before, owners };
  const owner = owners[0];
  if (owner?.id === me.id) return { kind: 'found', owner: me, range: undefined };
  const to = owner ?? nearer[0];
  if (to === undefined && lookup.spare !== undefined) {
    return walkOn({ ...lookup, ...lookup.spare, spare: undefined }, me, hopsMax);
  }
  if (to === undefined || hops >= hopsMax) return { kind: 'lost' };
  const left =
    owner === undefined ? { nearer: nearer.slice(1) } : { owners: owners.slice(1), nearer };
  const next = { ...lookup, ...left, tried: added(tried, to.id), hops: hops + 1 };
  return { kind: 'ask', lookup: next, to };
}

export function added(tried: readonly string[], id: string): readonly string[] {
  // The first is the asker itself, and stays.
  const kept = tried.length < TRIED_MAX ? tried : [tried[0] as string, ...tried.slice(2)];
  return [...kept, id];
}

/** What an answer of `from` makes of a walk. */
export function walkWith(lookup: Lookup, from: Peer, way: Way, me: Peer, hopsMax: number): Walk {
  if (way.owns) return ownerSaid(lookup, from, way, me, hopsMax);
  if (isNamed(lookup, from)) return notHis(lookup, from, way, me, hopsMax);
  if (lookup.why === 'reach' && way.nearer.some(({ id }) => id === me.id)) return { kind: 'lost' };
  const owners = soundOwners(lookup, from, way.owners);
  if (owners.length > 0 && way.nearer.length === 0) {
    return walkOn({ ...lookup, before: from, owners, spare: undefined }, me, hopsMax);
  }
  const nearer = merged(lookup, from, way.nearer);
  const spare = spareOf(lookup, from, owners);
  return walkOn({ ...lookup, owners: [], nearer, spare }, me, hopsMax);
}

/** True of whoever was named an owner by the node before the key. */
export function isNamed({ before, key }: Lookup, peer: Peer): boolean {
  return before !== undefined && isInRange(key, { after: before.place, upTo: peer.place });
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
  // A joiner asks owners for their lists: whoever showed it the way may well be its successor.
  if (lookup.why === 'join') return owners;
  return owners.filter(({ id }, i) => i === 0 || !lookup.tried.includes(id));
}

function spareOf({ spare, key }: Lookup, from: Peer, owners: readonly Peer[]): Named | undefined {
  if (owners.length === 0) return spare;
  const isNearest = spare === undefined || isBetween(spare.before.place, from.place, key);
  return isNearest ? { before: from, owners } : spare;
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

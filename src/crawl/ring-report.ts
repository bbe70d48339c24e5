/**
 * A node's report of itself as bytes, and the bytes of another as a report, or as nothing (O2, D8).
 *
 *   {"v":1,"me":{"id":…,"at":…},"status":"member",…,"arcs":[{"arc":7,"epoch":3,"role":"owner",…}]}
 *
 * It is JSON of at most CALL_BYTES_MAX: what is too long loses lookups and fingers, in halves. Who
 * reads here believes nobody: whatever is not exactly a report of whoever was asked is undefined,
 * without a throw. Places of nodes are computed from their keys, and never read.
 *
 * Not here: who is asked, and what a ring looks like as a whole (ring-survey.ts).
 */
import { assert } from '../base/assert.ts';
import { CALL_BYTES_MAX } from '../ports/ring-calls.ts';
import type { RingArc, RingLookup, RingPeer, RingReport } from '../ports/ring-report.ts';
import { isPosition, peerFrom } from '../ring/index.ts';
import { ARCS } from '../url/index.ts';

const VERSION = 1;
const PEERS_MAX = 64;
const SEATS_MAX = 16;
const LOOKUPS_MAX = 32;
const HOPS_MAX = 1_000;
/** The last that is written with four digits for its year. */
const INSTANT_MAX = Date.UTC(9999, 11, 31);
const STATUSES = ['out', 'joining', 'member', 'leaving', 'gone'] as const;
const ROLES = ['owner', 'seat', 'candidate'] as const;
const COUNTS = [
  ...(['ownerships', 'losses', 'handOvers', 'staleRefused', 'staleTold'] as const),
  ...(['messagesIn', 'messagesOut', 'bytesIn', 'bytesOut', 'rowBytesIn', 'rowBytesOut'] as const),
  ...(['lookups', 'lookupHops', 'strangers', 'nonsense'] as const),
  ...(['lent', 'lentSettled', 'lentLost'] as const),
  ...(['borrowed', 'borrowedSettled', 'borrowedLost'] as const),
] as const;
const TOTALS = ['known', 'waiting', 'fetched'] as const;

export function encodeReport(report: RingReport): Uint8Array {
  const { successors, arcs } = report;
  for (let most = PEERS_MAX; ; most >>= 1) {
    const told = {
      ...{ v: VERSION, ...report, successors: successors.slice(0, PEERS_MAX) },
      fingers: report.fingers.slice(0, most),
      lookups: report.lookups.slice(0, Math.min(most, LOOKUPS_MAX)),
      arcs: arcs.map((arc) => ({ ...arc, seats: arc.seats.slice(0, SEATS_MAX) })),
    };
    const bytes = Buffer.from(JSON.stringify(told, (name, value) => withoutPlace(name, value)));
    if (bytes.length <= CALL_BYTES_MAX) return bytes;
    assert(most > 0, 'a report without fingers fits into one message');
  }
}

/** The place of a node is left out where its key says it. */
function withoutPlace(name: string, value: unknown): unknown {
  return name === 'place' ? undefined : value;
}

/** Of the node with this id; undefined when it is no report, or that of another. */
export function decodeReport(bytes: Uint8Array, id: string): RingReport | undefined {
  if (bytes.length > CALL_BYTES_MAX) return undefined;
  const it = fieldsIn(bytes);
  const me = it && peerFrom(it.me);
  if (it === undefined || it.v !== VERSION || me?.id !== id) return undefined;
  const [successors, fingers] = [peersIn(it.successors), peersIn(it.fingers)];
  const before = it.before === undefined ? undefined : peerFrom(it.before);
  const status = STATUSES.find((one) => one === it.status);
  const arcs = listOf(it.arcs, ARCS, (one) => arcIn(one, me.place));
  const lookups = listOf(it.lookups, LOOKUPS_MAX, lookupIn);
  const [counts, totals] = [
    countsIn(it.counts, COUNTS, isCount),
    countsIn(it.totals, TOTALS, isSum),
  ];
  if (it.before !== undefined && before === undefined) return undefined;
  if (!successors || !fingers || !status || !arcs || !lookups || !counts || !totals)
    return undefined;
  if (!isInstant(it.at) || new Set(arcs.map(({ arc }) => arc)).size < arcs.length) return undefined;
  return { me, status, at: it.at, before, successors, fingers, arcs, counts, lookups, totals };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(bytes: Uint8Array): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFields ? (value as Fields) : undefined;
}

/** All of them are sound, or there is no list. */
function listOf<T>(
  value: unknown,
  most: number,
  read: (one: unknown) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const list: T[] = [];
  for (const one of value) {
    const it = read(one);
    if (it === undefined) return undefined;
    list.push(it);
  }
  return list;
}

function peersIn(value: unknown): RingPeer[] | undefined {
  return listOf(value, PEERS_MAX, peerFrom);
}

/** Nobody says of another that it owns an arc in the name of `me`. */
function arcIn(value: unknown, me: string): RingArc | undefined {
  const it = fieldsOf(value);
  const role = ROLES.find((one) => one === it?.role);
  const seats = listOf(it?.seats, SEATS_MAX, (one) => (isPosition(one) ? one : undefined));
  if (it === undefined || role === undefined || seats === undefined) return undefined;
  const { arc, epoch, owner, level, isHanding } = it;
  if (!isCount(arc) || arc >= ARCS || !isCount(epoch)) return undefined;
  if (owner !== undefined && !isPosition(owner)) return undefined;
  if (role === 'owner' && owner !== me) return undefined;
  if (level !== undefined && (!isCount(level) || level > SEATS_MAX)) return undefined;
  if (isHanding !== undefined && typeof isHanding !== 'boolean') return undefined;
  return {
    ...{ arc, epoch, role, owner, seats: [...new Set(seats)] },
    ...(level !== undefined && { level }),
    ...(isHanding !== undefined && { isHanding }),
  };
}

function lookupIn(value: unknown): RingLookup | undefined {
  const { key, owner, hops, ms, at } = fieldsOf(value) ?? {};
  if (!isPosition(key) || (owner !== undefined && !isPosition(owner))) return undefined;
  if (!isCount(hops) || hops > HOPS_MAX || !isInstant(at)) return undefined;
  return typeof ms === 'number' && ms >= 0 && ms < INSTANT_MAX
    ? { key, owner, hops, ms, at }
    : undefined;
}

function countsIn<N extends string>(
  value: unknown,
  names: readonly N[],
  isOne: (value: unknown) => boolean,
): Record<N, number> | undefined {
  const it = fieldsOf(value);
  if (it === undefined || !names.every((name) => isOne(it[name]))) return undefined;
  return Object.fromEntries(names.map((name) => [name, it[name]])) as Record<N, number>;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What a commit changes is counted in one arc of several: a node's part may be less than nothing. */
function isSum(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isInstant(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= INSTANT_MAX;
}

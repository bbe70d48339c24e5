/**
 * What can be asked about a ring through any of its nodes (O2).
 *
 *   survey()   all nodes that can be found, and who owns which arc     ring-walk.ts
 *   node()     one of them in full, asked now
 *   lookup()   who owns a host: a walk of chord's own (D2)
 *
 * What others say is checked (ring-report.ts) and shown as what they say: of an arc, whoever names
 * the highest epoch is followed, and the owner's own words before those of others.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import type { RingArc, RingPeer, RingReport } from '../ports/ring-report.ts';
import { hostKeyOf } from '../record/index.ts';
import { type Found, type Position, positionFrom } from '../ring/index.ts';
import { ARCS, arcOf } from '../url/index.ts';
import { heldFor } from './held.ts';
import { endOf } from './ring-arcs-lines.ts';
import { encodeReport } from './ring-report.ts';
import { RingWalk, type SeenNode } from './ring-walk.ts';

/** However many look: a walk at most once a second, and less often where it asks many. */
const HOLDS_MS = SECOND_MS;
const HOLDS_MS_PER_NODE = 40;
/** What others are told is made once for all who ask within this time. */
const TOLD_HOLDS_MS = SECOND_MS / 4;

export interface RingSource {
  report(): RingReport;
  /** Who should own what is at this place; undefined when nobody who was asked knew. */
  lookup(key: Position): Promise<Found | undefined>;
}

export interface RingAnswers {
  /** Of this node, now. */
  report(): RingReport;
  survey(): Promise<RingSurvey>;
  /** By its id or its place; undefined when nobody names it. */
  node(name: string): Promise<SeenNode | undefined>;
  /** By its name, with a port or without. */
  lookup(host: string): Promise<HostOwner>;
}

export interface RingSurvey {
  readonly at: Instant;
  /** Who looked. */
  readonly me: RingPeer;
  /** Clockwise from zero. */
  readonly nodes: readonly SeenNode[];
  /** All 64. */
  readonly arcs: readonly SeenArc[];
  /** False when there are more nodes than were asked. */
  readonly isWhole: boolean;
}

/** Without an epoch nobody has said anything of it. */
export interface SeenArc {
  readonly arc: number;
  readonly epoch: number | undefined;
  readonly owner: string | undefined;
  readonly seats: readonly string[];
  /** How many of the seats have everything; undefined unless the owner itself says so. */
  readonly level: number | undefined;
  readonly isHanding: boolean;
}

export interface HostOwner {
  readonly place: Position;
  /** Whom chord names for its arc, which is whoever stands where the arc ends, or next. */
  readonly found: Found | undefined;
  readonly ms: number;
  /** Who acts for it, by what nodes say. */
  readonly arc: SeenArc;
}

/** From now on the others are answered, too. */
export function makeRingAnswers(source: RingSource, calls: RingCalls, clock: Clock): RingAnswers {
  const walk = new RingWalk(() => source.report(), calls, clock);
  const holds = ({ nodes }: RingSurvey) => Math.max(HOLDS_MS, HOLDS_MS_PER_NODE * nodes.length);
  const survey = heldFor(holds, clock, async () => {
    const { nodes, isWhole } = await walk.nodes();
    const { me, at } = source.report();
    return { at, me, nodes, isWhole, arcs: arcsOf(nodes) };
  });
  const told = heldFor(TOLD_HOLDS_MS, clock, async () => encodeReport(source.report()));
  calls.serve('report', told);
  return {
    report: () => source.report(),
    survey,
    node: async (name) => {
      const { nodes } = await survey();
      const known = nodes.find(({ peer }) => peer.id === name || peer.place === name);
      return known && walk.again(known);
    },
    lookup: async (host) => {
      const place = positionFrom(hostKeyOf(host));
      const arc = arcOf(hostKeyOf(host));
      const begun = clock.now();
      const found = await source.lookup(endOf(arc));
      const ms = clock.now() - begun;
      return { place, found, ms, arc: (await survey()).arcs[arc] as SeenArc };
    },
  };
}

function arcsOf(nodes: readonly SeenNode[]): SeenArc[] {
  const said = new Map<number, RingArc>();
  for (const { report } of nodes) {
    for (const one of report?.arcs ?? []) {
      const before = said.get(one.arc);
      if (before === undefined || isRather(one, before)) said.set(one.arc, one);
    }
  }
  return Array.from({ length: ARCS }, (_, arc) => seenArc(arc, said.get(arc)));
}

function isRather(one: RingArc, before: RingArc): boolean {
  if (one.epoch !== before.epoch) return one.epoch > before.epoch;
  return one.role === 'owner' && before.role !== 'owner';
}

function seenArc(arc: number, said: RingArc | undefined): SeenArc {
  const { epoch, owner, seats = [], level, isHanding = false, role } = said ?? {};
  return { arc, epoch, owner, seats, level: role === 'owner' ? level : undefined, isHanding };
}

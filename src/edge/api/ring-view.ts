/** A ring, a node and an arc of it as the API shows them; what is not known is left out. */
import Type, { type Static } from 'typebox';
import type { RingSurvey, SeenArc } from '../../crawl/ring-survey.ts';
import type { SeenNode } from '../../crawl/ring-walk.ts';
import type { RingPeer, RingReport } from '../../ports/ring-report.ts';
import { leaveOut } from './page-view.ts';
import { snaked } from './stats.ts';

const AT = Type.String({ format: 'date-time' });
const PLACE = Type.String({ pattern: '^[0-9a-f]{16}$', description: 'On the circle' });
const COUNTS = Type.Record(Type.String(), Type.Number());

export const RING_PEER = Type.Object({
  id: Type.String({ description: 'Its public key' }),
  place: PLACE,
  at: Type.String({ description: "host:port of the ring's own port" }),
});

export const RING_ARC = Type.Object({
  arc: Type.Integer({ minimum: 0, maximum: 63 }),
  epoch: Type.Optional(Type.Integer({ description: 'Left out while nobody says anything of it' })),
  owner: Type.Optional(PLACE),
  seats: Type.Array(PLACE, { description: 'Who keeps it, the owner among them' }),
  level: Type.Optional(Type.Integer({ description: 'Seats that have everything' })),
  is_handing: Type.Boolean({ description: 'It is on its way to another owner' }),
});

const NODE_FIELDS = {
  ...RING_PEER.properties,
  is_silent: Type.Boolean({ description: 'It was named, and did not answer in time' }),
  heard_at: Type.Optional(AT),
  status: Type.Optional(Type.Enum(['out', 'joining', 'member', 'leaving', 'gone'])),
  arcs_owned: Type.Optional(Type.Integer()),
  arcs_kept: Type.Optional(Type.Integer({ description: 'Seats of arcs that others own' })),
  counts: Type.Optional({ ...COUNTS, description: 'Since the process started' }),
  totals: Type.Optional(COUNTS),
};

export const RING_NODE = Type.Object(NODE_FIELDS);

export const RING = Type.Object({
  at: AT,
  me: Type.String({ description: 'The place of the node that looked' }),
  is_whole: Type.Boolean({ description: 'False when more nodes were named than were asked' }),
  nodes: Type.Array(RING_NODE, { description: 'Clockwise from zero' }),
  arcs: Type.Array(RING_ARC, { description: 'All 64, by the highest epoch that is claimed' }),
});

const LOOKUP = Type.Object({
  key: PLACE,
  owner: Type.Optional(PLACE),
  hops: Type.Integer(),
  ms: Type.Number(),
  at: AT,
});

const OWN_ARC = Type.Object({
  ...RING_ARC.properties,
  role: Type.Enum(['owner', 'seat', 'candidate']),
});

export const RING_NODE_DETAIL = Type.Object({
  ...NODE_FIELDS,
  before: Type.Optional(RING_PEER),
  successors: Type.Optional(Type.Array(RING_PEER)),
  fingers: Type.Optional(Type.Array(RING_PEER)),
  arcs: Type.Optional(Type.Array(OWN_ARC)),
  lookups: Type.Optional(Type.Array(LOOKUP, { description: 'The last few, newest first' })),
});

export function ringView({ at, me, isWhole, nodes, arcs }: RingSurvey): Static<typeof RING> {
  return {
    ...{ at: isoOf(at), me: me.place, is_whole: isWhole },
    ...{ nodes: nodes.map(nodeView), arcs: arcs.map(arcView) },
  };
}

export function peerView({ id, place, at }: RingPeer): Static<typeof RING_PEER> {
  return { id, place, at };
}

export function arcView({ arc, epoch, owner, seats, level, isHanding }: SeenArc) {
  const known = leaveOut({ epoch, owner, level });
  return { arc, seats: [...seats], is_handing: isHanding, ...known } as Static<typeof RING_ARC>;
}

export function nodeView({ peer, report, heardAt }: SeenNode): Static<typeof RING_NODE> {
  const silent = report === undefined;
  const { known = 0, waiting = 0, fetched = 0 } = report?.totals ?? {};
  const told = report && {
    status: report.status,
    arcs_owned: report.arcs.filter(({ role }) => role === 'owner').length,
    arcs_kept: report.arcs.filter(({ role }) => role === 'seat').length,
    ...{ counts: snaked(report.counts), totals: { known, waiting, fetched } },
  };
  const heard = heardAt === undefined ? {} : { heard_at: isoOf(heardAt) };
  return { ...peerView(peer), is_silent: silent, ...heard, ...told };
}

export function nodeDetailView(node: SeenNode): Static<typeof RING_NODE_DETAIL> {
  const { report } = node;
  return { ...nodeView(node), ...(report && reportView(report)) };
}

function reportView({ before, successors, fingers, arcs, lookups }: RingReport) {
  return {
    ...(before && { before: peerView(before) }),
    ...{ successors: successors.map(peerView), fingers: fingers.map(peerView) },
    arcs: arcs.map(({ role, ...arc }) => {
      const seen = { level: undefined, isHanding: false, ...arc };
      return { ...arcView(seen), role };
    }),
    lookups: lookups.map(({ key, owner, hops, ms, at }) => {
      const found = owner === undefined ? {} : { owner };
      return { key, hops, ms, at: isoOf(at), ...found };
    }),
  };
}

/** Instants of reports are checked when they are read: all of them can be written. */
function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** A ring as one of its nodes sees it, as it is told to people (ports/ring-report.ts). */
import type { Instant } from '../base/instant.ts';
import type { RingArc, RingPeer, RingReport } from '../ports/ring-report.ts';
import type { ArcState, NodeId, Peer } from '../ring/index.ts';
import type { RingView } from './ring-member.ts';

export interface ReportParts extends Pick<RingReport, 'counts' | 'lookups' | 'totals'> {
  readonly view: RingView;
  readonly at: Instant;
  readonly states: ReadonlyMap<number, ArcState>;
  readonly isLeaving: boolean;
  readonly isOver: boolean;
}

export function reportOf(parts: ReportParts): RingReport {
  const { view, at, states, counts, lookups, totals } = parts;
  const { me, before, successors, fingers } = view;
  return {
    ...{ me: peerOf(me), status: statusOf(parts), at },
    before: before === undefined ? undefined : peerOf(before),
    successors: successors.map(peerOf),
    fingers: fingers.map(peerOf),
    arcs: [...states].sort(([a], [b]) => a - b).flatMap(([arc, state]) => arcOf(arc, state)),
    ...{ counts, lookups, totals },
  };
}

function statusOf({ view, isLeaving, isOver }: ReportParts): RingReport['status'] {
  if (isOver || view.status === 'left') return 'gone';
  return isLeaving ? 'leaving' : view.status;
}

function peerOf({ id, place, at }: Peer): RingPeer {
  return { id, place, at };
}

/** Nothing of an arc that this node has no seat of. */
function arcOf(arc: number, state: ArcState): RingArc[] {
  const { me, promised: epoch, owner, charter, owning, campaign } = state;
  if (owning === undefined && !charter.seats.includes(me)) return [];
  const known = { arc, epoch, owner, seats: charter.seats };
  if (owning === undefined)
    return [{ ...known, role: campaign === undefined ? 'seat' : 'candidate' }];
  const isLevel = (seat: NodeId) => {
    const follower = owning.followers.get(seat);
    return seat === me || (follower?.isWhole === true && follower.acked >= owning.commit);
  };
  const level = charter.seats.filter(isLevel).length;
  return [{ ...known, role: 'owner', level, isHanding: owning.handing !== undefined }];
}

/** Metrics of a node of a ring (O1, O2): what it owns, what it refused, what it said and heard. */
import { counter, type Family, gauge, labelled } from '../metrics/index.ts';
import { NOTHING_LENT, type RingReport } from '../ports/ring-report.ts';

const NONE: RingReport['counts'] = {
  ...{ ownerships: 0, losses: 0, handOvers: 0, staleRefused: 0, staleTold: 0 },
  ...{ messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0, rowBytesIn: 0, rowBytesOut: 0 },
  ...{ lookups: 0, lookupHops: 0, strangers: 0, nonsense: 0, ...NOTHING_LENT },
};

/** All of them are there without a ring, too: a series that appears late tells less. */
export function ringFamilies(report: RingReport | undefined): Family[] {
  const { status, successors = [], arcs = [], counts = NONE } = report ?? {};
  const owned = arcs.filter(({ role }) => role === 'owner');
  const behind = owned.filter(({ level, seats }) => (level ?? 0) < seats.length).length;
  const roles = {
    ...{ owner: owned.length, seat: arcs.filter(({ role }) => role === 'seat').length },
    candidate: arcs.filter(({ role }) => role === 'candidate').length,
  };
  return [
    gauge('orb_ring_member', '1 while this node is a member of a ring.', +(status === 'member')),
    gauge('orb_ring_successors', 'Nodes in its list of successors.', successors.length),
    gauge(
      'orb_ring_arcs',
      'Arcs that this node has to do with, by its part.',
      labelled('role', roles),
    ),
    gauge('orb_ring_arcs_behind', 'Arcs it owns of which a copy lacks something.', behind),
    ...changeFamilies(counts),
    ...lendFamilies(counts),
    ...talkFamilies(counts),
  ];
}

function changeFamilies({ ownerships, losses, handOvers, ...counts }: RingReport['counts']) {
  const stale = { refused: counts.staleRefused, told: counts.staleTold };
  return [
    counter('orb_ring_elections_total', 'Arcs that this node became the owner of.', ownerships),
    counter('orb_ring_losses_total', 'Arcs that this node owned and lost.', losses),
    counter(
      'orb_ring_handovers_total',
      'Arcs that this node handed over in good order.',
      handOvers,
    ),
    counter(
      'orb_ring_stale_writes_total',
      'Writes in an epoch that is over: of others, refused here; its own, refused elsewhere.',
      labelled('side', stale),
    ),
  ];
}

function lendFamilies(counts: RingReport['counts']): Family[] {
  const ends = (settled: number, lost: number) => labelled('end', { settled, lost });
  return [
    counter('orb_ring_lent_total', 'Requests of its hosts lent to replicas.', counts.lent),
    counter(
      'orb_ring_lent_ends_total',
      'What became of them: settled here, or back in the queue.',
      ends(counts.lentSettled, counts.lentLost),
    ),
    counter('orb_ring_borrowed_total', 'Requests made for other owners.', counts.borrowed),
    counter(
      'orb_ring_borrowed_ends_total',
      'What became of them: taken by the owner, or not wanted any more.',
      ends(counts.borrowedSettled, counts.borrowedLost),
    ),
  ];
}

function talkFamilies(counts: RingReport['counts']): Family[] {
  const { messagesIn, messagesOut, bytesIn, bytesOut, rowBytesIn, rowBytesOut } = counts;
  const ways = (inwards: number, out: number) => labelled('way', { in: inwards, out });
  return [
    counter(
      'orb_ring_messages_total',
      'Messages of other nodes, and to them.',
      ways(messagesIn, messagesOut),
    ),
    counter('orb_ring_bytes_total', 'Bytes of these messages.', ways(bytesIn, bytesOut)),
    counter(
      'orb_ring_row_bytes_total',
      'Those of them that bring copies up: rows of an arc.',
      ways(rowBytesIn, rowBytesOut),
    ),
    counter('orb_ring_lookups_total', 'Lookups that came to an end.', counts.lookups),
    counter('orb_ring_lookup_hops_total', 'Nodes that were asked in them.', counts.lookupHops),
    counter(
      'orb_ring_refused_peers_total',
      'Who could not prove that it is a member, and messages that were none.',
      labelled('why', { stranger: counts.strangers, nonsense: counts.nonsense }),
    ),
  ];
}

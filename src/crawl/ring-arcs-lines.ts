/**
 * Who should keep an arc, as this node sees the ring, and where the nodes are that have seats (D1, D4).
 *
 * What Chord sees is enough where the arc ends between the node before this one and the end of its
 * list; else the line is looked up, one node after the other, and remembered for a while. Nobody
 * waits for it: the next tick knows. A seat is a place on the circle; who stands there is whoever
 * was heard or seen last, else it is looked up, too.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type Found,
  lineFrom,
  type NodeId,
  next,
  type Peer,
  type Position,
  type Standing,
} from '../ring/index.ts';
import { ARCS, firstBytesOf } from '../url/index.ts';

const HOLDS_MS = 5 * SECOND_MS;
const PEERS_MAX = 2_048;

interface Looked {
  line: readonly Peer[];
  at: Instant;
}

export interface LinesParts {
  readonly clock: Clock;
  readonly standing: () => Standing;
  readonly lookup: (key: Position) => Promise<Found | undefined>;
  /** So many are in a line. */
  readonly seats: number;
}

export class Lines {
  /** This node takes its leave: it stands in no line. */
  isLeaving = false;
  readonly #parts: LinesParts;
  readonly #peers = new Map<NodeId, Peer>();
  readonly #looked = new Map<number, Looked>();
  readonly #sought = new Map<NodeId, Instant>();
  readonly #leaving = new Set<NodeId>();
  #standing: Standing;

  constructor(parts: LinesParts) {
    this.#parts = parts;
    this.#standing = parts.standing();
  }

  /** Looks at the ring again: before each round of ticks. */
  look(): void {
    this.#standing = this.#parts.standing();
    const { before, successors } = this.#standing;
    for (const peer of before === undefined ? successors : [before, ...successors]) this.met(peer);
  }

  /** A node that was seen or heard. */
  met(peer: Peer, isLeaving?: boolean): void {
    this.#peers.delete(peer.place);
    this.#peers.set(peer.place, peer);
    if (isLeaving === true) this.#leaving.add(peer.place);
    if (isLeaving === false) this.#leaving.delete(peer.place);
    if (this.#peers.size <= PEERS_MAX) return;
    const [oldest] = this.#peers.keys();
    this.#peers.delete(oldest as NodeId);
    this.#leaving.delete(oldest as NodeId);
  }

  /** Who should have a seat of an arc, the owner first; nobody when that is not known yet. */
  wanted(arc: number): readonly NodeId[] {
    const { me } = this.#standing;
    const line = lineFrom(endOf(arc), this.#standing) ?? this.#lookedUp(arc);
    return line
      .map(({ place }) => place)
      .filter((place) => (place === me.place ? !this.isLeaving : !this.#leaving.has(place)))
      .slice(0, this.#parts.seats);
  }

  /** Is there nobody else who could take what this node has? */
  get isAlone(): boolean {
    const { successors, me } = this.#standing;
    return successors.every(({ place }) => place === me.place || this.#leaving.has(place));
  }

  /** Undefined when nobody knows yet: it is looked up, and what was to be said is lost. */
  peerAt(place: NodeId): Peer | undefined {
    const known = this.#peers.get(place);
    if (known === undefined) void this.#seek(place);
    return known;
  }

  async #seek(place: NodeId): Promise<void> {
    const { clock, lookup } = this.#parts;
    if (clock.now() < (this.#sought.get(place) ?? 0) + HOLDS_MS) return;
    if (this.#sought.size >= PEERS_MAX) this.#sought.clear();
    this.#sought.set(place, clock.now());
    const found = await lookup(place);
    if (found?.owner.place === place) this.met(found.owner);
  }

  #lookedUp(arc: number): readonly Peer[] {
    const now = this.#parts.clock.now();
    const known = this.#looked.get(arc) ?? { line: [], at: -HOLDS_MS };
    if (now < known.at + HOLDS_MS) return known.line;
    this.#looked.set(arc, { line: known.line, at: now });
    void this.#walk(arc);
    return known.line;
  }

  async #walk(arc: number): Promise<void> {
    const { clock, lookup, seats } = this.#parts;
    const line: Peer[] = [];
    let place = endOf(arc);
    while (line.length < seats) {
      const found = await lookup(place);
      if (found === undefined || line.some(({ id }) => id === found.owner.id)) break;
      line.push(found.owner);
      this.met(found.owner);
      place = next(found.owner.place);
    }
    if (line.length > 0) this.#looked.set(arc, { line, at: clock.now() });
  }
}

const ENDS = Array.from({ length: ARCS }, (_, arc) => {
  return firstBytesOf(arc).to.toString(16).padStart(2, '0').padEnd(16, 'f') as Position;
});

/** The last place of an arc: whoever owns that should own the arc. */
export function endOf(arc: number): Position {
  return ENDS[arc] as Position;
}

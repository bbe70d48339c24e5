/**
 * How a node believes that the ring stands: those that are up, in order of their places, itself
 * among them, and who should so have a seat at an arc.
 *
 * Whoever looks at the same moment from the same side of a cut sees the same, so they share one
 * view: a ring that loses its power has as many changes as nodes, and everybody looks at each.
 */
import { type NodeId, seatsFor } from '../../src/ring/arc-log.ts';
import type { Net } from './ring-crawl-net.ts';
import type { RingNode } from './ring-crawl-node.ts';

export class View {
  readonly #ids: readonly NodeId[];
  readonly #ends: readonly NodeId[];
  readonly #seats: number;
  readonly #wanted: (readonly NodeId[] | undefined)[];

  constructor(ids: readonly NodeId[], ends: readonly NodeId[], seats: number) {
    this.#ids = ids;
    this.#ends = ends;
    this.#seats = seats;
    this.#wanted = Array(ends.length).fill(undefined);
  }

  /** Who should have a seat at an arc: the first from its end on, clockwise. */
  wanted(arc: number): readonly NodeId[] {
    const known = this.#wanted[arc];
    if (known !== undefined) return known;
    const ids = this.#ids;
    const end = this.#ends[arc] as NodeId;
    const from = Math.max(
      0,
      ids.findIndex((id) => id >= end),
    );
    const line = [...ids.slice(from, from + this.#seats), ...ids.slice(0, from)];
    const wanted = line.slice(0, this.#seats);
    this.#wanted[arc] = wanted;
    return wanted;
  }
}

export const NO_VIEW = new View([], [], 0);

export class Views {
  readonly #net: Net;
  readonly #nodes: ReadonlyMap<NodeId, RingNode>;
  readonly #ends: readonly NodeId[];
  readonly #seats: number;
  /** Of this many changes, by the side of a cut. */
  #changes = -1;
  readonly #shared = new Map<boolean, View>();

  constructor(
    net: Net,
    nodes: ReadonlyMap<NodeId, RingNode>,
    ends: readonly NodeId[],
    copies: number,
  ) {
    this.#net = net;
    this.#nodes = nodes;
    this.#ends = ends;
    this.#seats = seatsFor(copies);
  }

  /** What a node sees at this moment, if it is not mistaken about one of the others. */
  of(node: RingNode, mistaken?: NodeId): View {
    // One that sleeps and is not seen by others sees itself.
    if (mistaken !== undefined || !this.#net.isUp(node.id)) return this.#seen(node, mistaken);
    if (this.#changes !== this.#net.changes) this.#shared.clear();
    this.#changes = this.#net.changes;
    const side = this.#net.isAside(node.id);
    const view = this.#shared.get(side) ?? this.#seen(node);
    this.#shared.set(side, view);
    return view;
  }

  #seen(node: RingNode, mistaken?: NodeId): View {
    const net = this.#net;
    const isSeen = (other: RingNode) =>
      other === node ||
      (net.isUp(other.id) && !net.isCut(node.id, other.id) && other.id !== mistaken);
    const seen = [...this.#nodes.values()].filter((other) => isSeen(other) && !other.isLeaving);
    return new View(seen.map(({ id }) => id).sort(), this.#ends, this.#seats);
  }
}

/**
 * Those who own an arc by what they know themselves: more than one when a stale one has not heard.
 * Kept as they come and go, so that nobody looks through all nodes to find the few.
 */
import type { RingNode } from './ring-crawl-node.ts';

export class Owners {
  readonly #byArc: readonly Set<RingNode>[];

  constructor(arcs: number) {
    this.#byArc = Array.from({ length: arcs }, () => new Set<RingNode>());
  }

  get arcs(): number {
    return this.#byArc.length;
  }

  of(arc: number): ReadonlySet<RingNode> {
    return this.#byArc[arc] as Set<RingNode>;
  }

  note(arc: number, node: RingNode, isOwner: boolean): void {
    const owners = this.#byArc[arc] as Set<RingNode>;
    if (isOwner) owners.add(node);
    else owners.delete(node);
  }

  /** A node is gone, and whatever it owned. */
  forget(node: RingNode): void {
    for (const arc of node.arcs.keys()) this.note(arc, node, false);
  }
}

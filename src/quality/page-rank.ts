/**
 * PageRank by power iteration, cut so that it needs little memory (Q2).
 *
 *   rank(t) = (1 − d + d × lost) / n  +  d × Σ rank(s) × vote(s → t)        d = 0.85
 *
 * `lost` is the rank that nobody passed on: of hosts without links, or with links to hosts that
 * are not in the graph. It is spread evenly, so the ranks always add up to 1.
 *
 * An edge is 16 bytes: source (4), target within its block (4), vote (8). Targets are taken in
 * blocks that fit in memory; the edges of a block lie in the order of their sources, so that the
 * vector of the last round is read along with them. What is kept of a round is the flow, the sum
 * above: rank is `floor + d × flow`, and the floor is known when all of the flow is.
 */
export const DAMPING = 0.85;
export const EDGE_BYTES = 16;

export function writeEdge(
  edges: Buffer,
  at: number,
  source: number,
  target: number,
  vote: number,
): void {
  edges.writeUInt32LE(source, at);
  edges.writeUInt32LE(target, at + 4);
  edges.writeDoubleLE(vote, at + 8);
}

/** Part of the last round's vector: the flows of the hosts from `from` on. */
export interface FlowPart {
  readonly from: number;
  readonly flows: Float64Array;
}

/**
 * Lets rank flow along the edges from `at` on, as far as their sources are in `part`. Answers
 * where it stopped.
 */
export function flowAlong(
  edges: Buffer,
  at: number,
  part: FlowPart,
  floor: number,
  into: Float64Array,
): number {
  const { from, flows } = part;
  const end = from + flows.length;
  let place = at;
  for (; place < edges.length; place += EDGE_BYTES) {
    const source = edges.readUInt32LE(place);
    if (source >= end) break;
    const rank = floor + DAMPING * (flows[source - from] as number);
    const target = edges.readUInt32LE(place + 4);
    into[target] = (into[target] as number) + rank * edges.readDoubleLE(place + 8);
  }
  return place;
}

/** What every host has, when `flowed` of all rank was passed on. */
export function floorOf(hosts: number, flowed: number): number {
  return (1 - DAMPING + DAMPING * Math.max(0, 1 - flowed)) / hosts;
}

export function changeOf(before: Float64Array, after: Float64Array): number {
  let change = 0;
  for (let i = 0; i < after.length; i++) {
    change += Math.abs((after[i] as number) - (before[i] as number));
  }
  return DAMPING * change;
}

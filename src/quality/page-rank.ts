/**
 * PageRank by power iteration, cut so that it needs little memory (Q2).
 *
 *   rank(t) = (1 − d + d × lost) / n  +  d × Σ rank(s) × vote(s → t)        d = 0.85
 *
 * `lost` is the rank that nobody passed on: of hosts without links, or with links to hosts that
 * are not in the graph. It is spread evenly, so the ranks always add up to 1.
 *
 * An edge has a source, a target within its block, and a vote. Targets are taken in blocks that
 * fit in memory; the edges of a block lie in the order of their sources, so that the vector of the
 * last round is read along with them. What is kept of a round is the flow, the sum above: rank is
 * `floor + d × flow`, and the floor is known when all of the flow is.
 */
export const DAMPING = 0.85;
const EDGE_BYTES = 16;

/** Edges in columns; as bytes, the votes first, in this machine's order. */
export interface Edges {
  readonly count: number;
  readonly votes: Float64Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
}

/** Room for so many edges, and the bytes that they are. */
export function edgeRoom(count: number): { readonly edges: Edges; readonly bytes: Uint8Array } {
  const bytes = new Uint8Array(count * EDGE_BYTES);
  return { bytes, edges: edgesIn(bytes) };
}

/** The edges of a chunk, where they lie if they lie well. */
export function edgesIn(chunk: Uint8Array): Edges {
  const bytes = chunk.byteOffset % 8 === 0 ? chunk : Uint8Array.from(chunk);
  const { buffer, byteOffset: at } = bytes;
  const count = bytes.length / EDGE_BYTES;
  return {
    count,
    votes: new Float64Array(buffer, at, count),
    sources: new Uint32Array(buffer, at + 8 * count, count),
    targets: new Uint32Array(buffer, at + 12 * count, count),
  };
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
  edges: Edges,
  at: number,
  part: FlowPart,
  floor: number,
  into: Float64Array,
): number {
  const { count, votes, sources, targets } = edges;
  const { from, flows } = part;
  const end = from + flows.length;
  let edge = at;
  for (; edge < count; edge++) {
    const source = sources[edge] as number;
    if (source >= end) break;
    const rank = floor + DAMPING * (flows[source - from] as number);
    const target = targets[edge] as number;
    into[target] = (into[target] as number) + rank * (votes[edge] as number);
  }
  return edge;
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

/**
 * PageRank by iteration over a graph in columns: links of page p are `to[from[p]]` … `to[from[p+1]-1]`.
 * Pages without links give their share to all.
 */
export interface Edges {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

const DAMPING = 0.85;
const ROUNDS = 60;

/** Sums to 1. */
export function pageRank({ from, to }: Edges): Float64Array {
  const pages = from.length - 1;
  let rank = new Float64Array(pages).fill(1 / pages);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(pages);
    let idle = 0;
    for (let page = 0; page < pages; page++) {
      const links = from[page + 1]! - from[page]!;
      if (links === 0) idle += rank[page]!;
      const share = rank[page]! / links;
      for (let at = from[page]!; at < from[page + 1]!; at++) next[to[at]!]! += share;
    }
    const rest = (1 - DAMPING + DAMPING * idle) / pages;
    for (let page = 0; page < pages; page++) next[page] = rest + DAMPING * next[page]!;
    rank = next;
  }
  return rank;
}

/**
 * PageRank over the graph in run files (../quality/page-rank.ts), in memory that does not grow
 * with it.
 *
 *   graph ──→ edges-0, edges-1 …   by block of targets, in the order of their sources
 *   flow ──┬→ along the edges of each block ──→ the next flow, until it no longer changes
 *          └─ read once a block and round
 *
 * Memory: for a block of a million hosts 10 MB of keys while its edges are written, then two
 * vectors of 8 MB, and a few chunks. Up to a million hosts there is one block.
 */
import type { RunFiles } from '../ports/run-files.ts';
import {
  changeOf,
  decodeHostLinks,
  type Edges,
  edgeRoom,
  edgesIn,
  floorOf,
  flowAlong,
  votesOf,
} from '../quality/index.ts';
import { HOST_KEY_BYTES } from '../record/index.ts';
import { GRAPH } from './rank-graph.ts';
import { readRows, readVector, VectorWriter } from './rank-rows.ts';

export const FLOW = 'flow';
export const BLOCK_HOSTS = 1 << 20;
const ROUNDS_MAX = 100;
/** Of all rank, which is 1. */
const CHANGE_MIN = 1e-9;
const EDGES_PER_CHUNK = 16_384;

export interface Flowed {
  /** Rank is floor + 0.85 × flow. */
  readonly floor: number;
  readonly edges: number;
  readonly rounds: number;
}

export async function flowRank(
  files: RunFiles,
  hosts: number,
  blockHosts: number,
): Promise<Flowed> {
  const blocks = blocksOf(hosts, blockHosts);
  let edges = 0;
  for (const block of blocks) edges += await writeEdges(files, block);
  await startFlow(files, hosts);
  // With this floor and this flow every host has the same rank.
  let floor = 0;
  let rounds = 0;
  for (let change = 1; change > CHANGE_MIN && rounds < ROUNDS_MAX; rounds++) {
    const round = await flowOnce(files, blocks, floor);
    const next = floorOf(hosts, round.flowed);
    change = round.change + hosts * Math.abs(next - floor);
    floor = next;
  }
  for (const block of blocks) await files.drop(block.name);
  return { floor, edges, rounds };
}

interface Block {
  readonly name: string;
  readonly from: number;
  readonly size: number;
}

function blocksOf(hosts: number, blockHosts: number): Block[] {
  return Array.from({ length: Math.ceil(hosts / blockHosts) }, (_, i) => {
    const from = i * blockHosts;
    return { name: `edges-${i}`, from, size: Math.min(blockHosts, hosts - from) };
  });
}

async function writeEdges(files: RunFiles, block: Block): Promise<number> {
  const keys = await keysOf(files, block);
  const writer = await files.write(block.name);
  let room = edgeRoom(EDGES_PER_CHUNK);
  let at = 0;
  let count = 0;
  let source = 0;
  for await (const row of readRows(files, GRAPH)) {
    const links = decodeHostLinks(row);
    const votes = votesOf(links);
    for (let i = 0; i < votes.length; i++) {
      const target = keys.find(links.targets, i * HOST_KEY_BYTES);
      if (target < 0) continue;
      setEdge(room.edges, at++, source, target, votes[i] as number);
      if (at < EDGES_PER_CHUNK) continue;
      await writer.add(room.bytes);
      count += at;
      at = 0;
    }
    source++;
  }
  if (at > 0) {
    const last = room.edges;
    room = edgeRoom(at);
    for (let i = 0; i < at; i++) copyEdge(last, room.edges, i);
    await writer.add(room.bytes);
  }
  await writer.done();
  return count + at;
}

function setEdge(edges: Edges, at: number, source: number, target: number, vote: number): void {
  edges.sources[at] = source;
  edges.targets[at] = target;
  edges.votes[at] = vote;
}

function copyEdge(from: Edges, to: Edges, at: number): void {
  const { sources, targets, votes } = from;
  setEdge(to, at, sources[at] as number, targets[at] as number, votes[at] as number);
}

async function keysOf(files: RunFiles, { from, size }: Block): Promise<SortedKeys> {
  const keys = Buffer.allocUnsafe(size * HOST_KEY_BYTES);
  let host = 0;
  for await (const row of readRows(files, GRAPH)) {
    if (host >= from + size) break;
    if (host >= from) row.copy(keys, (host - from) * HOST_KEY_BYTES, 0, HOST_KEY_BYTES);
    host++;
  }
  return new SortedKeys(keys);
}

class SortedKeys {
  readonly #keys: Buffer;

  constructor(keys: Buffer) {
    this.#keys = keys;
  }

  /** The place of a key among these, or -1. */
  find(bytes: Buffer, at: number): number {
    const keys = this.#keys;
    const wanted = bytes.readUInt32BE(at);
    let low = 0;
    let high = keys.length / HOST_KEY_BYTES - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const place = middle * HOST_KEY_BYTES;
      const order =
        keys.readUInt32BE(place) - wanted ||
        keys.compare(bytes, at, at + HOST_KEY_BYTES, place, place + HOST_KEY_BYTES);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

async function startFlow(files: RunFiles, hosts: number): Promise<void> {
  const writer = await VectorWriter.open(files, FLOW);
  for (let i = 0; i < hosts; i++) await writer.add(1 / (hosts * 0.85));
  await writer.done();
}

async function flowOnce(
  files: RunFiles,
  blocks: readonly Block[],
  floor: number,
): Promise<{ flowed: number; change: number }> {
  const writer = await VectorWriter.open(files, FLOW);
  let flowed = 0;
  let change = 0;
  for (const block of blocks) {
    const { before, into } = await flowInto(files, block, floor);
    for (const flow of into) flowed += flow;
    change += changeOf(before, into);
    await writer.addAll(into);
  }
  await writer.done();
  return { flowed, change };
}

/** Lets rank flow into one block; `before` is what had flowed there the last time. */
async function flowInto(files: RunFiles, block: Block, floor: number) {
  const before = new Float64Array(block.size);
  const into = new Float64Array(block.size);
  const chunks = chunksOf(files, block.name);
  let edges = await chunks.next();
  let at = 0;
  let from = 0;
  for await (const flows of readVector(files, FLOW)) {
    copyOverlap(flows, from, before, block.from);
    const part = { from, flows };
    while (!edges.done) {
      at = flowAlong(edges.value, at, part, floor, into);
      if (at < edges.value.count) break;
      edges = await chunks.next();
      at = 0;
    }
    from += flows.length;
  }
  await chunks.return(undefined);
  return { before, into };
}

async function* chunksOf(files: RunFiles, name: string): AsyncGenerator<Edges> {
  for await (const chunk of (await files.read(name)) ?? []) yield edgesIn(chunk);
}

function copyOverlap(part: Float64Array, from: number, into: Float64Array, intoFrom: number): void {
  const start = Math.max(from, intoFrom);
  const end = Math.min(from + part.length, intoFrom + into.length);
  if (start < end) into.set(part.subarray(start - from, end - from), start - intoFrom);
}

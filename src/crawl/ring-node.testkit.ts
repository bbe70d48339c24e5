/**
 * Nodes of a ring in one process and in virtual time: a network that loses, delays and can be cut, and
 * copies of arcs in memory, whose rows are written "key=value".
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { VirtualClock } from '../../test/sim/clock.ts';
import { type SeededRandom, seededRandom } from '../base/random.ts';
import { type ArcCopies, BadRows, type CopyChange, type SavedArc } from '../ports/arc-copies.ts';
import type { Clock } from '../ports/clock.ts';
import type { Met, PeerCounts, Peers, Sent } from '../ports/peers.ts';
import { type ArcRules, type Peer, placeOf } from '../ring/index.ts';
import { endOf } from './ring-arcs-lines.ts';
import { RingNode } from './ring-node.ts';

type Receiver = (from: Peer, message: Uint8Array) => boolean;

export class MemoryNet {
  readonly clock = new VirtualClock();
  readonly random: SeededRandom;
  loss = 0;
  /** What each node hears, by its id; a node that is stopped keeps what came for later. */
  readonly #ends = new Map<string, MemoryPeers>();
  readonly stopped = new Map<string, (() => void)[]>();
  #cut: ReadonlySet<string> = new Set();

  constructor(seed: string) {
    this.random = seededRandom(seed);
  }

  open(name: string): MemoryPeers {
    const key = createHash('sha256').update(name).digest();
    const id = key.toString('base64url');
    const peers = new MemoryPeers(this, { id, place: placeOf(key), at: `${name}:1` });
    this.#ends.set(id, peers);
    return peers;
  }

  /** Nothing passes between these and all others. */
  cut(...ids: readonly string[]): void {
    this.#cut = new Set(ids);
  }

  end(id: string): MemoryPeers | undefined {
    return this.#ends.get(id);
  }

  at(at: string): MemoryPeers | undefined {
    return [...this.#ends.values()].find(({ me }) => me.at === at);
  }

  shut(peers: MemoryPeers): void {
    if (this.#ends.get(peers.me.id) === peers) this.#ends.delete(peers.me.id);
  }

  isCut(one: Peer, other: Peer): boolean {
    return this.#cut.has(one.id) !== this.#cut.has(other.id);
  }

  async carry(from: Peer, to: Peer, message: Uint8Array): Promise<void> {
    if (this.isCut(from, to) || this.random.next() < this.loss) return;
    const now = this.clock.now();
    await this.clock.sleepUntil(now + 1 + Math.floor(9 * this.random.next()));
    const hear = () => this.#ends.get(to.id)?.hear(from, message);
    const held = this.stopped.get(to.id);
    if (held === undefined) hear();
    else held.push(hear);
  }

  thaw(id: string): void {
    const held = this.stopped.get(id) ?? [];
    this.stopped.delete(id);
    for (const hear of held) hear();
  }
}

export class MemoryPeers implements Peers {
  readonly me: Peer;
  readonly #net: MemoryNet;
  readonly #dropped = new Set<string>();
  #receiver: Receiver = () => true;
  #isClosed = false;
  nonsense = 0;

  constructor(net: MemoryNet, me: Peer) {
    this.#net = net;
    this.me = me;
  }

  async send(to: Peer, message: Uint8Array): Promise<Sent> {
    if (this.#isClosed) return { kind: 'failed', why: 'closed', detail: '' };
    if (this.#net.end(to.id) === undefined) return { kind: 'failed', why: 'silent', detail: '' };
    void this.#net.carry(this.me, to, message);
    return { kind: 'sent' };
  }

  async meet(at: string): Promise<Met> {
    const end = this.#net.at(at);
    if (end === undefined || this.#net.isCut(this.me, end.me)) {
      return { kind: 'failed', why: 'silent', detail: at };
    }
    return { kind: 'met', peer: end.me };
  }

  receive(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  hear(from: Peer, message: Uint8Array): void {
    if (this.#isClosed || this.#receiver(from, message)) return;
    this.nonsense++;
    this.#dropped.add(from.id);
  }

  counts(): PeerCounts {
    const { nonsense } = this;
    return {
      ...{ sessions: 0, unproven: 0, strangers: 0, otherVersions: 0, idTaken: 0 },
      ...{ full: 0, nonsense, slow: 0 },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#net.shut(this);
  }
}

const ROW = /^[a-z0-9]+(?:=[a-z0-9]*)?$/;

/** Outlives the node that uses it, like a disk. */
export class MemoryCopies implements ArcCopies {
  readonly rowsOf = new Map<number, Map<string, string>>();
  readonly #saved = new Map<number, SavedArc>();
  readonly #watched = new Map<number, Set<string>>();

  async saved(): Promise<ReadonlyMap<number, SavedArc>> {
    return new Map(this.#saved);
  }

  async save(arc: number, saved: SavedArc, change?: CopyChange): Promise<void> {
    if (change !== undefined) this.#change(arc, change);
    this.#saved.set(arc, saved);
  }

  async sums(arc: number, buckets = 16): Promise<readonly number[]> {
    const sums = Array<number>(buckets).fill(0);
    for (const [key, value] of this.#rows(arc)) {
      const bucket = bucketOf(key, buckets);
      sums[bucket] = (sums[bucket] as number) + hash(`${key}=${value}`);
    }
    return sums;
  }

  async *rows(arc: number, bucket: number, buckets: number): AsyncIterable<Uint8Array> {
    for (const [key, value] of [...this.#rows(arc)]) {
      if (bucketOf(key, buckets) === bucket) yield Buffer.from(`${key}=${value}`);
    }
  }

  watch(arc: number, isOn: boolean): void {
    if (isOn) this.#watched.set(arc, new Set());
    else this.#watched.delete(arc);
  }

  #rows(arc: number): Map<string, string> {
    const rows = this.rowsOf.get(arc) ?? new Map<string, string>();
    this.rowsOf.set(arc, rows);
    return rows;
  }

  #change(arc: number, change: CopyChange): void {
    const rows = this.#rows(arc);
    const watched = this.#watched.get(arc);
    if (change.kind === 'drop') rows.clear();
    else if (change.kind === 'entries') {
      for (const [key, value] of change.bodies.map((body) => rowIn(arc, body))) {
        watched?.add(key);
        rows.set(key, value);
      }
    } else {
      const fresh = change.rows.map((row) => rowIn(arc, row));
      for (const key of [...rows.keys()]) {
        const isIn = bucketOf(key, change.buckets) === change.bucket;
        if (isIn && watched?.has(key) !== true) rows.delete(key);
      }
      for (const [key, value] of fresh) if (watched?.has(key) !== true) rows.set(key, value);
    }
  }
}

function rowIn(arc: number, bytes: Uint8Array): [string, string] {
  const text = Buffer.from(bytes).toString();
  if (!ROW.test(text)) throw new BadRows(arc, 'it is not written so');
  const [key, value = ''] = text.split('=');
  return [key as string, value];
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

function bucketOf(key: string, buckets: number): number {
  return hash(key) % buckets;
}

export interface TestNode {
  readonly node: RingNode;
  readonly peers: MemoryPeers;
  readonly copies: MemoryCopies;
  /** Arcs that the node was last told to act for. */
  arcs: readonly number[];
}

export interface TestNodeOptions {
  readonly rules?: Partial<ArcRules>;
  readonly copies?: MemoryCopies;
  readonly clock?: Clock;
}

export function testNode(net: MemoryNet, name: string, options: TestNodeOptions = {}): TestNode {
  const peers = net.open(name);
  const { rules = { copies: 2 }, copies = new MemoryCopies(), clock = net.clock } = options;
  const node = new RingNode({ peers, clock, random: net.random, copies, rules });
  const made: TestNode = { node, peers, copies, arcs: [] };
  node.onArcs((arcs) => {
    made.arcs = arcs;
  });
  return made;
}

/** Writes as a store does: the rows here, in the same turn, then told to be durable. */
export async function put({ node, copies }: TestNode, arc: number, row: string): Promise<void> {
  const body = Buffer.from(row);
  const { saved, isDurable, kept } = node.write(arc, [body], true);
  await copies.save(arc, saved, { kind: 'entries', bodies: [body] });
  isDurable();
  await kept;
}

/** Looks every tenth of a second of virtual time; throws when it does not come about in time. */
export async function until(net: MemoryNet, what: string, isSo: () => boolean, seconds = 60) {
  const last = net.clock.now() + seconds * 1_000;
  while (!isSo()) {
    if (net.clock.now() > last) throw new Error(`within ${seconds} s it is not so: ${what}`);
    await net.clock.sleepUntil(net.clock.now() + 100);
  }
}

export function seatsOf({ node }: TestNode, arc: number): readonly string[] {
  return node.report().arcs.find((one) => one.arc === arc)?.seats ?? [];
}

/** A ring of these, each arc with all the seats it should have and all of them level. */
export async function ringOf(net: MemoryNet, ...names: readonly string[]): Promise<TestNode[]> {
  const nodes: TestNode[] = [];
  for (const name of names) {
    const made = testNode(net, name);
    const [first] = nodes;
    if (first === undefined) await made.node.start();
    else assert.deepEqual(await made.node.join([first.peers.me.at]), { kind: 'joined' });
    nodes.push(made);
  }
  await settled(net, nodes);
  return nodes;
}

/** Every arc is owned by the first node at or after its end, with as many seats as there should be. */
export async function settled(
  net: MemoryNet,
  nodes: readonly TestNode[],
  seconds = 120,
): Promise<void> {
  const seats = Math.min(3, nodes.length);
  const isSo = ({ peers, node, arcs }: TestNode) => {
    const owned = node.report().arcs.filter(({ role }) => role === 'owner');
    const isWhole = owned.every((arc) => arc.seats.length === seats && arc.level === seats);
    const due = Array.from({ length: 64 }, (_, arc) => arc).filter(
      (arc) => firstAt(nodes, endOf(arc)) === peers.me.place,
    );
    return isWhole && owned.length === due.length && due.join() === arcs.join();
  };
  await until(net, 'every arc has its owner and its seats', () => nodes.every(isSo), seconds);
}

function firstAt(nodes: readonly TestNode[], place: string): string {
  const places = nodes.map(({ peers }) => peers.me.place).sort();
  return (places.find((one) => one >= place) ?? places[0]) as string;
}

export const ownerOf = (nodes: readonly TestNode[], arc: number) =>
  nodes.find(({ arcs }) => arcs.includes(arc)) as TestNode;

export async function closeAll(nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map(({ node }) => node.close()));
}

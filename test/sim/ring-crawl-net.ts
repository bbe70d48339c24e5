/**
 * Virtual time and a bad network: messages are lost, doubled, late and out of order, links are
 * cut, nodes freeze and thaw. Everything follows from one seed.
 *
 * A frozen node hears and does nothing; when it thaws, its timers have long rung and everything
 * that was sent to it lies in its buffers. Each node has a clock of its own: wrong by up to a day,
 * and up to 50 millionths too fast or too slow.
 */
import { Heap, type HeapItem } from '../../src/base/heap.ts';
import { type SeededRandom, seededRandom } from '../../src/base/random.ts';
import type { NodeId } from '../../src/ring/arc-log.ts';

export interface NetRules {
  readonly loss: number;
  readonly doubled: number;
  /** Share of messages that take up to a second and a half. */
  readonly late: number;
}

export const BAD_NET: NetRules = { loss: 0.02, doubled: 0.01, late: 0.01 };

interface Happening extends HeapItem {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Whoever is reached by the network. */
export interface Station {
  readonly id: NodeId;
  receive(from: NodeId, packets: readonly Packet[]): void;
}

export interface Packet {
  readonly kind: string;
  readonly bytes: number;
}

interface Host {
  readonly station: Station;
  readonly clockOffset: number;
  readonly clockRate: number;
  isFrozen: boolean;
  readonly held: (() => void)[];
}

export class Net {
  now = 0;
  messages = 0;
  bytes = 0;
  readonly random: SeededRandom;
  readonly hosts = new Map<NodeId, Host>();
  readonly #rules: NetRules;
  readonly #heap = new Heap<Happening>();
  #order = 0;
  #side: ReadonlySet<NodeId> | undefined;

  constructor(seed: string, rules: NetRules) {
    this.random = seededRandom(`net ${seed}`);
    this.#rules = rules;
  }

  add(station: Station): void {
    const clockOffset = Math.floor((this.random.next() - 0.5) * 172_800_000) + 1e9;
    const clockRate = 1 + (this.random.next() - 0.5) * 1e-4;
    this.hosts.set(station.id, { station, clockOffset, clockRate, isFrozen: false, held: [] });
  }

  crash(id: NodeId): void {
    this.hosts.delete(id);
  }

  isUp(id: NodeId): boolean {
    return this.hosts.get(id)?.isFrozen === false;
  }

  clockOf(id: NodeId): number {
    const host = this.hosts.get(id);
    return host === undefined ? 0 : host.clockOffset + this.now * host.clockRate;
  }

  freeze(id: NodeId): void {
    const host = this.hosts.get(id);
    if (host !== undefined) host.isFrozen = true;
  }

  thaw(id: NodeId): void {
    const host = this.hosts.get(id);
    if (host === undefined) return;
    host.isFrozen = false;
    for (const run of host.held.splice(0)) run();
  }

  /** Cuts these nodes off from all others; undefined heals. */
  cut(side: ReadonlySet<NodeId> | undefined): void {
    this.#side = side;
  }

  isCut(one: NodeId, other: NodeId): boolean {
    return this.#side !== undefined && this.#side.has(one) !== this.#side.has(other);
  }

  at(at: number, run: () => void): void {
    const happening = { at, order: this.#order++, run, heapAt: -1 };
    this.#heap.push(happening, Math.max(at, this.now));
  }

  /** A timer of a node: rings late when it is frozen, never when it is dead, nor in another life. */
  timer(id: NodeId, afterMs: number, run: () => void): void {
    const host = this.hosts.get(id);
    this.at(this.now + afterMs, () => this.hosts.get(id) === host && this.#at(id, run));
  }

  #at(id: NodeId, run: () => void): void {
    const host = this.hosts.get(id);
    if (host === undefined) return;
    if (host.isFrozen) host.held.push(() => this.hosts.get(id) === host && run());
    else run();
  }

  send(from: NodeId, to: NodeId, packets: readonly Packet[]): void {
    const { loss, doubled } = this.#rules;
    this.messages++;
    this.bytes += packets.reduce((sum, { bytes }) => sum + bytes, 40);
    if (this.random.next() >= loss) this.#deliver(from, to, packets);
    if (this.random.next() < doubled) this.#deliver(from, to, packets);
  }

  #deliver(from: NodeId, to: NodeId, packets: readonly Packet[]): void {
    const isLate = this.random.next() < this.#rules.late;
    const delay = isLate ? 1_500 * this.random.next() : 5 + 35 * this.random.next() ** 2;
    this.at(this.now + delay, () => {
      if (this.isCut(from, to)) return;
      this.#at(to, () => this.hosts.get(to)?.station.receive(from, packets));
    });
  }

  /** The next happening, if it is before `until`. */
  step(until: number): boolean {
    const next = this.#heap.peek();
    if (next === undefined || next.at > until) return false;
    this.#heap.pop();
    this.now = Math.max(this.now, next.at);
    next.run();
    return true;
  }
}

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

const HEAD_BYTES = 40;
export const BAD_NET: NetRules = { loss: 0.02, doubled: 0.01, late: 0.01 };

/**
 * There are millions of them: so a message is no closure, and a timer is only its owner's own.
 * What happens at the same instant comes in the order that the heap makes of it.
 */
interface Happening extends HeapItem {
  readonly at: number;
  readonly run: (() => void) | undefined;
  /** Whose timer it is; a dead node has none. */
  readonly of: Host | 'world' | undefined;
  readonly letter: Letter | undefined;
}

interface Letter {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly packets: readonly Packet[];
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

/** One life of a node, as the network knows it. */
export interface Host {
  readonly station: Station;
  readonly clockOffset: number;
  readonly clockRate: number;
  isFrozen: boolean;
  isDead: boolean;
  readonly held: (() => void)[];
}

export class Net {
  now = 0;
  messages = 0;
  bytes = 0;
  /** How often it has changed who can be reached by whom. */
  changes = 0;
  readonly random: SeededRandom;
  readonly hosts = new Map<NodeId, Host>();
  readonly #rules: NetRules;
  readonly #heap = new Heap<Happening>();
  #side: ReadonlySet<NodeId> | undefined;

  constructor(seed: string, rules: NetRules) {
    this.random = seededRandom(`net ${seed}`);
    this.#rules = rules;
  }

  add(station: Station): Host {
    const clockOffset = Math.floor((this.random.next() - 0.5) * 172_800_000) + 1e9;
    const clockRate = 1 + (this.random.next() - 0.5) * 1e-4;
    const host: Host = {
      ...{ station, clockOffset, clockRate, isFrozen: false, isDead: false, held: [] },
    };
    this.hosts.set(station.id, host);
    this.changes++;
    return host;
  }

  crash(id: NodeId): void {
    const host = this.hosts.get(id);
    if (host !== undefined) host.isDead = true;
    this.hosts.delete(id);
    this.changes++;
  }

  isUp(id: NodeId): boolean {
    return this.hosts.get(id)?.isFrozen === false;
  }

  clockOf({ isDead, clockOffset, clockRate }: Host): number {
    return isDead ? 0 : clockOffset + this.now * clockRate;
  }

  freeze(id: NodeId): void {
    const host = this.hosts.get(id);
    if (host !== undefined) host.isFrozen = true;
    this.changes++;
  }

  thaw(id: NodeId): void {
    const host = this.hosts.get(id);
    if (host === undefined) return;
    host.isFrozen = false;
    this.changes++;
    for (const run of host.held.splice(0)) run();
  }

  /** Cuts these nodes off from all others; undefined heals. */
  cut(side: ReadonlySet<NodeId> | undefined): void {
    this.#side = side;
    this.changes++;
  }

  /** On which side of a cut. */
  isAside(id: NodeId): boolean {
    return this.#side?.has(id) === true;
  }

  isCut(one: NodeId, other: NodeId): boolean {
    return this.#side !== undefined && this.#side.has(one) !== this.#side.has(other);
  }

  at(at: number, run: () => void): void {
    this.#plan(at, run, 'world', undefined);
  }

  #plan(at: number, run: Happening['run'], of: Happening['of'], letter: Happening['letter']): void {
    this.#heap.push({ at, run, of, letter, heapAt: -1 }, Math.max(at, this.now));
  }

  /** A timer of a node: rings late when it is frozen, never when it is dead, nor in another life. */
  timer(id: NodeId, afterMs: number, run: () => void): void {
    this.#plan(this.now + afterMs, run, this.hosts.get(id), undefined);
  }

  send(from: NodeId, to: NodeId, packets: readonly Packet[]): void {
    const { loss, doubled } = this.#rules;
    this.messages++;
    this.bytes += HEAD_BYTES;
    for (const { bytes } of packets) this.bytes += bytes;
    const letter = { from, to, packets };
    if (this.random.next() >= loss) this.#post(letter);
    if (this.random.next() < doubled) this.#post(letter);
  }

  #post(letter: Letter): void {
    const isLate = this.random.next() < this.#rules.late;
    const delay = isLate ? 1_500 * this.random.next() : 5 + 35 * this.random.next() ** 2;
    this.#plan(this.now + delay, undefined, undefined, letter);
  }

  /** To whoever lives there by now. */
  #deliver(letter: Letter): void {
    const { from, to, packets } = letter;
    if (this.#side !== undefined && this.isCut(from, to)) return;
    const host = this.hosts.get(to);
    if (host === undefined) return;
    if (host.isFrozen) this.#hold(host, () => host.station.receive(from, packets));
    else host.station.receive(from, packets);
  }

  #hold(host: Host, run: () => void): void {
    host.held.push(() => {
      if (!host.isDead) run();
    });
  }

  /** The next happening, if it is before `until`. */
  step(until: number): boolean {
    const next = this.#heap.peek();
    if (next === undefined || next.at > until) return false;
    this.#heap.pop();
    this.now = Math.max(this.now, next.at);
    const { run, of, letter } = next;
    if (letter !== undefined) this.#deliver(letter);
    else if (of === 'world') run?.();
    else if (run !== undefined && of !== undefined && !of.isDead) {
      if (of.isFrozen) this.#hold(of, run);
      else run();
    }
    return true;
  }
}

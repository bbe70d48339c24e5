/**
 * A whole ring in virtual time: nodes, the web they crawl, what befalls them, and when it is over.
 *
 * Who is up is told to nodes by a stand-in for Chord: each hears of a join, a crash, a freeze or a
 * cut some seconds later, at an instant of its own, and now and then believes for a while that a
 * node is down that is not. That is worse than a ring that stabilises, and must do no harm: who
 * should own an arc is only a wish; who may is decided by the seats.
 */
import { seededRandom } from '../../src/base/random.ts';
import { type NodeId, seatsFor } from '../../src/ring/arc-log.ts';
import { type ArcRules, isActing, leaseUntil, memberAgain } from '../../src/ring/arc-state.ts';
import { foundArc } from '../../src/ring/arc-step.ts';
import { placeOf } from '../../src/ring/id.ts';
import { type Bug, NO_BUG } from './ring-crawl-bugs.ts';
import { Checks } from './ring-crawl-checks.ts';
import { BAD_NET, Net } from './ring-crawl-net.ts';
import { type Held, RingNode } from './ring-crawl-node.ts';
import { Owners } from './ring-crawl-owners.ts';
import { Views } from './ring-crawl-view.ts';
import { endOf, type RingWeb, type RingWebSize, ringWeb } from './ring-crawl-web.ts';

export interface RingWorldOptions extends RingWebSize {
  readonly nodes: number;
  readonly seed: string;
  readonly rules: ArcRules;
  readonly bug?: Bug;
}

export class RingWorld {
  readonly net: Net;
  readonly web: RingWeb;
  readonly checks: Checks;
  readonly rules: ArcRules;
  readonly bug: Bug;
  readonly nodes = new Map<NodeId, RingNode>();
  readonly owners: Owners;
  readonly #seed: string;
  readonly #views: Views;
  /** The arc that was not whole when it was last looked: it is the first to look at. */
  #brokenArc = 0;
  #born = 0;
  #isPlanted = false;

  constructor({ nodes, seed, rules, bug, ...size }: RingWorldOptions) {
    this.net = new Net(seed, BAD_NET);
    this.web = ringWeb(seed, size);
    this.checks = new Checks(this.web);
    this.rules = rules;
    this.bug = bug ?? NO_BUG;
    this.#seed = seed;
    this.owners = new Owners(size.arcs);
    const ends = Array.from({ length: size.arcs }, (_, arc) => endOf(arc, size.arcs));
    this.#views = new Views(this.net, this.nodes, ends, rules.copies);
    for (let n = 0; n < nodes; n++) this.#bear();
    for (const node of this.nodes.values()) this.#look(node);
    for (let arc = 0; arc < size.arcs; arc++) this.#found(arc);
    this.#mistake();
  }

  get random() {
    return this.net.random;
  }

  #bear(id = placeOf(Buffer.from(`${this.#seed} ${this.#born++}`))): RingNode {
    const node = new RingNode(id, this);
    this.nodes.set(id, node);
    node.start();
    return node;
  }

  #found(arc: number): void {
    const [first] = this.nodes.values();
    const seats = (first as RingNode).view.wanted(arc);
    const charter = { at: { epoch: 1, index: 0 }, seats };
    for (const seat of charter.seats) {
      const node = this.nodes.get(seat) as RingNode;
      node.hold(arc, foundArc(seat, this.rules, charter, node.now));
    }
  }

  /** A node learns how the ring stands at this moment. */
  #look(node: RingNode, mistaken?: NodeId): void {
    if (this.nodes.get(node.id) === node) node.view = this.#views.of(node, mistaken);
  }

  /** Something has changed: everybody learns of it, in between these times. */
  spread(fromMs: number, toMs: number): void {
    for (const node of this.nodes.values()) {
      const delay = fromMs + (toMs - fromMs) * this.random.next();
      this.net.timer(node.id, delay, () => this.#look(node));
    }
  }

  #mistake(): void {
    this.net.at(this.net.now + 8_000 * this.random.next(), () => {
      const all = [...this.nodes.values()];
      const pick = () => all[Math.floor(this.random.next() * all.length)];
      const node = pick();
      if (node !== undefined) {
        this.#look(node, pick()?.id);
        this.net.timer(node.id, 4_000, () => this.#look(node));
      }
      this.#mistake();
    });
  }

  join(): void {
    const node = this.#bear();
    this.#look(node);
    this.spread(300, 3_000);
  }

  leave(node: RingNode): void {
    node.isLeaving = true;
    this.net.changes++;
    this.spread(0, 1_500);
    this.#partWhenFree(node);
  }

  /** A leaver goes when it has no seat left and nothing to deliver. */
  #partWhenFree(node: RingNode): void {
    this.net.at(this.net.now + 1_000, () => {
      if (this.nodes.get(node.id) !== node) return;
      const isSeated = [...node.arcs.values()].some(
        ({ state }) => state.charter.seats.includes(node.id) || state.owning !== undefined,
      );
      if (isSeated || node.busy > 0 || node.deliveries.size > 0) this.#partWhenFree(node);
      else this.#remove(node);
    });
  }

  crash(node: RingNode): void {
    this.#remove(node);
    this.spread(1_500, 6_000);
  }

  /** It comes back with its disk and its key, and has forgotten everything else. */
  restart(node: RingNode, afterMs: number): void {
    this.crash(node);
    this.net.at(this.net.now + afterMs, () => {
      const again = this.#bear(node.id);
      for (const [arc, { state, copy }] of node.arcs) {
        again.hold(arc, memberAgain(node.id, this.rules, state, again.now), copy);
      }
      this.#look(again);
      this.spread(300, 3_000);
    });
  }

  #remove(node: RingNode): void {
    this.nodes.delete(node.id);
    this.net.crash(node.id);
    this.owners.forget(node);
  }

  freeze(node: RingNode, forMs: number): void {
    this.net.freeze(node.id);
    this.spread(3_000, 6_000);
    this.net.at(this.net.now + forMs, () => {
      this.net.thaw(node.id);
      this.spread(300, 3_000);
    });
  }

  cut(side: ReadonlySet<NodeId>, forMs: number): void {
    this.net.cut(side);
    this.spread(3_000, 6_000);
    this.net.at(this.net.now + forMs, () => {
      this.net.cut(undefined);
      this.spread(300, 3_000);
    });
  }

  /** Whoever else may act for an arc at this instant; a frozen node acts for nothing. */
  rivalsOf(node: RingNode, arc: number): NodeId[] {
    const rivals: NodeId[] = [];
    for (const other of this.owners.of(arc)) {
      const held = other === node ? undefined : other.arcs.get(arc);
      if (held?.state.owning === undefined || !this.net.isUp(other.id)) continue;
      if (isActing(held.state, other.now)) rivals.push(other.id);
    }
    return rivals;
  }

  /** Every arc has an owner that may act, and all of its seats are up and whole. */
  isWhole(): boolean {
    const { arcs } = this.owners;
    for (let n = 0; n < arcs; n++) {
      const arc = (this.#brokenArc + n) % arcs;
      if (this.#isArcWhole(arc)) continue;
      this.#brokenArc = arc;
      return false;
    }
    return true;
  }

  #isArcWhole(arc: number): boolean {
    for (const node of this.owners.of(arc)) {
      const { state } = node.arcs.get(arc) as Held;
      const { owning, charter } = state;
      if (owning === undefined || !state.isChartered || leaseUntil(state) < node.now) continue;
      const seats = Math.min(seatsFor(this.rules.copies), this.nodes.size);
      if (charter.seats.length < seats) continue;
      const isFollowing = (seat: NodeId) =>
        this.net.isUp(seat) && owning.followers.get(seat)?.isWhole === true;
      if (charter.seats.every((seat) => seat === node.id || isFollowing(seat))) return true;
    }
    return false;
  }

  /** Nothing waits anywhere. */
  isIdle(): boolean {
    const owned = new Set<number>();
    for (const node of this.nodes.values()) {
      if (node.busy > 0 || node.deliveries.size > 0) return false;
      for (const [arc, { front }] of node.arcs) {
        if (front === undefined) continue;
        if (!front.isIdle) return false;
        owned.add(arc);
      }
    }
    return this.#isPlanted && owned.size === this.owners.arcs;
  }

  /** Again and again: whoever was told may die before anybody else knows. */
  plant(page: number): void {
    const [first] = this.nodes.values();
    const arc = this.web.arcOf(this.web.hostOf(page));
    first?.deliver(arc, [{ kind: 'admit', page }], () => {
      this.#isPlanted = true;
    });
    this.net.at(this.net.now + 10_000, () => {
      if (!this.#isPlanted) this.plant(page);
    });
  }
}

export function seededChoice(seed: string): () => number {
  const random = seededRandom(seed);
  return () => random.next();
}

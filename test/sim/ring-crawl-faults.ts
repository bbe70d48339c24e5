/**
 * What befalls a ring, blow by blow: up to K − 1 nodes at once crash or freeze for a minute, a
 * third of the ring is cut off, nodes join and leave, some start again from their disks, or all at
 * once. The next blow comes when the ring has
 * recovered from the last: that is what 'at once' means in 'K − 1 failures at once'.
 */
import type { NodeId } from '../../src/ring/arc-log.ts';
import type { RingNode } from './ring-crawl-node.ts';
import type { RingWorld } from './ring-crawl-world.ts';

const LOOK_MS = 1_000;
const FREEZE_MS = 60_000;

export type Blow = 'crash' | 'freeze' | 'mixed' | 'cut' | 'join' | 'leave' | 'restart' | 'power';
const BLOWS: readonly Blow[] = [
  ...(['crash', 'crash', 'freeze', 'mixed', 'cut', 'join', 'leave', 'restart', 'power'] as const),
];

export class Faults {
  crashes = 0;
  restarts = 0;
  freezes = 0;
  cuts = 0;
  joins = 0;
  leaves = 0;
  /** The longest that a blow was felt: until every arc had an owner and whole copies again. */
  recoveryMsMax = 0;
  #left: number;
  #struckAt = 0;
  #isRecovering = false;
  #quietUntil = 0;
  readonly #world: RingWorld;
  readonly #next: () => number;

  constructor(world: RingWorld, blows: number, next: () => number) {
    this.#world = world;
    this.#left = blows;
    this.#next = next;
    this.#look();
  }

  get areOver(): boolean {
    return this.#left === 0 && !this.#isRecovering && this.#world.net.now >= this.#quietUntil;
  }

  #look(): void {
    const { net } = this.#world;
    net.at(net.now + LOOK_MS, () => {
      // After the last blow, and whole again, it is of no use to look any more.
      const isLooked = this.#isRecovering || this.#left > 0;
      const isWhole = isLooked && net.now >= this.#quietUntil && this.#world.isWhole();
      if (isWhole && this.#isRecovering) {
        this.#isRecovering = false;
        this.recoveryMsMax = Math.max(this.recoveryMsMax, net.now - this.#struckAt);
        this.#quietUntil = net.now + 6_000 * this.#next();
      } else if (isWhole && this.#left > 0) this.#strike();
      this.#look();
    });
  }

  #strike(): void {
    const { net } = this.#world;
    const blow = BLOWS[Math.floor(this.#next() * BLOWS.length)] as Blow;
    this.#left--;
    this.#struckAt = net.now;
    this.#isRecovering = true;
    this.#quietUntil = net.now + 2_000;
    this.#hit(blow);
  }

  #hit(blow: Blow): void {
    const world = this.#world;
    const [one, two] = this.#victims();
    const both = two !== undefined && this.#next() < 0.7 ? [one, two] : [one];
    if (blow === 'crash') for (const node of both) this.#crash(node);
    if (blow === 'freeze') for (const node of both) this.#freeze(node);
    if (blow === 'mixed') {
      this.#crash(one);
      if (two !== undefined) this.#freeze(two);
    }
    if (blow === 'cut') this.#cut();
    if (blow === 'restart') for (const node of both) this.#restart(node);
    if (blow === 'power') for (const node of [...world.nodes.values()]) this.#restart(node);
    if (blow === 'leave') {
      this.leaves++;
      world.leave(one);
    }
    if (blow === 'join' || blow === 'leave') this.#joinLater();
  }

  #crash(node: RingNode): void {
    this.crashes++;
    this.#world.crash(node);
    this.#joinLater();
  }

  /** It is back within some seconds, or after its term. */
  #restart(node: RingNode): void {
    const { net } = this.#world;
    const afterMs = 15_000 * this.#next();
    this.restarts++;
    this.#quietUntil = Math.max(this.#quietUntil, net.now + afterMs + 2_000);
    this.#world.restart(node, afterMs);
  }

  #freeze(node: RingNode): void {
    this.freezes++;
    this.#world.freeze(node, FREEZE_MS);
  }

  #joinLater(): void {
    const { net } = this.#world;
    this.joins++;
    net.at(net.now + 12_000 * this.#next(), () => this.#world.join());
  }

  #cut(): void {
    const { net, nodes } = this.#world;
    this.cuts++;
    const forMs = 15_000 + 25_000 * this.#next();
    this.#quietUntil = net.now + forMs + 5_000;
    const ids = [...nodes.keys()].sort();
    const from = Math.floor(this.#next() * ids.length);
    const isStretch = this.#next() < 0.5;
    const size = Math.ceil(ids.length / 3);
    const side = isStretch
      ? [...ids, ...ids].slice(from, from + size)
      : ids.filter(() => this.#next() < 0.35);
    this.#world.cut(new Set<NodeId>(side), forMs);
  }

  /** K − 1 of those that are up: any, or neighbours on the circle, who share the most. */
  #victims(): [RingNode, ...RingNode[]] {
    const { nodes, net, rules } = this.#world;
    const up = [...nodes.values()].filter((node) => net.isUp(node.id) && !node.isLeaving);
    up.sort((a, b) => (a.id < b.id ? -1 : 1));
    const from = Math.floor(this.#next() * up.length);
    const isNear = this.#next() < 0.6;
    const victims: RingNode[] = [];
    for (let i = 0; victims.length < Math.max(1, rules.copies - 1); i++) {
      const at = isNear || i === 0 ? from + i : Math.floor(this.#next() * up.length);
      const node = up[at % up.length] as RingNode;
      if (!victims.includes(node)) victims.push(node);
    }
    return victims as [RingNode, ...RingNode[]];
  }
}

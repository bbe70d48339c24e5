/**
 * The front of one arc at its owner, as small as can be: each host has a queue and an instant
 * before which it is not asked. It is made anew with every ownership, and every host then waits
 * out a whole pause: what the owner before did in its last moments, nobody knows (P5).
 */
import type { Loan } from '../../src/ring/owner-lend.ts';
import type { Body } from './ring-crawl-copy.ts';
import { HOT, helperOf, lendPage } from './ring-crawl-lend.ts';
import type { Held, RingNode } from './ring-crawl-node.ts';

/** Requests of one node at a time. */
const REQUESTS_MAX = 6;
const LATER_MS = 250;

export interface HostQueue {
  readonly pages: number[];
  readyAt: number;
  isBusy: boolean;
  turns: number;
  offers: number;
}

export class Front {
  readonly hosts = new Map<number, HostQueue>();
  readonly node: RingNode;
  readonly #arc: number;
  /** When the last turn that was lent is over. */
  lentUntil = 0;
  readonly held: Held;
  readonly #since: number;

  constructor(node: RingNode, arc: number, held: Held) {
    this.node = node;
    this.#arc = arc;
    this.held = held;
    this.#since = node.now;
  }

  get isIdle(): boolean {
    for (const { pages, isBusy } of this.hosts.values())
      if (isBusy || pages.length > 0) return false;
    return true;
  }

  push(page: number): void {
    const { web, bug } = this.node.world;
    const host = web.hostOf(page);
    let queue = this.hosts.get(host);
    if (queue === undefined) {
      const readyAt = bug.isTurnForgotten ? this.#since : this.#since + web.pauseMs(host);
      queue = { pages: [], readyAt, isBusy: false, turns: 0, offers: 0 };
      this.hosts.set(host, queue);
    }
    queue.pages.push(page);
    if (!queue.isBusy && queue.pages.length === 1) this.#wake(host, queue);
  }

  #wake(host: number, queue: HostQueue): void {
    const waitMs = Math.max(0, queue.readyAt - this.node.now) + 0.01;
    this.node.world.net.timer(this.node.id, waitMs, () => this.#turn(host, queue));
  }

  get #isOurs(): boolean {
    return this.held.front === this;
  }

  #turn(host: number, queue: HostQueue): void {
    const node = this.node;
    if (!this.#isOurs || queue.isBusy || queue.pages.length === 0) return;
    if (node.now < queue.readyAt) {
      this.#wake(host, queue);
      return;
    }
    if (node.busy >= REQUESTS_MAX || !node.isActing(this.held)) {
      node.world.net.timer(node.id, LATER_MS, () => this.#turn(host, queue));
      return;
    }
    if (queue.pages.length > HOT && ++queue.offers % 2 === 0 && this.#offer(host, queue)) return;
    const page = queue.pages.shift() as number;
    if (this.held.copy.isDone(page)) this.#turn(host, queue);
    else this.#ask(page, host, queue);
  }

  /** A turn for a helper: if it does not come for it in a moment, it is ours again. */
  #offer(host: number, queue: HostQueue): boolean {
    const { node } = this;
    const helper = helperOf(this);
    if (helper === undefined) return false;
    node.post(helper, { kind: 'offer', arc: this.#arc, host, bytes: 16 });
    node.world.net.timer(node.id, LATER_MS, () => this.#turn(host, queue));
    return true;
  }

  /** What a helper may ask of a host of ours, if anything. */
  lend(host: number): { readonly page: number; readonly loan: Loan } | undefined {
    const queue = this.hosts.get(host);
    const lent = queue === undefined ? undefined : lendPage(this, queue, host);
    if (queue !== undefined && lent !== undefined) this.#wake(host, queue);
    return lent;
  }

  #ask(page: number, host: number, queue: HostQueue): void {
    const node = this.node;
    const { net, checks } = node.world;
    checks.acts(this.#arc, node.world.rivalsOf(node, this.#arc), net.now);
    queue.isBusy = true;
    node.busy++;
    const arrivesIn = 2 + 60 * net.random.next() ** 3;
    net.at(net.now + arrivesIn, () => checks.arrives(page, net.now));
    const answersIn = arrivesIn + 30 + 300 * net.random.next();
    net.timer(node.id, answersIn, () => this.#answered(page, host, queue));
  }

  #answered(page: number, host: number, queue: HostQueue): void {
    const node = this.node;
    const { web } = node.world;
    node.busy--;
    queue.isBusy = false;
    queue.turns++;
    queue.readyAt = node.now + web.pauseMs(host);
    const isFull = node.world.rules.awaits === 'everything';
    if (!isFull) this.#wake(host, queue);
    else queue.isBusy = true;
    const then = () => {
      queue.isBusy = false;
      this.#wake(host, queue);
    };
    node.deliverLinks(page, () => this.#settle(page, host, queue, isFull ? then : undefined));
    node.flush();
  }

  #settle(page: number, host: number, queue: HostQueue, then: (() => void) | undefined): void {
    const node = this.node;
    const { checks, net } = node.world;
    checks.settled.add(page);
    const done: Body = { kind: 'done', page };
    if (!this.#isOurs) {
      node.deliver(this.#arc, [done], () => {});
      return;
    }
    const since = net.now;
    const asked: Body = { kind: 'asked', host, turns: queue.turns };
    const written = () => {
      checks.settleMs.push(net.now - since);
      then?.();
    };
    node.write(this.#arc, [done, asked], false, then === undefined ? undefined : written);
  }
}

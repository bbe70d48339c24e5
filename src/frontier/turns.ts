/**
 * Whose turn it is: every host that has something to ask stands in its group's order, and every
 * group that may be asked either sleeps until its turn or is ready.
 *
 *   host ─ offer ─→ group ─ place ─→ sleeping, by instant ─ wake(now) ─→ ready ─ pick ─→ host
 *                     ↑                                                            │
 *                     └──────── close ←──────── a request is open ←──── open ──────┘
 *
 * A group with as many open requests as it may have is in neither heap (P1, P4).
 */
import { Heap } from '../base/heap.ts';
import type { Instant } from '../base/instant.ts';
import { Group } from './group.ts';
import type { Host } from './host.ts';
import { Lines, type Nearness, type Taker } from './lines.ts';
import type { Politeness } from './policy.ts';

/** Is it one of those that are meant? */
export type Fits = (host: Host) => boolean;

/** Hosts that one who takes may pass over: nobody's request is kept waiting by another's. */
const PASSED_MAX = 4_096;

export class Turns {
  readonly #lanes: number;
  readonly #byAddress: boolean;
  readonly #groups = new Map<string, Group>();
  readonly #sleeping = new Heap<Group>();
  readonly #ready: Lines;
  #wokenAt: Instant = 0;
  #addressesRestUntil: Instant = 0;

  constructor(policy: Politeness, random: () => number, near?: Nearness) {
    this.#lanes = policy.lanes;
    this.#byAddress = policy.addressDelayMs > 0 && policy.lanes === 1;
    this.#ready = new Lines(random, near);
  }

  get readySize(): number {
    return this.#ready.size;
  }

  get sleepingSize(): number {
    return this.#sleeping.size;
  }

  /**
   * The next instant at which something can be asked; undefined when nothing waits for time. Who
   * asks `by` somewhere may have to wait for others to take it.
   */
  nextAt(by?: Taker): Instant | undefined {
    const sleeping = this.#sleeping.firstKey;
    if (this.#ready.size === 0) return sleeping;
    const ready = by === undefined ? 0 : (this.#ready.nextAt(by) ?? 0);
    return Math.min(ready, sleeping ?? ready);
  }

  /** The group of an address, with one member more. */
  join(address: string): Group {
    let group = this.#groups.get(address);
    if (group === undefined) {
      group = new Group(address);
      if (this.#byAddress && address !== '') {
        group.turnAt = this.#addressesRestUntil;
        this.#groups.set(address, group);
      }
    }
    group.members++;
    return group;
  }

  /** After an unclean end: any address may just have been asked, also by a host unknown now. */
  restAddresses(until: Instant): void {
    this.#addressesRestUntil = Math.max(this.#addressesRestUntil, until);
  }

  /** Before somebody takes. */
  wake(by: Taker): void {
    const { now } = by;
    this.#wokenAt = now;
    this.#ready.hear(by);
    for (let at = this.#sleeping.firstKey; at !== undefined && at <= now; ) {
      this.#ready.add(this.#sleeping.pop() as Group, now);
      at = this.#sleeping.firstKey;
    }
  }

  /**
   * The host to ask next; it stays until a request is opened or nothing is left to ask. Where
   * only some `fit`, the others that came first stand aside in `passed`, for bringBack().
   */
  pick(by: Taker, fits?: Fits, passed?: Host[]): Host | undefined {
    return this.#fitting(() => this.#ready.pick(by)?.next, fits, passed);
  }

  /** The same, among hosts that have an errand to run: those are the first of all by rank. */
  pickErrand(by: Taker, fits?: Fits, passed?: Host[]): Host | undefined {
    const host = this.#fitting(() => this.#ready.best(by)?.next, fits, passed);
    return host !== undefined && host.errands.length > 0 ? host : undefined;
  }

  bringBack(passed: readonly Host[]): void {
    for (const host of passed) this.offer(host);
  }

  #fitting(look: () => Host | undefined, fits?: Fits, passed: Host[] = []): Host | undefined {
    for (;;) {
      const host = look();
      if (host === undefined || fits === undefined || fits(host)) return host;
      if (passed.length >= PASSED_MAX) return undefined;
      passed.push(host);
      host.group.drop(host);
      this.#place(host.group);
    }
  }

  /** Puts the host where it belongs now. Call after whatever may change that. */
  offer(host: Host): void {
    const { group } = host;
    if (host.openRequests < this.#lanes && host.hasSomethingToAsk) group.put(host);
    else group.drop(host);
    this.#place(group);
  }

  open(host: Host): void {
    host.openRequests++;
    host.group.openRequests++;
    this.offer(host);
  }

  /** The request is over; what the host's limits kept back may fit now. */
  close(host: Host): void {
    host.openRequests--;
    host.group.openRequests--;
    host.isFull = false;
    this.offer(host);
  }

  /**
   * The address of a host with an open request. False when another host there has the turn:
   * then the request must be closed without having been made.
   */
  bind(host: Host, address: string, now: Instant): boolean {
    if (!this.#byAddress) return true;
    host.address = address;
    if (host.group.address === address) return true;
    this.#leave(host, now);
    host.group = this.join(address);
    const hasTurn = host.group.openRequests === 0 && host.group.turnAt <= now;
    host.group.openRequests++;
    this.#place(host.group);
    return hasTurn;
  }

  /** The host is not ours to ask any more, whatever of it is still open (arc-hosts.ts). */
  part(host: Host): void {
    host.group.openRequests -= host.openRequests;
    host.openRequests = 0;
    this.#without(host, this.#wokenAt);
  }

  #leave(host: Host, now: Instant): void {
    host.group.openRequests--;
    this.#without(host, now);
  }

  #without(host: Host, now: Instant): void {
    const { group } = host;
    group.drop(host);
    group.members--;
    this.#place(group);
    if (group.members === 0 && group.turnAt <= now) this.#groups.delete(group.address);
  }

  /** Puts the group where it belongs now: ready, asleep until its turn, or nowhere. */
  #place(group: Group): void {
    const waits = group.openRequests < this.#lanes && group.next !== undefined;
    if (this.#ready.has(group)) {
      if (waits && group.readyAt <= this.#wokenAt) {
        this.#ready.moved(group, this.#wokenAt);
        return;
      }
      this.#ready.remove(group);
    }
    const asleep = this.#sleeping.has(group);
    if (waits && asleep) this.#sleeping.moved(group, group.readyAt);
    else if (waits) this.#sleeping.push(group, group.readyAt);
    else if (asleep) this.#sleeping.remove(group);
  }
}

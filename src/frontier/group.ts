/**
 * Hosts behind one address are one neighbour (P4): a group has a turn of its own.
 *
 * A host whose address is not known yet is a group by itself. Taking a group out of the heap
 * while one of its hosts is asked is what makes two requests to one address at a time
 * impossible: there is nothing left to take.
 *
 * Nearly every group has one host, so the heap of several is made when the second asks.
 */
import { Heap, type HeapItem } from '../base/heap.ts';
import type { Instant } from '../base/instant.ts';
import { RANK_MAX } from '../record/index.ts';
import type { Host } from './host.ts';

export class Group implements HeapItem {
  heapAt = -1;
  readonly address: string;
  turnAt: Instant = 0;
  openRequests = 0;
  /** Hosts that have this address, whether they have something to ask or not. */
  members = 0;
  /** In the ready heap since this count of arrivals; 0 when it sleeps. */
  arrival = 0;
  #only: Host | undefined;
  #several: Heap<Host> | undefined;

  constructor(address: string) {
    this.address = address;
  }

  /** The host with the earliest turn of those that have something to ask. */
  get next(): Host | undefined {
    return this.#several === undefined ? this.#only : this.#several.peek();
  }

  /** Takes a host into the order, or to its new place there. */
  put(host: Host): void {
    if (this.#several?.has(host)) this.#several.moved(host, host.turnAt);
    else if (this.#several !== undefined) this.#several.push(host, host.turnAt);
    else if (this.#only === undefined || this.#only === host) this.#only = host;
    else this.#startHeap(this.#only, host);
  }

  drop(host: Host): void {
    if (this.#only === host) this.#only = undefined;
    else if (this.#several?.has(host)) this.#several.remove(host);
  }

  /** The earliest instant at which one of its hosts may be asked. */
  get readyAt(): Instant {
    return Math.max(this.turnAt, this.next?.turnAt ?? Number.POSITIVE_INFINITY);
  }

  get bestRank(): number {
    const { next } = this;
    if (next === undefined) return RANK_MAX;
    return next.errands.length > 0 ? 0 : next.bestRank;
  }

  #startHeap(one: Host, another: Host): void {
    this.#several = new Heap();
    this.#several.push(one, one.turnAt);
    this.#several.push(another, another.turnAt);
    this.#only = undefined;
  }
}

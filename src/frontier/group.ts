/**
 * Hosts behind one address are one neighbour (P4): a group has a turn of its own.
 *
 * A host whose address is not known yet is a group by itself. Taking a group out of the heap
 * while one of its hosts is asked is what makes two requests to one address at a time
 * impossible: there is nothing left to take.
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
  /** In the ready heap since this count of arrivals; 0 when it sleeps. */
  arrival = 0;
  readonly hosts = new Heap<Host>(isSooner);

  constructor(address: string) {
    this.address = address;
  }

  /** The earliest instant at which one of its hosts may be asked. */
  get readyAt(): Instant {
    return Math.max(this.turnAt, this.hosts.peek()?.turnAt ?? Number.POSITIVE_INFINITY);
  }

  get bestRank(): number {
    const next = this.hosts.peek();
    return next !== undefined && next.errands.length > 0 ? 0 : (next?.window.bestRank ?? RANK_MAX);
  }
}

function isSooner(a: Host, b: Host): boolean {
  return a.turnAt < b.turnAt;
}

/**
 * Groups whose turn has come (F3): four in five are picked by the priority of what they would
 * ask next, one in five by how long they have been ready, so that nobody waits for ever.
 */
import { Heap } from '../base/heap.ts';
import type { Group } from './group.ts';

export const EXPLORE_SHARE = 0.2;
/** The order of arrival is kept with gaps; it is packed when it is mostly gaps. */
const PACK_ABOVE = 1024;

export class Ready {
  readonly #byRank = new Heap<Group>();
  readonly #random: () => number;
  #byArrival: { group: Group; arrival: number }[] = [];
  #first = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  get size(): number {
    return this.#byRank.size;
  }

  /** Entries in the order of arrival, gaps included. */
  get arrivalsKept(): number {
    return this.#byArrival.length;
  }

  has(group: Group): boolean {
    return group.arrival > 0;
  }

  /** `arrival` counts up, over all lines where there are several (lines.ts). */
  add(group: Group, arrival: number): void {
    group.arrival = arrival;
    this.#byRank.push(group, group.bestRank);
    this.#byArrival.push({ group, arrival: group.arrival });
  }

  /** Call when what the group would ask next may have changed. */
  moved(group: Group): void {
    this.#byRank.moved(group, group.bestRank);
  }

  remove(group: Group): void {
    group.arrival = 0;
    this.#byRank.remove(group);
    this.#pack();
  }

  /** The group to ask next; it stays until it is removed. */
  pick(): Group | undefined {
    if (this.#byRank.size > 1 && this.#random() < EXPLORE_SHARE) return this.oldest();
    return this.#byRank.peek();
  }

  best(): Group | undefined {
    return this.#byRank.peek();
  }

  /** Who has been here for the longest time. */
  oldest(): Group | undefined {
    for (; this.#first < this.#byArrival.length; this.#first++) {
      const entry = this.#byArrival[this.#first];
      if (entry !== undefined && entry.group.arrival === entry.arrival) return entry.group;
    }
    return this.#byRank.peek();
  }

  /** In the order of arrival. */
  groups(): Group[] {
    return this.#byArrival.filter((e) => e.group.arrival === e.arrival).map((e) => e.group);
  }

  #pack(): void {
    const length = this.#byArrival.length;
    if (length < PACK_ABOVE || length < 4 * this.#byRank.size) return;
    this.#byArrival = this.#byArrival.filter((e) => e.group.arrival === e.arrival);
    this.#first = 0;
  }
}

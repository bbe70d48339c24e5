/**
 * Heavy hitters in bounded room (space-saving, by Metwally, Agrawal and El Abbadi): whatever
 * makes up more than 1/capacity of a stream is in the table, however long the stream is.
 *
 * When the table is full, a newcomer takes the place of the lightest and inherits its weight,
 * so that a frequent newcomer cannot be pushed out again and again. What an entry counts beside
 * its weight is its own alone: evidence is never inherited.
 */
import { ownCopy } from '../url/index.ts';

export interface Weighed {
  weight: number;
}

export class Heavy<T extends Weighed> {
  readonly capacity: number;
  readonly #make: (key: string) => T;
  readonly #entries = new Map<string, T>();

  constructor(capacity: number, make: (key: string) => T) {
    this.capacity = capacity;
    this.#make = make;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  entries(): IterableIterator<[string, T]> {
    return this.#entries.entries();
  }

  /** Not `for … of`: an array for each entry was a sixteenth of a crawl's garbage. */
  forEach(look: (entry: T, key: string) => void): void {
    this.#entries.forEach(look);
  }

  /** The entry of a key, one heavier; made if there is none. */
  touch(key: string, weight = 1): T {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.weight += weight;
      return known;
    }
    const inherited = this.#entries.size >= this.capacity ? this.#dropLightest() : 0;
    const kept = ownCopy(key); // A slice would keep the whole page alive.
    const entry = this.#make(kept);
    entry.weight = inherited + weight;
    this.#entries.set(kept, entry);
    return entry;
  }

  /** Brings back an entry that was kept. */
  put(key: string, entry: T): void {
    if (this.#entries.size < this.capacity) this.#entries.set(key, entry);
  }

  #dropLightest(): number {
    let lightest = '';
    let least = Number.POSITIVE_INFINITY;
    this.forEach(({ weight }, key) => {
      if (weight >= least) return;
      least = weight;
      lightest = key;
    });
    this.#entries.delete(lightest);
    return least;
  }
}

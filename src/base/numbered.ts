/**
 * Values under numbers that are given out in order: found by number, met in order, gone soon.
 *
 * No Map: one whose entries come and go is moved to a new table all the time, and the tables that
 * it leaves behind lie among V8's old objects and hold what was in them until old garbage is looked
 * for. Here a value that is taken out is held by nobody. Each number has a place from the oldest
 * one on that is still there: whoever may stay for long belongs elsewhere.
 */

/** Free places in front are closed up when there are so many, and more than taken ones. */
const CLOSE_UP_FROM = 1_024;

export class Numbered<T extends object> {
  readonly #places: (T | undefined)[] = [];
  /** The number of the first place. */
  #from = 0;
  /** Places in front of this one are free. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): T | undefined {
    return number < this.#from ? undefined : this.#places[number - this.#from];
  }

  has(number: number): boolean {
    return this.get(number) !== undefined;
  }

  /** Behind all that were there before. */
  add(number: number, value: T): void {
    if (this.#size === 0) this.#begin(number);
    else if (this.#first >= CLOSE_UP_FROM && this.#first * 2 >= this.#places.length) this.#close();
    while (this.#places.length < number - this.#from) this.#places.push(undefined);
    this.#places.push(value);
    this.#size++;
  }

  /** What was there. */
  take(number: number): T | undefined {
    const value = this.get(number);
    if (value === undefined) return undefined;
    this.#places[number - this.#from] = undefined;
    this.#size--;
    while (this.#first < this.#places.length && this.#places[this.#first] === undefined) {
      this.#first++;
    }
    return value;
  }

  /** In the order of their numbers. What is taken out meanwhile is left out. */
  *values(): Iterable<T> {
    for (let number = this.#from + this.#first; number < this.#end; number++) {
      const value = this.get(number);
      if (value !== undefined) yield value;
    }
  }

  get #end(): number {
    return this.#from + this.#places.length;
  }

  #begin(number: number): void {
    this.#places.length = 0;
    this.#from = number;
    this.#first = 0;
  }

  #close(): void {
    this.#places.splice(0, this.#first);
    this.#from += this.#first;
    this.#first = 0;
  }
}

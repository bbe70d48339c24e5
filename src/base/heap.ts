/**
 * A heap whose items know their own place, so that any item can be moved or removed in
 * O(log n) and nothing is searched for or left behind as garbage. The smallest key is first.
 *
 * Keys lie in an array of their own and each node has four children: sifting compares numbers
 * that lie side by side, and touches an item only to tell it its new place. With 100,000
 * items that is what most of the time goes into.
 *
 * An item is in one heap at a time: `heapAt` is its index there, or -1.
 */
import { assert } from './assert.ts';

export interface HeapItem {
  heapAt: number;
}

const CHILDREN = 4;

export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #keys: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** The smallest key; undefined when the heap is empty. */
  get firstKey(): number | undefined {
    return this.#keys[0];
  }

  push(item: T, key: number): void {
    assert(!Number.isNaN(key), 'a key has a place in the order');
    this.#items.push(item);
    this.#keys.push(key);
    this.#up(item, key, this.#items.length - 1);
  }

  pop(): T | undefined {
    const top = this.#items[0];
    if (top !== undefined) this.remove(top);
    return top;
  }

  has(item: T): boolean {
    return item.heapAt >= 0 && this.#items[item.heapAt] === item;
  }

  remove(item: T): void {
    assert(this.has(item), 'only what is in the heap can leave it');
    const at = item.heapAt;
    const last = this.#items.pop() as T;
    const key = this.#keys.pop() as number;
    item.heapAt = -1;
    if (last !== item) this.#place(last, key, at);
  }

  /** Gives an item of the heap another key. */
  moved(item: T, key: number): void {
    assert(!Number.isNaN(key), 'a key has a place in the order');
    if (this.#keys[item.heapAt] !== key) this.#place(item, key, item.heapAt);
  }

  #place(item: T, key: number, at: number): void {
    const above = Math.floor((at - 1) / CHILDREN);
    if (at > 0 && key < (this.#keys[above] as number)) this.#up(item, key, at);
    else this.#down(item, key, at);
  }

  #up(item: T, key: number, from: number): void {
    const keys = this.#keys;
    let at = from;
    while (at > 0) {
      const above = Math.floor((at - 1) / CHILDREN);
      const aboveKey = keys[above] as number;
      if (!(key < aboveKey)) break;
      this.#put(this.#items[above] as T, aboveKey, at);
      at = above;
    }
    this.#put(item, key, at);
  }

  #down(item: T, key: number, from: number): void {
    const keys = this.#keys;
    let at = from;
    for (;;) {
      const first = CHILDREN * at + 1;
      if (first >= keys.length) break;
      const end = Math.min(first + CHILDREN, keys.length);
      let least = first;
      for (let i = first + 1; i < end; i++) {
        if ((keys[i] as number) < (keys[least] as number)) least = i;
      }
      const leastKey = keys[least] as number;
      if (!(leastKey < key)) break;
      this.#put(this.#items[least] as T, leastKey, at);
      at = least;
    }
    this.#put(item, key, at);
  }

  #put(item: T, key: number, at: number): void {
    this.#items[at] = item;
    this.#keys[at] = key;
    item.heapAt = at;
  }
}

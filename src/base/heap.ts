/**
 * A binary heap whose items know their own place, so that any item can be moved or removed
 * in O(log n) and nothing is searched for or left behind as garbage.
 *
 * An item is in one heap at a time: `heapAt` is its index there, or -1.
 */
export interface HeapItem {
  heapAt: number;
}

export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#up(item, this.#items.length - 1);
  }

  pop(): T | undefined {
    const top = this.#items[0];
    if (top !== undefined) this.remove(top);
    return top;
  }

  has(item: T): boolean {
    return this.#items[item.heapAt] === item;
  }

  remove(item: T): void {
    const at = item.heapAt;
    const last = this.#items.pop() as T;
    item.heapAt = -1;
    if (last === item) return;
    this.#place(last, at);
  }

  /** Call after the item's order changed. */
  moved(item: T): void {
    this.#place(item, item.heapAt);
  }

  #place(item: T, at: number): void {
    const parent = this.#items[(at - 1) >> 1];
    if (at > 0 && this.#before(item, parent as T)) this.#up(item, at);
    else this.#down(item, at);
  }

  #up(item: T, from: number): void {
    const items = this.#items;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = items[above] as T;
      if (!this.#before(item, parent)) break;
      items[at] = parent;
      parent.heapAt = at;
      at = above;
    }
    items[at] = item;
    item.heapAt = at;
  }

  #down(item: T, from: number): void {
    const items = this.#items;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T))
        child++;
      const below = items[child] as T;
      if (!this.#before(below, item)) break;
      items[at] = below;
      below.heapAt = at;
      at = child;
    }
    items[at] = item;
    item.heapAt = at;
  }
}

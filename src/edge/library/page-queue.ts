/**
 * Between the crawl, which pushes pages, and a `for await`, which pulls them: a short queue.
 * A full queue holds the crawl back (L5); an ended one lets it go.
 */
interface Taker<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

export class PageQueue<T> {
  readonly #max: number;
  readonly #items: T[] = [];
  #takers: Taker<T>[] = [];
  #givers: (() => void)[] = [];
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Undefined when there is room for more; else a promise of it. */
  push(item: T): Promise<void> | undefined {
    if (this.#ended) return undefined;
    const taker = this.#takers.shift();
    if (taker !== undefined) {
      taker.resolve({ done: false, value: item });
      return undefined;
    }
    this.#items.push(item);
    if (this.#items.length < this.#max) return undefined;
    return new Promise((resolve) => this.#givers.push(resolve));
  }

  /** Nothing more comes; what is queued can still be taken. */
  end(failure?: { readonly error: unknown }): void {
    this.#ended = true;
    this.#failure = failure;
    for (const taker of this.#takers.splice(0)) void this.take().then(taker.resolve, taker.reject);
    for (const giver of this.#givers.splice(0)) giver();
  }

  /** Nobody takes anything more. */
  abandon(): void {
    this.#items.length = 0;
    this.end();
  }

  async take(): Promise<IteratorResult<T, undefined>> {
    const item = this.#items.shift();
    if (item !== undefined) {
      this.#givers.shift()?.();
      return { done: false, value: item };
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      throw error;
    }
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
  }
}

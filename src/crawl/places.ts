/**
 * Places for requests: a visit has one, and there are `concurrency` of them.
 *
 *   taken ──▶ request, reading ──▶ on its way into the store ──▶ durable
 *   └──────── has its place ─────┘└── on credit, or in its place ──┘
 *
 * Where a commit is a way to servers, visits that keep their places until they are durable leave
 * nobody to fetch meanwhile: a node then waits for its engines with nothing to do. So a page that
 * was read gives its place on, as long as what waits so is bounded: pages, and the bytes of them.
 * One that comes when the credit is used up keeps its place, and holds up the next request; so
 * does what is no page, for it may be held by who asked for it.
 *
 * Its host is not free for that: nobody asks it before the commit has ended (../frontier/).
 */
import { assert } from '../base/assert.ts';
import type { Lease } from '../frontier/index.ts';

/** Of bodies that wait without a place. */
const CREDIT_BYTES_MAX = 32 << 20;

export class Places {
  readonly #concurrency: number;
  readonly #creditPages: number;
  /** Those of ours that are under way, and what each has on credit: its bytes, once it has. */
  readonly #open = new Map<Lease, number | undefined>();
  #onCredit = 0;
  #bytes = 0;

  constructor(concurrency: number, creditPages: number) {
    this.#concurrency = concurrency;
    this.#creditPages = creditPages;
  }

  /** Visits under way, with a place or without. */
  get open(): number {
    return this.#open.size;
  }

  get free(): number {
    return this.#concurrency - (this.#open.size - this.#onCredit);
  }

  take(lease: Lease): void {
    this.#open.set(lease, undefined);
  }

  /** Nothing but its commit is left to do. Answers whether its place is free for another. */
  read(lease: Lease, bytes: number): boolean {
    if (!this.#open.has(lease) || this.#open.get(lease) !== undefined) return false;
    if (this.#onCredit >= this.#creditPages || this.#bytes + bytes > CREDIT_BYTES_MAX) return false;
    this.#open.set(lease, bytes);
    this.#onCredit++;
    this.#bytes += bytes;
    return true;
  }

  end(lease: Lease): void {
    const bytes = this.#open.get(lease);
    const isOurs = this.#open.delete(lease);
    assert(isOurs, 'a visit ends once');
    if (bytes === undefined) return;
    this.#onCredit--;
    this.#bytes -= bytes;
  }
}

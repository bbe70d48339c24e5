/**
 * The best waiting URLs of one host, in memory; the rest waits in the store (F6).
 *
 * The window covers the host's order up to `covered`: everything before that place is here
 * or leased, everything after it is in the store only. A URL that belongs beyond is not kept,
 * because a later refill will bring it.
 */
import { RANK_MAX, type Waiting } from '../record/index.ts';

type Place = Pick<Waiting, 'rank' | 'key'>;

export class Window {
  /** Best last, so that taking is a pop. */
  readonly #urls: Waiting[] = [];
  /** `nothing`: never looked; `all`: the store has no more than what is here. */
  #covered: Place | 'nothing' | 'all';
  /** Something beyond the window was admitted while a refill was on its way. */
  #missed = false;

  constructor(covered: 'nothing' | 'all') {
    this.#covered = covered;
  }

  get size(): number {
    return this.#urls.length;
  }

  get hasMore(): boolean {
    return this.#covered !== 'all';
  }

  get bestRank(): number {
    return this.#urls[this.#urls.length - 1]?.rank ?? RANK_MAX;
  }

  /** Where the next refill starts. */
  get after(): Place | undefined {
    return typeof this.#covered === 'string' ? undefined : this.#covered;
  }

  peek(): Waiting | undefined {
    return this.#urls[this.#urls.length - 1];
  }

  take(): Waiting | undefined {
    return this.#urls.pop();
  }

  /** Keeps up to `keepMax` URLs; past that, the worse half is let go. */
  add(url: Waiting, keepMax: number): void {
    if (this.#covered === 'nothing' || this.#isBeyond(url)) {
      this.#missed = true;
      return;
    }
    this.#insert(url);
    if (this.#urls.length <= keepMax) return;
    this.#urls.splice(0, this.#urls.length - Math.ceil(keepMax / 2));
    this.#covered = this.#urls[0] as Waiting;
  }

  beginRefill(): void {
    this.#missed = false;
  }

  /** Takes in what the store had after `after`; fewer than asked for means that this is all. */
  refill(rows: readonly Waiting[], asked: number, isTaken: (url: Waiting) => boolean): void {
    for (const row of rows) if (!isTaken(row)) this.#insert(row);
    const last = rows[rows.length - 1];
    if (rows.length < asked && !this.#missed) this.#covered = 'all';
    else if (last !== undefined) this.#covered = last;
  }

  #isBeyond(url: Waiting): boolean {
    return typeof this.#covered !== 'string' && isBefore(this.#covered, url);
  }

  #insert(url: Waiting): void {
    const urls = this.#urls;
    let low = 0;
    let high = urls.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(url, urls[middle] as Waiting)) low = middle + 1;
      else high = middle;
    }
    const there = urls[low];
    if (there?.key.equals(url.key)) return;
    urls.splice(low, 0, url);
  }
}

/** The order of a host's waiting URLs: rank, then the first 8 bytes of the hash, as in the store. */
export function isBefore(a: Place, b: Place): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.key.compare(b.key, 8, 16, 8, 16) < 0;
}

/**
 * The best waiting URLs of one host, in memory; the rest waits in the store (F6).
 *
 * The window covers the host's order up to `covered`: everything before that place is here
 * or leased, everything after it is in the store only. A URL that belongs beyond is not kept,
 * because a later refill will bring it.
 *
 * A refill takes time, and the store's answer may be older than what is added meanwhile. So
 * until it comes, URLs beyond the window are remembered, too (`late`), the best of them at
 * least: the refill then covers no more than it and they account for.
 */
import { RANK_MAX, type Waiting } from '../record/index.ts';

/** URLs held in memory over all hosts, about. */
const URLS_IN_MEMORY = 500_000;
const KEEP_MIN = 4;
const KEEP_MAX = 512;

/** The share of one host of many. */
export function keepMaxOf(hosts: number): number {
  const share = Math.floor(URLS_IN_MEMORY / Math.max(1, hosts));
  return Math.min(KEEP_MAX, Math.max(KEEP_MIN, share));
}

type Place = Pick<Waiting, 'rank' | 'key'>;

export class Window {
  /** Best last, so that taking is a pop. */
  readonly #urls: Waiting[] = [];
  /** `nothing`: never looked; `all`: the store has no more than what is here. */
  #covered: Place | 'nothing' | 'all';
  /** Added beyond the window since a refill began; undefined when none is on its way. */
  #late: Waiting[] | undefined;
  /** They hold everything up to here; undefined when they hold everything. */
  #lateEnd: Place | undefined;

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
    if (this.#covers(url)) this.#keep(url, keepMax);
    else if (this.#late !== undefined) this.#remember(url, this.#late, keepMax);
  }

  beginRefill(): void {
    this.#late = this.hasMore ? [] : undefined;
    this.#lateEnd = undefined;
  }

  /** Takes in what the store had after `after`; fewer than asked for means that this is all. */
  refill(rows: readonly Waiting[], asked: number, isTaken: (url: Waiting) => boolean): void {
    const late = this.#late;
    this.#late = undefined;
    if (late === undefined) return;
    const last = rows.length < asked ? undefined : rows[rows.length - 1];
    const end = earlier(last, this.#lateEnd);
    for (const row of rows) if (!isBeyond(end, row) && !isTaken(row)) this.#insert(row);
    for (const url of late) if (!isBeyond(end, url)) this.#insert(url);
    this.#covered = end ?? 'all';
  }

  #covers(url: Waiting): boolean {
    if (typeof this.#covered === 'string') return this.#covered === 'all';
    return !isBefore(this.#covered, url);
  }

  #keep(url: Waiting, keepMax: number): void {
    this.#insert(url);
    if (this.#urls.length <= keepMax) return;
    this.#urls.splice(0, this.#urls.length - Math.ceil(keepMax / 2));
    this.#covered = this.#urls[0] as Waiting;
    // A refill on its way starts where the window ended before: its rows would leave a gap.
    this.#late = undefined;
  }

  #remember(url: Waiting, late: Waiting[], keepMax: number): void {
    if (isBeyond(this.#lateEnd, url)) return;
    late.push(url);
    if (late.length <= keepMax) return;
    late.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    late.length = Math.ceil(keepMax / 2);
    this.#lateEnd = late[late.length - 1];
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

/** The same row: a URL that waits again has the same key, and nearly always another rank. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.rank === b.rank && a.key.equals(b.key);
}

function earlier(a: Place | undefined, b: Place | undefined): Place | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isBefore(a, b) ? a : b;
}

function isBeyond(end: Place | undefined, url: Place): boolean {
  return end !== undefined && isBefore(end, url);
}

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
import {
  type HostKey,
  hostKeyAt,
  packedKey,
  packWaiting,
  placeInPacked,
  RANK_MAX,
  rankInPacked,
  unpackWaiting,
  type Waiting,
} from '../record/index.ts';

/** URLs held in memory over all hosts, about; packed, they take some 110 bytes each. */
const URLS_IN_MEMORY = 1_600_000;
const KEEP_MIN = 8;
const KEEP_MAX = 512;

/** Of that share, what the first refill of a host brings. */
const FIRST_REFILL = 0.75;
/** Of the first, what later ones bring: a refill of few rows costs as much as of some more. */
const LATER_REFILLS = 2;

/** The share of one host of many. */
export function keepMaxOf(hosts: number): number {
  const share = Math.floor(URLS_IN_MEMORY / Math.max(1, hosts));
  return Math.min(KEEP_MAX, Math.max(KEEP_MIN, share));
}

type Place = Pick<Waiting, 'rank' | 'key'>;

/** Where the hash starts and ends in a key, as far as it orders. */
const [ORDER_FROM, ORDER_TO] = [8, 16];

export class Window {
  readonly #host: string;
  /** The host's on the circle, from the first URL that comes; empty until then. */
  #place = '';
  /** Packed, so that they compare as they wait; best last, so that taking is a pop. */
  readonly #rows: string[] = [];
  /** `nothing`: never looked; `all`: the store has no more than what is here. */
  #covered: { readonly row: string } | 'nothing' | 'all';
  /** As many as the last refill brought may stay, though they be more than its share. */
  #brought = 0;
  /** Added beyond the window since a refill began; undefined when none is on its way. */
  #late: string[] | undefined;
  /** They hold everything up to here; undefined when they hold everything. */
  #lateEnd: string | undefined;

  constructor(host: string, covered: 'nothing' | 'all') {
    this.#host = host;
    this.#covered = covered;
  }

  /** The key of its host, as soon as a URL has brought it. */
  get hostKey(): HostKey | undefined {
    if (this.#place === '') return undefined;
    return hostKeyAt(Buffer.from(this.#place, 'latin1'), this.#host);
  }

  get size(): number {
    return this.#rows.length;
  }

  get hasMore(): boolean {
    return this.#covered !== 'all';
  }

  get bestRank(): number {
    const best = this.#rows[this.#rows.length - 1];
    return best === undefined ? RANK_MAX : rankInPacked(best);
  }

  /** How many URLs the next refill should bring: a host that comes again is busy. */
  refillSize(keepMax: number): number {
    const first = Math.ceil(keepMax * FIRST_REFILL);
    return typeof this.#covered === 'string' ? first : Math.min(KEEP_MAX, LATER_REFILLS * first);
  }

  /** Where the next refill starts. */
  get after(): Place | undefined {
    if (typeof this.#covered === 'string') return undefined;
    const { row } = this.#covered;
    return { rank: rankInPacked(row), key: packedKey(row, this.#place) };
  }

  peek(): Waiting | undefined {
    const row = this.#rows[this.#rows.length - 1];
    return row === undefined ? undefined : unpackWaiting(row, this.#host, this.#place);
  }

  take(): Waiting | undefined {
    const best = this.peek();
    this.drop();
    return best;
  }

  /** Takes the best out without looking at it. */
  drop(): void {
    this.#rows.pop();
  }

  /** Keeps up to `keepMax` URLs; past that, the worse half is let go. */
  add(url: Waiting, keepMax: number): void {
    const place = this.#pack(url);
    if (this.#covers(place)) this.#keep(place, keepMax);
    else if (this.#late !== undefined) this.#remember(place, this.#late, keepMax);
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
    const end = earlier(last && this.#pack(last), this.#lateEnd);
    for (const row of rows) {
      const place = this.#pack(row);
      if (!isBeyond(end, place) && !isTaken(row)) this.#insert(place);
    }
    for (const place of late) if (!isBeyond(end, place)) this.#insert(place, true);
    this.#covered = end === undefined ? 'all' : { row: end };
    this.#brought = rows.length;
  }

  #pack(url: Waiting): string {
    if (this.#place === '') this.#place = url.key.toString('latin1', 0, 8);
    return packWaiting(url, this.#host);
  }

  #covers(place: string): boolean {
    if (typeof this.#covered === 'string') return this.#covered === 'all';
    return !isBeyond(this.#covered.row, place);
  }

  #keep(place: string, keepMax: number): void {
    this.#insert(place, true);
    const most = Math.max(keepMax, this.#brought);
    if (this.#rows.length <= most) return;
    const gone = this.#rows.length - Math.ceil(most / 2);
    this.#rows.splice(0, gone);
    this.#covered = { row: this.#rows[0] as string };
    // A refill on its way starts where the window ended before: its rows would leave a gap.
    this.#late = undefined;
  }

  #remember(place: string, late: string[], keepMax: number): void {
    if (isBeyond(this.#lateEnd, place)) return;
    late.push(place);
    if (late.length <= keepMax) return;
    late.sort();
    late.length = Math.ceil(keepMax / 2);
    this.#lateEnd = late[late.length - 1];
  }

  /** One at the same place is kept, unless this is newer: then that one was forgotten meanwhile. */
  #insert(place: string, isNewer = false): void {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place < (this.#rows[middle] as string)) low = middle + 1;
      else high = middle;
    }
    const name = placeInPacked(place);
    const isBelow = this.#rows[low - 1]?.startsWith(name) === true;
    if (!isBelow && !this.#rows[low]?.startsWith(name)) this.#rows.splice(low, 0, place);
    else if (isNewer) this.#rows[isBelow ? low - 1 : low] = place;
  }
}

/** The order of a host's waiting URLs, as in the store: rank, then the first 8 bytes of the hash. */
export function waitsBefore(a: Place, b: Place): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.key.compare(b.key, ORDER_FROM, ORDER_TO, ORDER_FROM, ORDER_TO) < 0;
}

/** The same row: a URL that waits again has the same key, and nearly always another rank. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.rank === b.rank && a.key.equals(b.key);
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** After `end` in the order: rank and hash, the rest of the row doesn't count. */
function isBeyond(end: string | undefined, place: string): boolean {
  return end !== undefined && placeInPacked(place) > placeInPacked(end);
}

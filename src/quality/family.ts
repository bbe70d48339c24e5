/**
 * What is known of one family of a host's URLs (families.ts): how many were taken in and
 * fetched, who named them, whether its pages repeat one another, and where they lead.
 *
 *   admitted, outside       who feeds it: pages of its own, or others
 *   stretch, copies         of its last hundred pages, how many repeat one another
 *   watch                   where its pages lead: back, onwards, nowhere (made when it is large)
 *   counting                whether it counts: by which steps, and how far
 *   query                   how its parameters combine (made for paths with a query)
 */
import { Bits } from './bits.ts';
import type { Weighed } from './heavy.ts';
import { numbersIn, stepOf } from './steps.ts';

/** Pages after which its copies are counted, and of which a stretch consists. */
export const BODIES_FROM = 16;
export const STRETCH = 100;
const BODY_BITS = 4096;
/** Past this fill the memory of bodies errs too often and starts anew. */
const BODIES_FULL = 0.4;
const STEP_BITS = 512;
/** Looked at so many, and met so many different ones: no counter, and no need to look further. */
const STEPS_ENOUGH = 400;
const STEPS_MANY = 0.4;
/** Numbers of a URL that are followed, and records that are remembered. */
const MAXIMA = 4;
export const RECORDS = 5;
const SET_BITS = 128;
const PAIR_BITS = 1024;

/** Where the pages of a family lead, counted page by page from the moment it was watched. */
export interface Watch {
  pages: number;
  /** Links to its own family on them, menus and ways back left out. */
  mentions: number;
  /** Those of them that led to URLs known before. */
  repeats: number;
  /** Sum over these links of how many URLs of the family were known: chances to meet one. */
  chances: number;
  /** Pages that named no new URL of the family: it comes to an end there. */
  dead: number;
  /** Pages that named new URLs of other families: it is good for something. */
  leading: number;
  /** It looks vast: pages that were asked since then to find its last ones, and those found. */
  trial: number;
  trialDead: number;
  isOnTrial: boolean;
}

export interface QueryFacts {
  /** Different sets of names, and different name=value pairs. */
  readonly sets: Bits;
  readonly pairs: Bits;
  /** Pages fetched with two parameters or more. */
  deep: number;
}

/** How a family counts (steps.ts), over all the time that it was watched. */
export interface Counting {
  /** Different steps from a page to the next, and how many were taken. */
  readonly steps: Bits;
  taken: number;
  /** The largest numbers met, and after how many pages the last few were beaten. */
  maxima: number[];
  records: number[];
}

export class Family implements Weighed {
  readonly key: string;
  weight = 0;
  admitted = 0;
  /** Of those, first named by another family, another host, a sitemap or a person. */
  outside = 0;
  fetched = 0;
  /** Pages of the running stretch, and how many of them repeat an earlier page of the family. */
  stretch = 0;
  copies = 0;
  /** Pages about dates far ahead. */
  ahead = 0;
  depthMin = Number.MAX_SAFE_INTEGER;
  depthMax = 0;
  /** New URLs of the family on one page, at most. */
  outlinksMax = 0;
  /** Cleared of suspicion until this many pages are fetched. */
  clearUntil = 0;
  watch: Watch | undefined;
  counting: Counting | undefined;
  query: QueryFacts | undefined;
  bodies: Bits | undefined;

  constructor(key: string) {
    this.key = key;
  }

  /** How many links deep its pages have been followed one from another. */
  get chain(): number {
    return Math.max(0, this.depthMax - this.depthMin);
  }

  /** Mostly named by others: somebody outside wants it read. */
  get isWanted(): boolean {
    return this.outside * 5 >= this.admitted;
  }

  /** A page of it was fetched; `bodies` are the hashes of what it holds or repeats. */
  noteFetched(depth: number, bodies: readonly number[], isCopy: boolean): void {
    this.fetched++;
    this.depthMin = Math.min(this.depthMin, depth);
    this.depthMax = Math.max(this.depthMax, depth);
    if (this.fetched < BODIES_FROM) return;
    if (this.stretch >= STRETCH) this.stretch = this.copies = 0;
    this.stretch++;
    if (this.#repeatsItself(bodies) && isCopy) this.copies++;
  }

  /** A link to another page of the family, from a page with these numbers. */
  noteStep(from: readonly number[], to: string): void {
    this.counting ??= newCounting();
    const { steps, taken, maxima, records } = this.counting;
    if (taken > STEPS_ENOUGH && steps.fill > STEPS_MANY) return;
    const numbers = numbersIn(to);
    this.counting.taken++;
    steps.add(stepOf(from, numbers, to));
    numbers.forEach((number, i) => {
      if (i >= MAXIMA || number <= (maxima[i] ?? -1)) return;
      maxima[i] = number;
      records.push(this.fetched);
      if (records.length > RECORDS) records.shift();
    });
  }

  #repeatsItself(bodies: readonly number[]): boolean {
    this.bodies ??= new Bits(BODY_BITS);
    const known = bodies.some((hash) => this.bodies?.has(hash));
    if (this.bodies.fill > BODIES_FULL) this.bodies.clear();
    for (const hash of bodies) this.bodies.add(hash);
    return known;
  }
}

export function newWatch(): Watch {
  const counts = { pages: 0, mentions: 0, repeats: 0, chances: 0, dead: 0, leading: 0 };
  const trial = { isOnTrial: false, trial: 0, trialDead: 0 };
  return { ...counts, ...trial };
}

export function newCounting(steps?: Uint8Array): Counting {
  return { steps: new Bits(STEP_BITS, steps), taken: 0, maxima: [], records: [] };
}

export function newQueryFacts(sets?: Uint8Array, pairs?: Uint8Array): QueryFacts {
  return { sets: new Bits(SET_BITS, sets), pairs: new Bits(PAIR_BITS, pairs), deep: 0 };
}

export function bodiesFrom(bytes: Uint8Array): Bits {
  return new Bits(BODY_BITS, bytes);
}

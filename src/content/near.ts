/**
 * Finding fingerprints that differ in at most three of 64 bits, without looking at all of them.
 *
 * Cut both in two halves of 32 bits: three differences cannot put two in each half, so one half
 * differs in one bit at most. Kept under each of its halves, an original is met by asking for
 * the 33 values that are one bit or none away from each half of the page's own: 66 questions,
 * nearly all of which a small filter answers with no, and 32 bits are so many that a yes leads
 * to one or two originals, not to hundreds as 16 bits would among ten millions.
 *
 * Here is what engines share: halves, the values to ask for, the exact check, and the choice.
 */
import type { UrlKey } from '../record/index.ts';

/** Differing bits up to which two texts are called nearly the same (C2). */
export const NEAR_BITS_MAX = 3;
/** Differing bits of their pairs of words up to which what was found is believed. */
export const PAIR_BITS_MAX = 8;
/** The value itself and its neighbours at one bit. */
export const PROBES = 33;

export interface Halves {
  readonly high: number;
  readonly low: number;
}

export interface Original {
  readonly key: UrlKey;
  readonly simhash: bigint;
  /** The pairs of its words (../../kernel/pairs.ts). */
  readonly pairs: bigint;
}

/** Through memory: arithmetic with bigints makes one for every step. */
const scratch = new DataView(new ArrayBuffer(8));

export function halvesOf(simhash: bigint): Halves {
  scratch.setBigUint64(0, simhash);
  return { high: scratch.getUint32(0), low: scratch.getUint32(4) };
}

export function simhashFrom(high: number, low: number): bigint {
  scratch.setUint32(0, high);
  scratch.setUint32(4, low);
  return scratch.getBigUint64(0);
}

/** The nth value to ask for: the half itself, then with each of its bits the other way. */
export function probe(half: number, nth: number): number {
  return nth === 0 ? half >>> 0 : (half ^ (1 << (nth - 1))) >>> 0;
}

export function bitsApart(a: Halves, b: Halves): number {
  return bitsIn(a.high ^ b.high) + bitsIn(a.low ^ b.low);
}

export function isNear(a: Halves, b: Halves): boolean {
  return bitsApart(a, b) <= NEAR_BITS_MAX;
}

/** Does a page that is near say the same, too? */
export function isConfirmed(a: Original, b: Original): boolean {
  return bitsApart(halvesOf(a.pairs), halvesOf(b.pairs)) <= PAIR_BITS_MAX;
}

/** Bits of a number of 32 that are set. */
export function bitsIn(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Which of its candidates is each page's original?
 *
 * The nearest; of two as near, the one with the smaller key, so that no order of tables or rows
 * shows. What a page of this ask was before does not count if it is something else now.
 */
export function chooseOriginals(
  pages: readonly Original[],
  candidatesOf: (page: number) => readonly Original[],
): (Original | undefined)[] {
  let simhashes: ReadonlyMap<string, bigint> | undefined;
  const isOutdated = ({ key, simhash }: Original) => {
    simhashes ??= new Map(pages.map((page) => [nameOf(page.key), page.simhash]));
    return (simhashes.get(nameOf(key)) ?? simhash) !== simhash;
  };
  const halves = pages.map(({ simhash }) => halvesOf(simhash));
  const earlier: number[] = [];
  return pages.map((page, nth) => {
    let stored = candidatesOf(nth);
    if (stored.length > 0) stored = stored.filter((candidate) => !isOutdated(candidate));
    if (stored.some((candidate) => candidate.key.equals(page.key))) return undefined;
    const mine = halves[nth] as Halves;
    const found = nearest(page, stored) ?? nearest(page, nearOf(mine, earlier, halves, pages));
    if (found === undefined) earlier.push(nth);
    return found;
  });
}

const NONE: readonly Original[] = [];

/** Those of the earlier pages that are near: of a whole batch, nearly always none. */
function nearOf(
  mine: Halves,
  earlier: readonly number[],
  halves: readonly Halves[],
  pages: readonly Original[],
): readonly Original[] {
  let near: Original[] | undefined;
  for (let i = 0; i < earlier.length; i++) {
    const nth = earlier[i] as number;
    if (!isNear(mine, halves[nth] as Halves)) continue;
    near ??= [];
    near.push(pages[nth] as Original);
  }
  return near ?? NONE;
}

/** A page met twice in one ask is not its own original either. */
function nearest(page: Original, candidates: readonly Original[]): Original | undefined {
  if (candidates.length === 0) return undefined;
  const halves = halvesOf(page.simhash);
  let best: Original | undefined;
  let bestBits = NEAR_BITS_MAX + 1;
  for (const candidate of candidates) {
    const bits = bitsApart(halves, halvesOf(candidate.simhash));
    const isBetter =
      bits < bestBits ||
      (bits === bestBits && best !== undefined && candidate.key.compare(best.key) < 0);
    if (!isBetter || candidate.key.equals(page.key) || !isConfirmed(page, candidate)) continue;
    best = candidate;
    bestBits = bits;
  }
  return best;
}

function nameOf(key: UrlKey): string {
  return key.toString('latin1');
}

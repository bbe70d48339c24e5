/**
 * Which halves of fingerprints are kept at all: 66 are asked for each page, and next to none of
 * them is there (near.ts). Bloom filters, each for eight times as many as the one before, so
 * that a small crawl pays for a small one.
 *
 * Says 'perhaps' wrongly once or twice in a thousand, 'no' never wrongly about what was added.
 * Nothing is taken out: an original that has gone costs a read in vain.
 *
 * What it costs is waiting for memory, so neighbours lie together: the upper 17 bits of a half
 * choose a page of memory, the upper 23 a cache line of it, and the values that are one bit away
 * are a few lines, not 33. In its line a half has eight bits, two in each quarter. The first two
 * rule out nearly all: the next half is looked at meanwhile, as nobody waits for what is foreseen.
 */

/** Halves that the first filter is made for: 8 MB. */
const FIRST_HALVES = 1 << 22;
const GROWTH = 8;
const BITS_PER_HALF = 16;
const LINE_WORDS = 16;
const LINE_BITS = 32 * LINE_WORDS;
const PAGE_LINES = 64;
const PAGE_SHIFT = 15;
const LINE_SHIFT = 9;
const QUARTER_WORDS = LINE_WORDS / 4;
const SALTS = [0x2545f491, 0x6c078965] as const;

/** The upper half of a fingerprint, or the lower. */
export type Side = 0 | 1;

interface Generation {
  readonly words: Int32Array;
  readonly pages: number;
  readonly capacity: number;
  added: number;
}

export class NearFilter {
  readonly #generations: Generation[] = [];
  readonly #firstHalves: number;

  constructor(firstHalves = FIRST_HALVES) {
    this.#firstHalves = firstHalves;
  }

  get bytes(): number {
    return this.#generations.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  add(side: Side, half: number): void {
    const newest = this.#generations.at(-1);
    const isFull = newest === undefined || newest.added >= newest.capacity;
    const generation = isFull ? this.#open(newest) : newest;
    const { words } = generation;
    const line = lineOf(side, half, generation.pages);
    const spread = spreadOf(half);
    for (let quarter = 0; quarter < 4; quarter++) {
      const at = line + placeOf(spread, quarter);
      words[at] = (words[at] as number) | maskOf(spread, quarter);
    }
    generation.added++;
  }

  has(side: Side, half: number): boolean {
    const generations = this.#generations;
    for (let nth = 0; nth < generations.length; nth++) {
      const { words, pages } = generations[nth] as Generation;
      if (isIn(words, lineOf(side, half, pages), half)) return true;
    }
    return false;
  }

  /** Those of a half and its neighbours at one bit that may be there, as numbers with a sign. */
  near(side: Side, half: number): number[] {
    const found: number[] = [];
    const generations = this.#generations;
    for (let nth = 0; nth < generations.length; nth++) {
      const { words, pages } = generations[nth] as Generation;
      const line = lineOf(side, half, pages);
      if (isIn(words, line, half)) note(half | 0, found);
      for (let bit = 0; bit < 32; bit++) {
        const value = half ^ (1 << bit);
        const at = bit < LINE_SHIFT ? line : lineOf(side, value, pages);
        if (isIn(words, at, value)) note(value, found);
      }
    }
    return found;
  }

  #open(full: Generation | undefined): Generation {
    const capacity = full === undefined ? this.#firstHalves : full.capacity * GROWTH;
    const pages = Math.ceil((capacity * BITS_PER_HALF) / (LINE_BITS * PAGE_LINES));
    const words = new Int32Array(pages * PAGE_LINES * LINE_WORDS);
    const generation = { words, pages, capacity, added: 0 };
    this.#generations.push(generation);
    return generation;
  }
}

function note(value: number, found: number[]): void {
  if (!found.includes(value)) found.push(value);
}

function isIn(words: Int32Array, line: number, half: number): boolean {
  const spread = spreadOf(half);
  if ((~(words[line + placeOf(spread, 0)] as number) & maskOf(spread, 0)) !== 0) return false;
  const missing =
    (~(words[line + placeOf(spread, 1)] as number) & maskOf(spread, 1)) |
    (~(words[line + placeOf(spread, 2)] as number) & maskOf(spread, 2)) |
    (~(words[line + placeOf(spread, 3)] as number) & maskOf(spread, 3));
  return missing === 0;
}

/** The first word of the line that a half is in; the lower bits of the half do not matter. */
function lineOf(side: Side, half: number, pages: number): number {
  const page = Math.floor((mix((half >>> PAGE_SHIFT) ^ SALTS[side]) >>> 0) * (pages / 2 ** 32));
  const line = mix((half >>> LINE_SHIFT) ^ SALTS[side]) >>> 26;
  return (page * PAGE_LINES + line) * LINE_WORDS;
}

function spreadOf(half: number): number {
  return mix(half);
}

/** Two bits of the spread name the word in a quarter of the line. */
function placeOf(spread: number, quarter: number): number {
  return quarter * QUARTER_WORDS + ((spread >>> (2 * quarter)) & 3);
}

function maskOf(spread: number, quarter: number): number {
  const bits = Math.imul(spread, 0x9e3779b1 + 2 * quarter);
  return (1 << (bits >>> 27)) | (1 << ((bits >>> 22) & 31));
}

function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * SimHash (C2): 64 bits that change little when a text changes little.
 *
 * Features are the pieces of words (`^wo ord ds$`, word-pieces.ts), each hashed to 64 bits and
 * counted as often as it is there, within a limit; a bit of the fingerprint is set when more
 * than half of the pieces have it. Two texts are near-duplicates when their fingerprints differ
 * in at most three bits. Pieces and not runs of words: an edit of a fiftieth of the words turns
 * six of 64 bits where features are rare, and one where they are common.
 * docs/near-duplicates.md has what was tried, and the figures.
 *
 * What common features cannot tell is whether two texts say the same or only speak alike. So a
 * second fingerprint, of pairs of words, is kept beside the first (pairs.ts).
 *
 * Only the page's own words count: not those of navigation, header, footer and sidebar, nor the
 * labels of links; where the page says what its text is (`main`, `article`), only those.
 */
import { markAt, VOICE, voiceOf, type Words } from '../page/index.ts';
import { BitSums } from './bit-sums.ts';
import { PairSketch } from './pairs.ts';
import { WordPieces } from './word-pieces.ts';

/** Texts of fewer words are not called near-duplicates: too little is left when a word changes. */
export const WORDS_MIN = 64;
/** A marked text of fewer bytes is not what the page is about. */
const MARKED_BYTES_MIN = 400;
/** Links of fewer words are labels that say where one can go; longer ones are titles. */
const TITLE_WORDS_MIN = 4;
/** And this many bytes of a script whose words are not apart. */
const TITLE_BYTES_MIN = 24;
/** A piece counts once for so many bytes of text at most … */
const BYTES_PER_REPEAT = 64;
/** … and so often in any. */
const REPEATS_MIN = 8;
/**
 * Of longer texts a part of the vocabulary is read, halved until it is about as much as this.
 * Steps, not a share that slides: two texts of nearly one length must take the same words.
 */
const WHOLE_BYTES = 24_000;
const HALVINGS_MAX = 8;
/** In longer texts whole words are common enough. */
const PIECES_BYTES_MAX = 6_000;
const SPACE = 0x20;

export interface TextPrint {
  /** 0 when there are no words. */
  readonly simhash: bigint;
  readonly words: number;
  readonly pairs: bigint;
}

export const NO_PRINT: TextPrint = { simhash: 0n, words: 0, pairs: 0n };

/** The fingerprint of a text, all of whose words are its own. */
export function simhash(text: string): bigint {
  return printOf({ bytes: Buffer.from(text), marks: [] }).simhash;
}

/** How many bits differ. */
export function hamming(a: bigint, b: bigint): number {
  let rest = BigInt.asUintN(64, a ^ b);
  let bits = 0;
  for (; rest !== 0n; rest &= rest - 1n) bits++;
  return bits;
}

export function printOf(words: Words): TextPrint {
  return reader.read(words);
}

/** Reads the words of one page at a time: nothing here waits. */
class TextReader {
  readonly #sums = new BitSums();
  readonly #pairs = new PairSketch();
  readonly #gathered = new WordPieces(() => this.#count());
  #words = 0;

  read({ bytes, marks }: Words): TextPrint {
    this.#pairs.clear();
    this.#words = 0;
    const { own, marked } = measured(bytes.length, marks);
    const isMarked = marked >= MARKED_BYTES_MIN;
    const counted = isMarked ? marked : own + marked;
    const halvings = Math.max(0, Math.ceil(Math.log2(counted / WHOLE_BYTES)));
    this.#gathered.begin(bytes, counted > PIECES_BYTES_MAX, Math.min(HALVINGS_MAX, halvings));
    this.#sums.clear(Math.max(REPEATS_MIN, Math.floor(counted / BYTES_PER_REPEAT)));
    let from = 0;
    let voice: number = VOICE.own;
    for (let i = 0; i <= marks.length; i++) {
      const mark = marks[i];
      const to = mark === undefined ? bytes.length : Math.min(markAt(mark), bytes.length);
      if (counts(bytes, from, to, voice, isMarked)) this.#gathered.add(from, to);
      from = to;
      if (mark !== undefined) voice = voiceOf(mark);
    }
    this.#gathered.end();
    this.#count();
    this.#words += this.#gathered.skipped;
    return this.#print();
  }

  #count(): void {
    const gathered = this.#gathered;
    this.#sums.addHashed(gathered.pieces, gathered.pieceCount);
    this.#pairs.addWords(gathered.words, gathered.wordCount);
    this.#words += gathered.wordCount;
    gathered.pieceCount = 0;
    gathered.wordCount = 0;
  }

  #print(): TextPrint {
    if (this.#words === 0) return NO_PRINT;
    const [low, high] = this.#sums.majority();
    const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    return { simhash: bits || 1n, words: this.#words, pairs: this.#pairs.bits() };
  }
}

const reader = new TextReader();

/** The bytes of what the page marks as its text, and of what else is not a link and its own. */
function measured(end: number, marks: readonly number[]): { own: number; marked: number } {
  const bytes = { own: 0, marked: 0 };
  let from = 0;
  let voice: number = VOICE.own;
  for (let i = 0; i <= marks.length; i++) {
    const mark = marks[i];
    const to = mark === undefined ? end : Math.min(markAt(mark), end);
    if (voice === VOICE.own) bytes.own += to - from;
    else if (voice === VOICE.text) bytes.marked += to - from;
    from = to;
    if (mark !== undefined) voice = voiceOf(mark);
  }
  return bytes;
}

function counts(
  bytes: Uint8Array,
  from: number,
  to: number,
  voice: number,
  isMarked: boolean,
): boolean {
  if (from >= to || (voice & VOICE.shared) !== 0) return false;
  if (isMarked && (voice & VOICE.text) === 0) return false;
  return (voice & VOICE.link) === 0 || isTitle(bytes, from, to);
}

function isTitle(bytes: Uint8Array, from: number, to: number): boolean {
  let spaces = 0;
  for (let at = from + 1; at < to - 1; at++) if (bytes[at] === SPACE) spaces++;
  if (spaces >= TITLE_WORDS_MIN - 1) return true;
  return to - from >= TITLE_BYTES_MIN && (bytes[to - 1] as number) >= 0xe0;
}

/**
 * SimHash (C2): 64 bits that change little when a text changes little.
 *
 * Features are the pieces of words (`^wo ord ds$`, ../../kernel/pieces.ts), each hashed to 64 bits and
 * counted as often as it is there, within a limit; a bit of the fingerprint is set when more
 * than half of the pieces have it. Two texts are near-duplicates when their fingerprints differ
 * in at most three bits. Pieces and not runs of words: an edit of a fiftieth of the words turns
 * six of 64 bits where features are rare, and one where they are common.
 * docs/near-duplicates.md has what was tried, and the figures.
 *
 * What common features cannot tell is whether two texts say the same or only speak alike. So a
 * second fingerprint, of pairs of words, is kept beside the first (../../kernel/pairs.ts).
 *
 * Only the page's own words count: not those of navigation, header, footer and sidebar, nor the
 * labels of links; where the page says what its text is (`main`, `article`), only those.
 */
import { theKernel, type Words } from '../page/index.ts';

/** Texts of fewer words are not called near-duplicates: too little is left when a word changes. */
export const WORDS_MIN = 64;
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

/** The numbers are made where all bytes are read (../../kernel/print.ts). */
export function printOf({ bytes, marks }: Words): TextPrint {
  const kernel = theKernel();
  kernel.placeMarks(marks);
  const words = kernel.exports.print(kernel.place(bytes), bytes.length, marks.length);
  if (words === 0) return NO_PRINT;
  return { simhash: kernel.result(0) || 1n, words, pairs: kernel.result(1) };
}

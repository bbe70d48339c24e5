/**
 * What a character is to a fingerprint: part of a word, a word of its own, or between words.
 *
 * Letters, digits and marks of any script make words, in lower case. Scripts that put no space
 * between words (Chinese, Japanese, Thai …) have no words that could be cut without a
 * dictionary: there each character is one, and neighbours are looked at together.
 *
 * Asked of the engine's own Unicode tables once a character, 256 neighbours at a time.
 */
const IS_WORD = /[\p{L}\p{N}\p{M}]/u;
const IS_ALONE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Set for a character that is a word of its own (../../kernel/letters.ts knows it too). */
const ALONE = 1 << 24;

const BLOCK_BITS = 8;
const CODES = 0x110000;
const blocks: (Int32Array | undefined)[] = new Array(CODES >> BLOCK_BITS).fill(undefined);

/**
 * For each of the 256 characters of a block: 0 between words, else the code point in lower case,
 * with `ALONE` where it is a whole word.
 */
export function letterBlock(nth: number): Int32Array {
  return blocks[nth] ?? makeBlock(nth);
}

function makeBlock(nth: number): Int32Array {
  const block = Int32Array.from({ length: 1 << BLOCK_BITS }, (_, i) =>
    look((nth << BLOCK_BITS) + i),
  );
  if (nth < blocks.length) blocks[nth] = block;
  return block;
}

function look(code: number): number {
  if (code >= CODES) return 0;
  const character = String.fromCodePoint(code);
  if (!IS_WORD.test(character)) return 0;
  const lower = character.toLowerCase().codePointAt(0) ?? code;
  return IS_ALONE.test(character) ? lower | ALONE : lower;
}

/**
 * The kernel takes words and their pieces four and thirty-two at a time. Here they are taken one
 * after another, as slowly as can be, and both must say the same: whichever lane a word falls in,
 * whatever its neighbours are, and in a last group that is not full.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../base/random.ts';
import { NO_PRINT, printOf, type TextPrint } from './simhash.ts';

/** Texts as long as those that are read in pieces, as words, as half and a quarter of the words. */
const SIZES = [0, 6_001, 24_001, 48_001] as const;
const TALLY_BITS = 11;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCXYZ0189';

const textOf = (words: readonly string[], size: number) =>
  Buffer.from(words.join(' ').padEnd(size, ' '));

/** Words with single spaces between them. */
function slowly(words: readonly string[], bytes: number): TextPrint {
  if (words.length === 0) return NO_PRINT;
  let halvings = 0;
  while (halvings < 8 && bytes > 24_000 << halvings) halvings++;
  const features: number[] = [];
  const hashes: number[] = [];
  for (const word of words) {
    if (sampleHash(Buffer.from(word)) <= 0xffffffff >>> halvings) {
      take(word, bytes > 6_000, features, hashes);
    }
  }
  const simhash = majority(features, Math.max(8, Math.floor(bytes / 64))) || 1n;
  return { simhash, words: words.length, pairs: pairsOf(hashes) };
}

function take(word: string, isWhole: boolean, features: number[], hashes: number[]): void {
  const codes = Array.from(word, (letter) => letter.toLowerCase().codePointAt(0) as number);
  const [code = 0] = codes;
  if (code >= 0x4e00) {
    features.push((code << 8) | 2, (code << 8) | 2, code);
    hashes.push(Math.imul(code, 0x01000193));
    return;
  }
  const pieces = piecesOf(codes.map((c) => (c < 0x80 ? c : 0x80 | ((c ^ (c >> 7)) & 0x7f))));
  const isAscii = codes.every((c) => c < 0x80);
  const full = [...pieces, ...[0, 0, 0, 0].slice(pieces.length)];
  const chained = full.reduce((hash, piece) => Math.imul(hash, 31) ^ piece, 0);
  const hash = isWhole && isAscii && word.length <= 12 ? threeNumbers(word) : chained;
  const initials = word.length % 2 === 0 ? [((pieces[0] as number) & 0xff00) | 1] : [];
  const isRead = isAscii && word.length <= 13;
  features.push(
    ...(isWhole ? [hash] : isRead ? [...initials, ...pieces] : [...pieces, ...initials]),
  );
  hashes.push(hash);
}

function piecesOf(bytes: readonly number[]): number[] {
  const at = (nth: number) => (nth < 0 ? 0 : (bytes[nth] ?? 0));
  const count = (bytes.length + 1) >> 1;
  return Array.from({ length: count }, (_, i) => {
    return at(2 * i - 1) | (at(2 * i) << 8) | (at(2 * i + 1) << 16);
  });
}

function threeNumbers(word: string): number {
  const bytes = Buffer.alloc(12);
  bytes.write(word.toLowerCase());
  const [a, b, c] = [0, 4, 8].map((at) => bytes.readInt32LE(at)) as [number, number, number];
  return Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
}

function sampleHash(word: Buffer): number {
  const first = Buffer.alloc(4);
  for (let i = 0; i < Math.min(4, word.length); i++) first[i] = (word[i] as number) | 0x20;
  const letters = first.readInt32LE() ^ (word.length < 4 ? 0 : word.length);
  return Math.imul(spread(spread(letters, 15, 0x2c1b3c6d), 13, 1), 0x85ebca6b) >>> 0;
}

function spread(value: number, shift: number, by: number): number {
  return Math.imul(value ^ (value >>> shift), by);
}

function majority(features: readonly number[], repeatsMax: number): bigint {
  const tally = new Uint32Array(1 << TALLY_BITS);
  const counts = new Uint32Array(64);
  let counted = 0;
  for (const feature of features) {
    const low = spread(spread(spread(feature, 15, 0x85ebca6b), 13, 0xc2b2ae35), 16, 1);
    const first = Math.imul(low ^ 0x27d4eb2f, 0x9e3779b1);
    const place = first >>> (32 - TALLY_BITS);
    tally[place] = (tally[place] as number) + 1;
    if ((tally[place] as number) > repeatsMax) continue;
    counted++;
    const high = spread(first, 15, 0x85ebca6b);
    for (let bit = 0; bit < 64; bit++) {
      counts[bit] = (counts[bit] as number) + (((bit < 32 ? low : high) >>> (bit & 31)) & 1);
    }
  }
  return bitsOf(Array.from(counts, (count) => count > counted >> 1));
}

function pairsOf(hashes: readonly number[]): bigint {
  const bins = new Array<number | undefined>(64).fill(undefined);
  for (const [i, word] of hashes.entries()) {
    const pair = spread(hashes[i - 1] ?? 0, 15, 0x2c1b3c6d) ^ word;
    const mixed = spread(spread(spread(pair, 16, 0x85ebca6b), 13, 0xc2b2ae35), 16, 1) >>> 0;
    bins[mixed >>> 26] = Math.min(bins[mixed >>> 26] ?? Number.POSITIVE_INFINITY, mixed);
  }
  return bitsOf(bins.map((smallest) => smallest !== undefined && (smallest & 1) === 1));
}

function bitsOf(bits: readonly boolean[]): bigint {
  return bits.reduce((sum, isSet, bit) => (isSet ? sum | (1n << BigInt(bit)) : sum), 0n);
}

function assertSame(words: readonly string[], size: number): void {
  const bytes = textOf(words, size);
  assert.deepEqual(printOf({ bytes, marks: [] }), slowly(words, bytes.length));
}

function wordOf(length: number, nth: number): string {
  const random = seededRandom(`${nth}`);
  const letter = () => LETTERS[Math.floor(random.next() * LETTERS.length)];
  return Array.from({ length }, letter).join('');
}

const lengths = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 127, 128, 300);
const plain = fc.tuple(lengths, fc.nat()).map(([length, nth]) => wordOf(length, nth));
const odd = fc.constantFrom('é', 'né', 'Übermut', 'город', '字', 'abcdefghijklé', 'ñandúes');
const size = fc.constantFrom(...SIZES);

test('print: words of any length, one by one or four at a time: the same', () => {
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 140 }), size, (words, bytes) => {
      assertSame(words, bytes);
    }),
    { numRuns: 300 },
  );
});

test('print: among four words one or more with letters beyond ASCII: the same, in order', () => {
  const word = fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: odd });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 140 }), size, (words, bytes) => {
      assertSame(words, bytes);
    }),
    { numRuns: 300 },
  );
});

test('print: every count of words up to three lists full: the last ones count, none twice', () => {
  for (const bytes of SIZES) {
    for (let count = 0; count <= 100; count++) {
      assertSame(
        Array.from({ length: count }, (_, i) =>
          `w${(i * 7919) % 1009}`.padEnd((i % 13) + 1, 'xyz'),
        ),
        bytes,
      );
    }
  }
});

test('print: a few words again and again, beyond their limit: those too many do not count', () => {
  const word = fc.oneof(plain, odd);
  fc.assert(
    fc.property(
      ...[
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 20, max: 1_000 }),
        size,
      ],
      (few, count, bytes) => {
        assertSame(
          Array.from({ length: count }, (_, i) => few[(i * i) % few.length] as string),
          bytes,
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('print: more words than edges are noted at once: none is lost between', () => {
  for (const count of [2_047, 2_048, 2_049, 4_100, 9_001]) {
    assertSame(
      Array.from({ length: count }, (_, i) =>
        (Math.imul(i + 1, 0x9e3779b1) >>> (i % 20)).toString(36),
      ),
      0,
    );
  }
});

/**
 * The words of a run of text, as numbers: the pieces that each is made of, and a hash of it.
 *
 *   ^word$    →   ^w  ^wo  ord      three letters a piece, the last of them the first of the next,
 *   ^words$   →   ^wo  ord  ds$     and of every word of an even length its first letter alone
 *
 * In long texts a word is one piece, the whole of it, and only a part of the vocabulary is
 * taken: the same words wherever they stand. It says as much, and costs less.
 *
 * Edges between words are found sixteen bytes at a time; then each word is read as whole
 * numbers, and what lies behind its end is masked away. Words with letters beyond ASCII take
 * the long way, to the same numbers.
 */
import { EDGES_AT, EDGES_MAX } from '../src/page/kernel-layout';
import { LOWER_CASE, lettersMask } from './bytes';
import { ALONE, letterOf } from './letters';
import { addToPairs } from './pairs';
import { addHashed } from './sums';

const BEYOND_ASCII: u64 = 0x80808080 * ((1 as u64) << 32) + 0x80808080;
/** The longest word that is read by numbers. */
const READ_LENGTH_MAX: i32 = 13;
/** Pieces of a word that are made without asking how long it is. */
const PIECES_MIN: i32 = 4;
/** The longest word that is three numbers. */
const WHOLE_LENGTH_MAX: i32 = 12;

let asWords: bool = false;
let hashMax: u32 = 0xffffffff;
let end: i32 = 0;
let edgesEnd: i32 = EDGES_AT;
export let wordCount: i32 = 0;

/** The text up to `textEnd`, whose parts are added next, and how much of its vocabulary. */
export function beginWords(textEnd: i32, whole: bool, halvings: i32): void {
  end = textEnd;
  asWords = whole;
  hashMax = (0xffffffff as u32) >>> halvings;
  wordCount = 0;
  edgesEnd = EDGES_AT;
}

/** Takes the words of a part of the text; no word goes on beyond it. */
export function addWords(from: i32, to: i32): void {
  let edges = edgesEnd;
  let inWord: u64 = 0;
  for (let at = from; at < to; at += 64) {
    const left = to - at;
    const here: u64 = left < 64 ? ((1 as u64) << left) - 1 : ~(0 as u64);
    const word = (halfMask(at) | (halfMask(at + 32) << 32)) & here;
    let turns = (word ^ ((word << 1) | inWord)) & here;
    inWord = (word >>> (min(left, 64) - 1)) & 1;
    for (; turns !== 0; turns &= turns - 1, edges += 4) store<i32>(edges, at + (ctz(turns) as i32));
    if (edges > EDGES_AT + EDGES_MAX * 4 - 512) edges = takeWords(edges);
  }
  if (inWord !== 0) {
    store<i32>(edges, to);
    edges += 4;
  }
  edgesEnd = edges;
}

function halfMask(at: i32): u64 {
  return (wordMask(at) | (wordMask(at + 16) << 16)) as u64;
}

/** When all parts have been added. */
export function endWords(): void {
  takeWords(edgesEnd);
}

/** A bit for each of sixteen bytes: letters, digits, and whatever is not ASCII. */
function wordMask(at: i32): u32 {
  const bytes = v128.load(at);
  const letters = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
  const digits = i8x16.sub(bytes, i8x16.splat(0x30));
  const isLetter = i8x16.lt_u(letters, i8x16.splat(26));
  const isDigit = i8x16.lt_u(digits, i8x16.splat(10));
  return i8x16.bitmask(v128.or(v128.or(isLetter, isDigit), bytes));
}

/** A word that has not ended yet is left, as the first edge; answers where the next one goes. */
function takeWords(edges: i32): i32 {
  const open = (edges - EDGES_AT) & 4;
  const whole = edges - open;
  const next = load<i32>(whole);
  if (asWords) takeWhole(hashMax < 0xffffffff ? sampled(whole) : whole);
  else takePieces(whole);
  store<i32>(EDGES_AT, next);
  return EDGES_AT + open;
}

/** Leaves the edges of words that are taken; where those end. Half of them: no branch for that. */
function sampled(stop: i32): i32 {
  let kept = EDGES_AT;
  for (let edge = EDGES_AT; edge < stop; edge += 8) {
    const start = load<i32>(edge);
    const past = load<i32>(edge, 4);
    store<i32>(kept, start);
    store<i32>(kept, past, 4);
    kept += (sampleHash(load<u32>(start) | 0x20202020, past - start) <= hashMax ? 1 : 0) << 3;
  }
  wordCount += (stop - kept) >> 3;
  return kept;
}

/** Words that are one piece each; up to twelve letters three numbers are all of them. */
function takeWhole(stop: i32): void {
  for (let edge = EDGES_AT; edge < stop; edge += 8) {
    const start = load<i32>(edge);
    const length = load<i32>(edge, 4) - start;
    const first = load<u64>(start) | LOWER_CASE;
    const ab = first & lettersMask(length);
    const c = (load<u32>(start, 8) | 0x20202020) & (lettersMask(length - 8) as u32);
    if (length > WHOLE_LENGTH_MAX || ((ab | c) & BEYOND_ASCII) !== 0) {
      takeOdd(start, start + length);
      continue;
    }
    const hash =
      ((ab as u32) * 0x9e3779b1) ^ (((ab >>> 32) as u32) * 0x85ebca6b) ^ (c * 0xc2b2ae35);
    addHashed(hash);
    addWord(hash);
  }
}

function takePieces(stop: i32): void {
  for (let edge = EDGES_AT; edge < stop; edge += 8) {
    const start = load<i32>(edge);
    const length = load<i32>(edge, 4) - start;
    const low = load<u64>(start) | LOWER_CASE;
    const high = load<u64>(start, 8);
    const isPlain = ((low & lettersMask(length)) | (high & lettersMask(length - 8))) & BEYOND_ASCII;
    if (length > READ_LENGTH_MAX || isPlain !== 0) {
      takeOdd(start, start + length);
      continue;
    }
    const first = ((low as u32) << 8) & (length < 2 ? 0x0000ff00 : 0x00ffff00);
    if ((length & 1) === 0) addHashed(initialOf(first));
    addHashed(first);
    let hash: u32 = first;
    for (let letter = 3; letter < 9; letter += 2) {
      const next =
        letter <= length ? piece(load<u32>(start + letter - 2) | 0x20202020, length, letter) : 0;
      if (letter <= length) addHashed(next);
      hash = chain(hash, next);
    }
    for (let letter = 9; letter <= length; letter += 2) {
      const next = piece(load<u32>(start + letter - 2) | 0x20202020, length, letter);
      addHashed(next);
      hash = chain(hash, next);
    }
    addWord(hash);
  }
}

/** The same for words of any letters and any length, and whatever else is between edges. */
function takeOdd(start: i32, stop: i32): void {
  let window: i32 = 0;
  let initial: i32 = 0;
  let length: i32 = 0;
  let hash: i32 = 0;
  let neighbour: i32 = 0;
  for (let at = start; at < stop; at++) {
    let letter: i32 = (load<u8>(at) as i32) | 0x20;
    if (letter >= 0x80) {
      const code = codeAt(at);
      at += code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      letter = letterOf(code);
    }
    if (letter !== 0 && letter < ALONE) {
      window = (window >>> 8) | (byteOf(letter) << 16);
      length++;
      if (length === 1) initial = window >>> 8;
      if ((length & 1) === 0) hash = addPiece(window, hash);
      continue;
    }
    if (length > 0) endOdd(window, initial, length, hash);
    window = length = hash = 0;
    neighbour = letter === 0 ? 0 : addAlone(letter & (ALONE - 1), neighbour);
  }
  if (length > 0) endOdd(window, initial, length, hash);
}

function addPiece(letters: i32, hash: i32): i32 {
  if (!asWords) addHashed(letters);
  return chain(hash, letters);
}

function endOdd(window: i32, initial: i32, length: i32, hash: i32): void {
  let whole = hash;
  if ((length & 1) === 0) addPiece(initialOf(initial), 0);
  else whole = addPiece(window >>> 8, whole);
  for (let i = (length + 1) >> 1; i < PIECES_MIN; i++) whole = chain(whole, 0);
  if (asWords) addHashed(whole);
  addWord(whole);
}

/** A character that is a word: with the one before, if that stands beside it, and twice alone. */
function addAlone(code: i32, neighbour: i32): i32 {
  addHashed(aloneOf(code));
  addHashed(aloneOf(code));
  addHashed((neighbour * 0x9e3779b1) ^ code);
  addWord(code * 0x01000193);
  return code;
}

function addWord(hash: i32): void {
  wordCount++;
  addToPairs(hash);
}

/** Of a word's first letters, and where those are not all of it, of its length. */
function sampleHash(first: u32, length: i32): u32 {
  const letters: u32 = length < 4 ? first & ((1 << (8 * length)) - 1) : first ^ length;
  const hash: u32 = (letters ^ (letters >>> 15)) * 0x2c1b3c6d;
  return (hash ^ (hash >>> 13)) * 0x85ebca6b;
}

/** A piece that words of `min` letters have; the shortest of them end in it. */
function piece(read: u32, length: i32, min: i32): u32 {
  return read & (length === min ? 0x0000ffff : 0x00ffffff);
}

/** The first letter. The lowest byte tells it from pieces, which have the word's edge there. */
function initialOf(first: i32): i32 {
  return (first & 0x0000ff00) | 1;
}

/** A character that is a word. */
function aloneOf(code: i32): i32 {
  return (code << 8) | 2;
}

function chain(hash: i32, letters: i32): i32 {
  return (hash * 31) ^ letters;
}

/** Letters beyond ASCII share the upper half of a byte's values. */
function byteOf(letter: i32): i32 {
  return letter < 0x80 ? letter : 0x80 | ((letter ^ (letter >> 7)) & 0x7f);
}

/** The code point beyond ASCII that starts here; of broken bytes, something. */
function codeAt(at: i32): i32 {
  const first: i32 = load<u8>(at);
  const second = byteAt(at + 1) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = byteAt(at + 2) & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | (byteAt(at + 3) & 0x3f);
}

function byteAt(at: i32): i32 {
  return at < end ? (load<u8>(at) as i32) : 0;
}

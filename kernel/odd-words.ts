/**
 * Words of any letters and any length, and whatever else is between edges, letter by letter: the
 * long way to the same numbers that plain words are read as (pieces.ts, whole-words.ts).
 */
import { ALONE, letterOf } from './letters';
import { addToPairs } from './pairs';
import { addHashed } from './sums';

/** Pieces that the hash of any word has; those that a short one lacks are 0. */
const PIECES_MIN: i32 = 4;

let asWords: bool = false;
let end: i32 = 0;

export function beginOdd(textEnd: i32, whole: bool): void {
  end = textEnd;
  asWords = whole;
}

export function takeOdd(start: i32, stop: i32): void {
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
  addToPairs(whole);
}

/** A character that is a word: with the one before, if that stands beside it, and twice alone. */
function addAlone(code: i32, neighbour: i32): i32 {
  addHashed(aloneOf(code));
  addHashed(aloneOf(code));
  addHashed((neighbour * 0x9e3779b1) ^ code);
  addToPairs(code * 0x01000193);
  return code;
}

/** The first letter. The lowest byte tells it from pieces, which have the word's edge there. */
export function initialOf(first: i32): i32 {
  return (first & 0x0000ff00) | 1;
}

/** A character that is a word. */
function aloneOf(code: i32): i32 {
  return (code << 8) | 2;
}

export function chain(hash: i32, letters: i32): i32 {
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

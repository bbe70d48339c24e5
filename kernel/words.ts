/**
 * The words of a run of text, as numbers: the pieces that each is made of, and a hash of it.
 *
 *   addWords ─ edges ─┬─ up to 6 KB of text ──────────── pieces.ts ──────┬─ sums.ts
 *                     └─ longer: (a part of them) ─ whole-words.ts ──────┴─ pairs.ts
 *                                                        └─ odd-words.ts: beyond ASCII, or long
 *
 * In long texts a word is one piece, the whole of it, and only a part of the vocabulary is
 * taken: the same words wherever they stand. It says as much, and costs less.
 *
 * Edges between words are found sixteen bytes at a time, and noted until there are many.
 */
import { EDGES_AT, EDGES_MAX } from '../src/page/kernel-layout';
import { beginOdd } from './odd-words';
import { takePieces } from './pieces';
import { beginSample, sampled } from './sample';
import { takeWhole } from './whole-words';

/** Edges that are noted without asking how many there are. */
const EDGES_AT_ONCE: i32 = 8;

let asWords: bool = false;
let halvings: i32 = 0;
let edgesEnd: i32 = EDGES_AT;

/** The text up to `textEnd`, whose parts are added next, and how much of its vocabulary. */
export function beginWords(textEnd: i32, whole: bool, halved: i32): void {
  beginOdd(textEnd, whole);
  beginSample(halved);
  asWords = whole;
  halvings = halved;
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
    const turns = (word ^ ((word << 1) | inWord)) & here;
    inWord = (word >>> (min(left, 64) - 1)) & 1;
    edges = noteEdges(edges, at, turns);
    if (edges > EDGES_AT + EDGES_MAX * 4 - 512) edges = takeWords(edges);
  }
  if (inWord !== 0) {
    store<i32>(edges, to);
    edges += 4;
  }
  edgesEnd = edges;
}

/** Eight at a time, with a few too many behind them: how many there are can't be foretold. */
function noteEdges(edges: i32, at: i32, turns: u64): i32 {
  const end = edges + ((popcnt(turns) as i32) << 2);
  let rest = turns;
  for (let edge = edges; edge < end; edge += EDGES_AT_ONCE * 4) {
    for (let nth = 0; nth < EDGES_AT_ONCE; nth++, rest &= rest - 1) {
      store<i32>(edge + (nth << 2), at + (ctz(rest) as i32));
    }
  }
  return end;
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
  if (!asWords) takePieces(whole);
  else takeWhole(halvings === 0 ? whole : sampled(whole));
  store<i32>(EDGES_AT, next);
  return EDGES_AT + open;
}

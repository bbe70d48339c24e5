/**
 * How the reader is told the bits of all codes (RFC 1951, 3.2.7): in order, where a run is one
 * symbol, and with codes of their own, whose bits stand in front.
 */
import { codeBits } from './code-bits';
import { fillCodes } from './codes';
import {
  BITS_AT,
  DISTANCE_BITS_AT,
  DISTANCES,
  LITERALS,
  TELLABLE_AT,
  TELLER_BITS_AT,
  TELLER_CODES_AT,
  TELLER_COUNTS_AT,
  TELLERS,
  TOLD_AT,
} from './layout';
import { putBits, putCode } from './write';

const TELLER_BITS_MAX: i32 = 7;
const AGAIN: i32 = 16;
const ZEROS: i32 = 17;
const MANY_ZEROS: i32 = 18;

let told: i32 = 0;
let literals: i32 = 0;
let distances: i32 = 0;
let tellers: i32 = 0;

/** Makes ready what `tell` writes; answers how many bits that are. */
export function prepareTelling(): i32 {
  literals = usedOf(BITS_AT, LITERALS, 257);
  distances = usedOf(DISTANCE_BITS_AT, DISTANCES, 1);
  // Runs may go on from the literals into the distances.
  memory.copy(TELLABLE_AT, BITS_AT, literals);
  memory.copy(TELLABLE_AT + literals, DISTANCE_BITS_AT, distances);
  memory.fill(TELLER_COUNTS_AT, 0, 4 * TELLERS);
  told = 0;
  for (let at = 0; at < literals + distances; ) at += noteRun(at, literals + distances);
  codeBits(TELLER_COUNTS_AT, TELLERS, TELLER_BITS_MAX, TELLER_BITS_AT);
  fillCodes(TELLER_BITS_AT, TELLERS, TELLER_CODES_AT);
  tellers = TELLERS;
  while (tellers > 4 && load<u8>(TELLER_BITS_AT + tellerAt(tellers - 1)) === 0) tellers--;
  let bits = 14 + 3 * tellers;
  for (let nth = 0; nth < told; nth++) {
    const symbol = load<i32>(TOLD_AT + 4 * nth) & 0xff;
    bits += (load<u8>(TELLER_BITS_AT + symbol) as i32) + extraOf(symbol);
  }
  return bits;
}

export function tell(): void {
  putBits((literals - 257) as u64, 5);
  putBits((distances - 1) as u64, 5);
  putBits((tellers - 4) as u64, 4);
  for (let nth = 0; nth < tellers; nth++) {
    putBits(load<u8>(TELLER_BITS_AT + tellerAt(nth)) as u64, 3);
  }
  for (let nth = 0; nth < told; nth++) {
    const one = load<i32>(TOLD_AT + 4 * nth);
    putCode(load<u32>(TELLER_CODES_AT + 4 * (one & 0xff)));
    putBits((one >> 8) as u64, extraOf(one & 0xff) as u64);
  }
}

/** Symbols up to the last that is used. */
function usedOf(bitsAt: i32, symbols: i32, least: i32): i32 {
  while (symbols > least && load<u8>(bitsAt + symbols - 1) === 0) symbols--;
  return symbols;
}

/** Notes the run that begins at a symbol, or its first part; answers how many are in it. */
function noteRun(at: i32, end: i32): i32 {
  const bits = load<u8>(TELLABLE_AT + at) as i32;
  let run = 1;
  while (at + run < end && (load<u8>(TELLABLE_AT + at + run) as i32) === bits) run++;
  if (bits === 0 && run >= 3) {
    run = min(run, 138);
    if (run <= 10) note(ZEROS, run - 3);
    else note(MANY_ZEROS, run - 11);
    return run;
  }
  const isAgain = at > 0 && (load<u8>(TELLABLE_AT + at - 1) as i32) === bits;
  if (isAgain && run >= 3) {
    run = min(run, 6);
    note(AGAIN, run - 3);
    return run;
  }
  note(bits, 0);
  return 1;
}

function note(symbol: i32, extra: i32): void {
  store<i32>(TOLD_AT + 4 * told++, symbol | (extra << 8));
  const counted = TELLER_COUNTS_AT + 4 * symbol;
  store<i32>(counted, load<i32>(counted) + 1);
}

function extraOf(symbol: i32): i32 {
  if (symbol === AGAIN) return 2;
  if (symbol === ZEROS) return 3;
  return symbol === MANY_ZEROS ? 7 : 0;
}

/** Tellers in the order in which their own bits are told: the likeliest first. */
function tellerAt(nth: i32): i32 {
  if (nth < 3) return AGAIN + nth;
  if (nth === 3) return 0;
  const beyond = nth - 4;
  return (beyond & 1) !== 0 ? 7 - (beyond >> 1) : 8 + (beyond >> 1);
}

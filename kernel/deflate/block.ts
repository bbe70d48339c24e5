/**
 * One block of tokens: with codes made for it, told before it, or with the fixed ones where that
 * is shorter.
 *
 *   last? │ kind │ bits of the codes, if they are its own (telling.ts) │ tokens │ end of block
 */
import { codeBits } from './code-bits';
import { CODE_BITS_MAX, fillCodes, fillTokenCodes } from './codes';
import {
  BITS_AT,
  CODES_AT,
  COUNTS_AT,
  DISTANCE_BITS_AT,
  DISTANCE_CODES_AT,
  DISTANCE_COUNTS_AT,
  DISTANCES,
  END_OF_BLOCK,
  FIXED_BITS_AT,
  KIND_COUNTS_AT,
  KIND_MASK,
  KINDS,
  LENGTH_SYMBOLS_AT,
  LENGTHS_FROM,
  LITERALS,
  MATCH_MAX,
  MATCHES,
  TOKENS_AT,
} from './layout';
import { prepareTelling, tell } from './telling';
import { putBits, writeTokens } from './write';

const FIXED_DISTANCE_BITS: u8 = 5;
const FIXED: u64 = 1;
const OWN: u64 = 2;

/** The codes at hand are the fixed ones. */
let areFixed: bool = false;

/** `isQuick`: the fixed codes will do. */
export function writeBlock(tokens: i32, isLast: bool, isQuick: bool): void {
  const isOwn = !isQuick && isOwnShorter(tokens);
  putBits((isLast ? 1 : 0) | ((isOwn ? OWN : FIXED) << 1), 3);
  if (isOwn) {
    tell();
    fillAll();
  } else if (!areFixed) {
    memory.copy(BITS_AT, FIXED_BITS_AT, LITERALS);
    memory.fill(DISTANCE_BITS_AT, FIXED_DISTANCE_BITS, DISTANCES);
    fillAll();
    areFixed = true;
  }
  writeTokens(tokens);
}

function fillAll(): void {
  fillCodes(BITS_AT, LITERALS, CODES_AT);
  fillCodes(DISTANCE_BITS_AT, DISTANCES, DISTANCE_CODES_AT);
  fillTokenCodes();
}

/** Makes codes for this block, and what tells them. */
function isOwnShorter(tokens: i32): bool {
  countSymbols(tokens);
  codeBits(COUNTS_AT, LITERALS, CODE_BITS_MAX, BITS_AT);
  codeBits(DISTANCE_COUNTS_AT, DISTANCES, CODE_BITS_MAX, DISTANCE_BITS_AT);
  areFixed = false;
  const own =
    prepareTelling() +
    sizeWith(BITS_AT, COUNTS_AT, LITERALS) +
    sizeWith(DISTANCE_BITS_AT, DISTANCE_COUNTS_AT, DISTANCES);
  return own < fixedSize();
}

/** Of kinds; distances are counted as they are found. */
function countSymbols(tokens: i32): void {
  memory.fill(KIND_COUNTS_AT, 0, 4 * KINDS);
  const end = TOKENS_AT + 4 * tokens;
  for (let at = TOKENS_AT; at < end; at += 4) {
    count(KIND_COUNTS_AT + (((load<u32>(at) & KIND_MASK) << 2) as i32), 1);
  }
  memory.copy(COUNTS_AT, KIND_COUNTS_AT, 4 * MATCHES);
  memory.fill(COUNTS_AT + 4 * MATCHES, 0, 4 * (LITERALS - MATCHES));
  store<u32>(COUNTS_AT + 4 * END_OF_BLOCK, 1);
  for (let length = 3; length <= MATCH_MAX; length++) {
    const symbol = LENGTHS_FROM + (load<u8>(LENGTH_SYMBOLS_AT + length) as i32);
    count(COUNTS_AT + 4 * symbol, load<u32>(KIND_COUNTS_AT + 4 * (MATCHES + length)));
  }
}

function count(at: i32, more: u32): void {
  store<u32>(at, load<u32>(at) + more);
}

/** Bits of a block's tokens, without the extra ones, which are the same with all codes. */
function sizeWith(bitsAt: i32, countsAt: i32, symbols: i32): i32 {
  let size = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    size += load<i32>(countsAt + 4 * symbol) * (load<u8>(bitsAt + symbol) as i32);
  }
  return size;
}

function fixedSize(): i32 {
  let size = sizeWith(FIXED_BITS_AT, COUNTS_AT, LITERALS);
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    size += load<i32>(DISTANCE_COUNTS_AT + 4 * symbol) * (FIXED_DISTANCE_BITS as i32);
  }
  return size;
}

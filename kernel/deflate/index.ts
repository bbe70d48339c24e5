/**
 * Deflate (RFC 1951) for bytes that are written while a crawl waits. A module of its own;
 * ../../src/archive/quick-deflate.ts puts bytes in and takes them out.
 *
 *   bytes ─▶ tokens: literals and matches ─▶ blocks, each with codes of its own (block.ts)
 *
 * For each place, one look at where its four bytes stood last. Where nothing is found for long,
 * fewer places are looked at: noise costs little.
 */
import { writeBlock } from './block';
import {
  BEYOND_SHIFT,
  DISTANCE_COUNTS_AT,
  DISTANCE_STARTS_AT,
  DISTANCES,
  distanceSlot,
  HASH_BITS,
  INPUT_AT,
  MATCH_MAX,
  MATCHES,
  NO_DISTANCE,
  PLACES_AT,
  SYMBOL_SHIFT,
  TOKENS_AT,
  TOKENS_MAX,
} from './layout';
import { endWriting, startWriting } from './write';

export { fillTables, INPUT_AT } from './layout';

const MATCH_MIN: i32 = 4;
const WINDOW: i32 = 32_768;
/** Fibonacci hashing: spreads neighbouring values over the table. */
const HASH_FACTOR: u32 = 0x9e3779b1;
const PLACES_MAX: i32 = 0x60000000;
/** After so many misses, as a power of two, one place more is passed over at a time. */
const PATIENCE_BITS: u32 = 3;
const PASSED_MAX: i32 = 64;
const LITERAL: u32 = NO_DISTANCE << SYMBOL_SHIFT;

/** Places are counted from here on: so their table need not be cleared between two inputs. */
let counted: i32 = 1;
/** In the block. */
let tokens: i32 = 0;

/** Writes what stands at INPUT_AT to `out`; answers where it ends. */
export function deflate(length: i32, out: i32, isQuick: bool): i32 {
  if (counted > PLACES_MAX) {
    memory.fill(PLACES_AT, 0, 4 << HASH_BITS);
    counted = 1;
  }
  const origin = counted - INPUT_AT;
  counted += length + WINDOW + 1;
  startWriting(out);
  const end = INPUT_AT + length;
  let at = INPUT_AT;
  do {
    at = tokenise(at, end, origin);
    writeBlock(tokens, at === end, isQuick);
  } while (at < end);
  return endWriting();
}

/** Makes the tokens of one block; answers where the next begins. */
function tokenise(at: i32, end: i32, origin: i32): i32 {
  // Less what one step adds, and the last bytes, which are too few for a match.
  const full = TOKENS_AT + 4 * (TOKENS_MAX - PASSED_MAX - MATCH_MIN);
  const lastWord = end - MATCH_MIN;
  memory.fill(DISTANCE_COUNTS_AT, 0, 4 * DISTANCES);
  let token = TOKENS_AT;
  let misses: u32 = 0;
  while (at <= lastWord && token < full) {
    const word = load<u32>(at);
    const slot = slotOf(word);
    const place = load<i32>(slot) - origin;
    store<i32>(slot, at + origin);
    if (place >= INPUT_AT && at - place <= WINDOW && load<u32>(place) === word) {
      misses = 0;
      const matched = matchLength(place, at, min(end - at, MATCH_MAX));
      store<u32>(token, matchToken(matched, at - place));
      token += 4;
      // Of the places in a match the second is remembered, too: it often begins the next one.
      store<i32>(slotOf(load<u32>(at + 1)), at + 1 + origin);
      at += matched;
    } else {
      const passed = min(1 + (misses++ >> PATIENCE_BITS), PASSED_MAX as u32) as i32;
      for (const till = min(at + passed, end); at < till; at++, token += 4) {
        store<u32>(token, LITERAL | (load<u8>(at) as u32));
      }
    }
  }
  for (const till = at > lastWord ? end : at; at < till; at++, token += 4) {
    store<u32>(token, LITERAL | (load<u8>(at) as u32));
  }
  tokens = (token - TOKENS_AT) >> 2;
  return at;
}

/** Its distance is counted, too (block.ts). */
function matchToken(length: i32, distance: i32): u32 {
  const symbol = load<u8>(distanceSlot(distance)) as i32;
  const counts = DISTANCE_COUNTS_AT + 4 * symbol;
  store<u32>(counts, load<u32>(counts) + 1);
  const beyond = distance - load<i32>(DISTANCE_STARTS_AT + 4 * symbol);
  const far = ((beyond as u32) << BEYOND_SHIFT) | ((symbol as u32) << SYMBOL_SHIFT);
  return far | ((MATCHES + length) as u32);
}

function slotOf(word: u32): i32 {
  return PLACES_AT + (((word * HASH_FACTOR) >> (32 - HASH_BITS)) << 2);
}

/** How many bytes are the same at both places, up to `most`; four are. */
function matchLength(place: i32, at: i32, most: i32): i32 {
  let matched = MATCH_MIN;
  while (matched < most) {
    const differ = load<u64>(place + matched) ^ load<u64>(at + matched);
    if (differ !== 0) return min(matched + ((ctz(differ) as i32) >> 3), most);
    matched += 8;
  }
  return most;
}

/**
 * Deflate (RFC 1951) for bytes that are written while a crawl waits: one block with the fixed
 * codes, and for each place one look at where its four bytes stood last. A module of its own;
 * ../../src/archive/quick-deflate.ts puts bytes in and takes them out.
 *
 *   literal   8 or 9 bits             match   length code │ its extra bits │ 5 bits │ extra bits
 *
 * Where nothing is found for long, fewer places are looked at: noise costs little. Codes are
 * kept with their bits turned round and their count in the upper half, ready to be written.
 */
const MATCH_MIN: i32 = 4;
const MATCH_MAX: i32 = 258;
const WINDOW: i32 = 32_768;
const HASH_BITS: u32 = 14;
/** Fibonacci hashing: spreads neighbouring values over the table. */
const HASH_FACTOR: u32 = 0x9e3779b1;
const PLACES_MAX: i32 = 0x60000000;
/** After so many misses, as a power of two, one place more is passed over at a time. */
const PATIENCE_BITS: u32 = 3;

const LITERALS_AT: i32 = 0x400;
const LENGTHS_AT: i32 = LITERALS_AT + 4 * 288;
const CODES_AT: i32 = LENGTHS_AT + 4 * (MATCH_MAX + 1);
const DISTANCES_AT: i32 = CODES_AT + 512;
const STARTS_AT: i32 = DISTANCES_AT + 4 * 30;
/** Where four bytes stood last, counted from `counted` on: so it need not be cleared between. */
const PLACES_AT: i32 = 0x2000;
/** Here the bytes are put in. */
export const INPUT_AT: i32 = PLACES_AT + (4 << HASH_BITS);

let counted: i32 = 1;

function turned(code: i32, bits: i32): u32 {
  let result: u32 = 0;
  for (let i = 0; i < bits; i++) result |= (((code >> i) & 1) as u32) << (bits - 1 - i);
  return result;
}

function literalBits(code: i32): i32 {
  if (code < 144) return 8;
  if (code < 256) return 9;
  return code < 280 ? 7 : 8;
}

function firstOf(code: i32): i32 {
  if (code < 144) return 0x30;
  if (code < 256) return 0x190 - 144;
  return code < 280 ? -256 : 0xc0 - 280;
}

export function fillTables(): void {
  for (let code = 0; code < 288; code++) {
    const bits = literalBits(code);
    store<u32>(LITERALS_AT + 4 * code, turned(firstOf(code) + code, bits) | ((bits as u32) << 16));
  }
  let from = 3;
  for (let code = 257; code < 285; code++) {
    const extra = code < 265 ? 0 : (code - 261) >> 2;
    const literal = load<u32>(LITERALS_AT + 4 * code);
    const bits = literal >> 16;
    for (let more: u32 = 0; more < (1 as u32) << extra; more++) {
      const value = (literal & 0xffff) | (more << bits) | ((bits + extra) << 16);
      store<u32>(LENGTHS_AT + 4 * (from + (more as i32)), value);
    }
    from += 1 << extra;
  }
  store<u32>(LENGTHS_AT + 4 * MATCH_MAX, load<u32>(LITERALS_AT + 4 * 285));
  fillDistances();
}

function fillDistances(): void {
  let from = 1;
  for (let code = 0; code < 30; code++) {
    const extra = code < 2 ? 0 : (code - 2) >> 1;
    store<u32>(DISTANCES_AT + 4 * code, turned(code, 5) | (((5 + extra) as u32) << 16));
    store<i32>(STARTS_AT + 4 * code, from);
    for (let distance = from; distance < from + (1 << extra); distance++) {
      store<u8>(CODES_AT + codeSlot(distance), code as u8);
    }
    from += 1 << extra;
  }
}

/** The code of a distance: below 257 by itself, beyond by its multiple of 128. */
function codeSlot(distance: i32): i32 {
  return distance <= 256 ? distance - 1 : 256 + ((distance - 1) >> 7);
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

/** Writes what stands at INPUT_AT to `out`; answers where it ends. */
export function deflate(length: i32, out: i32): i32 {
  if (counted > PLACES_MAX) {
    memory.fill(PLACES_AT, 0, 4 << HASH_BITS);
    counted = 1;
  }
  const origin = counted - INPUT_AT;
  counted += length + WINDOW + 1;
  const end = INPUT_AT + length;
  const lastWord = end - MATCH_MIN;
  // The last block, with fixed codes.
  let bits: u64 = 0b011;
  let count: u64 = 3;
  let misses: u32 = 0;
  let at = INPUT_AT;
  while (at <= lastWord) {
    const word = load<u32>(at);
    const slot = PLACES_AT + (((word * HASH_FACTOR) >> (32 - HASH_BITS)) << 2);
    const place = load<i32>(slot) - origin;
    store<i32>(slot, at + origin);
    if (place >= INPUT_AT && at - place <= WINDOW && load<u32>(place) === word) {
      misses = 0;
      const matched = matchLength(place, at, min(end - at, MATCH_MAX));
      const distance = at - place;
      const code = load<u8>(CODES_AT + codeSlot(distance)) as i32;
      const first = load<u32>(LENGTHS_AT + 4 * matched);
      bits |= ((first & 0xffff) as u64) << count;
      count += (first >> 16) as u64;
      const second = load<u32>(DISTANCES_AT + 4 * code);
      const extra = (distance - load<i32>(STARTS_AT + 4 * code)) as u64;
      bits |= (((second & 0xffff) as u64) | (extra << 5)) << count;
      count += (second >> 16) as u64;
      at += matched;
    } else {
      for (let left = 1 + (misses++ >> PATIENCE_BITS); left > 0 && at < end; left--) {
        const literal = load<u32>(LITERALS_AT + 4 * (load<u8>(at++) as i32));
        bits |= ((literal & 0xffff) as u64) << count;
        count += (literal >> 16) as u64;
        if (count >= 32) {
          store<u32>(out, bits as u32);
          out += 4;
          bits >>= 32;
          count -= 32;
        }
      }
    }
    if (count >= 32) {
      store<u32>(out, bits as u32);
      out += 4;
      bits >>= 32;
      count -= 32;
    }
  }
  for (; at < end; at++) {
    const literal = load<u32>(LITERALS_AT + 4 * (load<u8>(at) as i32));
    bits |= ((literal & 0xffff) as u64) << count;
    count += (literal >> 16) as u64;
  }
  // Seven zeros say that nothing follows.
  for (let left = (count as i32) + 7; left > 0; left -= 8, bits >>= 8) store<u8>(out++, bits as u8);
  return out;
}

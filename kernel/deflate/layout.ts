/**
 * Where everything is in memory, and the numbers of RFC 1951.
 *
 *   tables │ tokens of a block │ places of words │ bytes to deflate, from INPUT_AT on │ room
 */
/** Literals, the end of a block, lengths of matches; the last two are in the fixed codes only. */
export const LITERALS: i32 = 288;
export const DISTANCES: i32 = 30;
/** Symbols that the lengths of codes are told with. */
export const TELLERS: i32 = 19;
export const END_OF_BLOCK: i32 = 256;
export const LENGTHS_FROM: i32 = 257;
export const MATCH_MAX: i32 = 258;

/**
 * A token is a word: its kind (a literal, or MATCHES + a length), from bit 10 on the symbol of its
 * distance, and from bit 15 on how far the distance is beyond the symbol's first. Both kinds are
 * read in the same way, so that no branch has to be foreseen.
 */
export const MATCHES: i32 = 256;
export const KINDS: i32 = MATCHES + MATCH_MAX + 1;
export const KIND_MASK: u32 = 0x3ff;
export const SYMBOL_SHIFT: u32 = 10;
export const SYMBOL_MASK: u32 = 31;
export const BEYOND_SHIFT: u32 = 15;
/** In place of a distance's symbol: a literal has none. */
export const NO_DISTANCE: u32 = 30;

/** How often each kind, each symbol is used in a block. */
export const KIND_COUNTS_AT: i32 = 0x400;
export const COUNTS_AT: i32 = KIND_COUNTS_AT + 4 * KINDS;
export const DISTANCE_COUNTS_AT: i32 = COUNTS_AT + 4 * LITERALS;
export const TELLER_COUNTS_AT: i32 = DISTANCE_COUNTS_AT + 4 * 32;

/** Bits of each symbol's code. */
export const BITS_AT: i32 = TELLER_COUNTS_AT + 4 * 32;
export const DISTANCE_BITS_AT: i32 = BITS_AT + LITERALS;
export const TELLER_BITS_AT: i32 = DISTANCE_BITS_AT + 32;
export const FIXED_BITS_AT: i32 = TELLER_BITS_AT + 32;

/** Codes of symbols: their bits turned round, and from bit 24 on how many they are. */
export const CODES_AT: i32 = FIXED_BITS_AT + LITERALS;
export const DISTANCE_CODES_AT: i32 = CODES_AT + 4 * LITERALS;
export const TELLER_CODES_AT: i32 = DISTANCE_CODES_AT + 4 * 32;
/** The same of kinds, extra bits included. */
export const KIND_CODES_AT: i32 = TELLER_CODES_AT + 4 * 32;
/** And of distances: from bit 16 on how many bits, from bit 24 on how many with the extra ones. */
export const FAR_CODES_AT: i32 = KIND_CODES_AT + 4 * KINDS;

/** The symbol of each length of a match, less LENGTHS_FROM, and of each distance (distanceSlot). */
export const LENGTH_SYMBOLS_AT: i32 = FAR_CODES_AT + 4 * 32;
export const DISTANCE_SYMBOLS_AT: i32 = LENGTH_SYMBOLS_AT + MATCH_MAX + 2;
/** The first distance of each symbol. */
export const DISTANCE_STARTS_AT: i32 = DISTANCE_SYMBOLS_AT + 512;

/** While codes are made: symbols by how often they are used, and a tree over them. */
export const SORTED_AT: i32 = DISTANCE_STARTS_AT + 4 * 32;
export const WEIGHTS_AT: i32 = SORTED_AT + 4 * LITERALS;
export const PARENTS_AT: i32 = WEIGHTS_AT + 8 * LITERALS;
export const PER_BITS_AT: i32 = PARENTS_AT + 8 * LITERALS;
/** Bits of codes one after the other, and how they are told: a teller, and from bit 8 its extra. */
export const TELLABLE_AT: i32 = PER_BITS_AT + 64;
export const TOLD_AT: i32 = TELLABLE_AT + 320;

export const TOKENS_MAX: i32 = 1 << 14;
export const TOKENS_AT: i32 = 0x6000;

/** Where four bytes stood last. */
export const HASH_BITS: u32 = 13;
export const PLACES_AT: i32 = TOKENS_AT + 4 * TOKENS_MAX;
/** Here the bytes are put in. */
export const INPUT_AT: i32 = PLACES_AT + (4 << HASH_BITS);

/** The place of a distance's symbol: below 257 by itself, beyond by its multiple of 128. */
export function distanceSlot(distance: i32): i32 {
  return DISTANCE_SYMBOLS_AT + (distance <= 256 ? distance - 1 : 256 + ((distance - 1) >> 7));
}

export function lengthExtra(symbol: i32): i32 {
  if (symbol < 8 || symbol === 28) return 0;
  return (symbol - 4) >> 2;
}

export function distanceExtra(symbol: i32): i32 {
  return symbol < 2 ? 0 : (symbol - 2) >> 1;
}

/** What is the same for all blocks, once. */
export function fillTables(): void {
  let from = 3;
  for (let symbol = 0; symbol < 28; symbol++) {
    const lengths = 1 << lengthExtra(symbol);
    memory.fill(LENGTH_SYMBOLS_AT + from, symbol as u8, lengths);
    from += lengths;
  }
  store<u8>(LENGTH_SYMBOLS_AT + MATCH_MAX, 28);
  from = 1;
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    store<i32>(DISTANCE_STARTS_AT + 4 * symbol, from);
    const next = from + (1 << distanceExtra(symbol));
    for (; from < next; from++) store<u8>(distanceSlot(from), symbol as u8);
  }
  memory.fill(FIXED_BITS_AT, 8, LITERALS);
  memory.fill(FIXED_BITS_AT + 144, 9, 112);
  memory.fill(FIXED_BITS_AT + 256, 7, 24);
}

/**
 * Deflate (RFC 1951) for bytes that are written while a crawl waits: one block with the fixed
 * codes, and for each place one look at where its four bytes stood last.
 *
 * On pages 1.5 times as fast as zlib's level 1, with results that are a quarter larger; any
 * inflate reads them. What repeats nothing is better stored (gzip-member.ts).
 *
 *   literal   8 or 9 bits             match   length code │ its extra bits │ 5 bits │ extra bits
 */
const MATCH_BYTES_MIN = 4;
const MATCH_BYTES_MAX = 258;
const WINDOW_BYTES = 32_768;
const HASH_BITS = 14;
/** Fibonacci hashing: spreads neighbouring values over the table. */
const HASH_FACTOR = 0x9e3779b1;
const PLACES_MAX = 0x60000000;

/** All codes are written with their bits turned round, and extra bits behind them. */
const LITERALS = new Uint16Array(288);
const LITERAL_BITS = new Uint8Array(288);
const LENGTHS = new Uint32Array(MATCH_BYTES_MAX + 1);
const LENGTH_BITS = new Uint8Array(MATCH_BYTES_MAX + 1);
const DISTANCES = new Uint8Array(30);
const DISTANCE_FROM = new Int32Array(30);
const DISTANCE_BITS = new Uint8Array(30);
/** The code of a distance: below 257 by itself, beyond by its multiple of 128. */
const CODE_OF_DISTANCE = new Uint8Array(512);

function turned(code: number, bits: number): number {
  let result = 0;
  for (let i = 0; i < bits; i++) result |= ((code >> i) & 1) << (bits - 1 - i);
  return result;
}

function fillLiterals(): void {
  for (let i = 0; i < 288; i++) {
    const bits = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    const first = i < 144 ? 0x30 : i < 256 ? 0x190 - 144 : i < 280 ? -256 : 0xc0 - 280;
    LITERALS[i] = turned(first + i, bits);
    LITERAL_BITS[i] = bits;
  }
}

function fillLengths(): void {
  let from = 3;
  for (let code = 257; code < 285; code++) {
    const extra = code < 265 ? 0 : (code - 261) >> 2;
    for (let more = 0; more < 1 << extra; more++) {
      const bits = LITERAL_BITS[code] as number;
      LENGTHS[from + more] = (LITERALS[code] as number) | (more << bits);
      LENGTH_BITS[from + more] = bits + extra;
    }
    from += 1 << extra;
  }
  LENGTHS[MATCH_BYTES_MAX] = LITERALS[285] as number;
  LENGTH_BITS[MATCH_BYTES_MAX] = LITERAL_BITS[285] as number;
}

function fillDistances(): void {
  let from = 1;
  for (let code = 0; code < 30; code++) {
    const extra = code < 2 ? 0 : (code - 2) >> 1;
    DISTANCES[code] = turned(code, 5);
    DISTANCE_FROM[code] = from;
    DISTANCE_BITS[code] = 5 + extra;
    for (let distance = from; distance < from + (1 << extra); distance++) {
      CODE_OF_DISTANCE[distance <= 256 ? distance - 1 : 256 + ((distance - 1) >> 7)] = code;
    }
    from += 1 << extra;
  }
}

fillLiterals();
fillLengths();
fillDistances();

/** Where four bytes stood last, counted from `counted` on: so it need not be cleared between. */
const places = new Int32Array(1 << HASH_BITS);
let counted = 1;

/** The most that `bytes` can become. */
export function quickBytesMax(bytes: number): number {
  return Math.ceil((bytes * 9) / 8) + 8;
}

/**
 * Writes `from` into `to` from `at` on; answers where it ends. One loop, and long: each call in
 * it would cost as much as what it does.
 */
export function quickDeflate(from: Uint8Array, to: Uint8Array, at: number): number {
  const length = from.length;
  if (counted > PLACES_MAX) {
    places.fill(0);
    counted = 1;
  }
  const origin = counted;
  counted += length + WINDOW_BYTES + 1;
  const words = new DataView(from.buffer, from.byteOffset, length);
  const lastWord = length - MATCH_BYTES_MIN;
  let end = at;
  // The last block, with fixed codes.
  let bits = 0b011;
  let count = 3;
  let i = 0;
  while (i < length) {
    let place = -1;
    if (i <= lastWord) {
      const word = words.getInt32(i, true);
      const slot = Math.imul(word, HASH_FACTOR) >>> (32 - HASH_BITS);
      place = (places[slot] as number) - origin;
      places[slot] = i + origin;
      if (place < 0 || i - place > WINDOW_BYTES || words.getInt32(place, true) !== word) place = -1;
    }
    if (place === -1) {
      const byte = from[i++] as number;
      bits |= (LITERALS[byte] as number) << count;
      count += LITERAL_BITS[byte] as number;
    } else {
      const most = length - i < MATCH_BYTES_MAX ? length - i : MATCH_BYTES_MAX;
      let matched = MATCH_BYTES_MIN;
      while (matched < most && from[place + matched] === from[i + matched]) matched++;
      bits |= (LENGTHS[matched] as number) << count;
      count += LENGTH_BITS[matched] as number;
      for (; count >= 8; count -= 8, bits >>>= 8) to[end++] = bits;
      const distance = i - place;
      const code = CODE_OF_DISTANCE[
        distance <= 256 ? distance - 1 : 256 + ((distance - 1) >> 7)
      ] as number;
      const extra = distance - (DISTANCE_FROM[code] as number);
      bits |= ((DISTANCES[code] as number) | (extra << 5)) << count;
      count += DISTANCE_BITS[code] as number;
      i += matched;
    }
    // Two at a time: 15 bits may stay, and the longest code that follows at once has 13.
    if (count >= 16) {
      to[end] = bits;
      to[end + 1] = bits >>> 8;
      end += 2;
      bits >>>= 16;
      count -= 16;
    }
  }
  for (; count >= 8; count -= 8, bits >>>= 8) to[end++] = bits;
  // Seven zeros say that nothing follows.
  for (count += 7; count > 0; count -= 8, bits >>>= 8) to[end++] = bits;
  return end;
}

/** Codes from their bits (RFC 1951, 3.2.2), ready to be written. */
import {
  CODES_AT,
  DISTANCE_CODES_AT,
  DISTANCES,
  distanceExtra,
  FAR_CODES_AT,
  KIND_CODES_AT,
  LENGTH_SYMBOLS_AT,
  LENGTHS_FROM,
  lengthExtra,
  MATCH_MAX,
  MATCHES,
  PER_BITS_AT,
} from './layout';

export const CODE_BITS_MAX: i32 = 15;
export const COUNT_SHIFT: u32 = 24;
export const CODE_MASK: u32 = 0xffffff;
export const FAR_BITS_SHIFT: u32 = 16;

export function fillCodes(bitsAt: i32, symbols: i32, codesAt: i32): void {
  memory.fill(PER_BITS_AT, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const at = PER_BITS_AT + 4 * (load<u8>(bitsAt + symbol) as i32);
    store<i32>(at, load<i32>(at) + 1);
  }
  // Of each count of bits, the next code.
  let code = 0;
  let before = 0;
  for (let bits = 1; bits <= CODE_BITS_MAX; bits++) {
    code = (code + before) << 1;
    before = load<i32>(PER_BITS_AT + 4 * bits);
    store<i32>(PER_BITS_AT + 4 * bits, code);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const bits = load<u8>(bitsAt + symbol) as u32;
    if (bits === 0) continue;
    const next = PER_BITS_AT + 4 * (bits as i32);
    const value = load<u32>(next);
    store<u32>(next, value + 1);
    store<u32>(codesAt + 4 * symbol, turned(value, bits) | (bits << COUNT_SHIFT));
  }
}

/** Those of kinds and distances, from those of their symbols. */
export function fillTokenCodes(): void {
  memory.copy(KIND_CODES_AT, CODES_AT, 4 * MATCHES);
  let first = 3;
  for (let length = 3; length <= MATCH_MAX; length++) {
    const symbol = load<u8>(LENGTH_SYMBOLS_AT + length) as i32;
    if (symbol !== (load<u8>(LENGTH_SYMBOLS_AT + length - 1) as i32)) first = length;
    const code = load<u32>(CODES_AT + 4 * (LENGTHS_FROM + symbol));
    const bits = code >> COUNT_SHIFT;
    const count = bits + (lengthExtra(symbol) as u32);
    const value = (code & CODE_MASK) | (((length - first) as u32) << bits);
    store<u32>(KIND_CODES_AT + 4 * (MATCHES + length), value | (count << COUNT_SHIFT));
  }
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    const code = load<u32>(DISTANCE_CODES_AT + 4 * symbol);
    const bits = code >> COUNT_SHIFT;
    const count = bits + (distanceExtra(symbol) as u32);
    const value = (code & CODE_MASK) | (bits << FAR_BITS_SHIFT) | (count << COUNT_SHIFT);
    store<u32>(FAR_CODES_AT + 4 * symbol, value);
  }
}

function turned(code: u32, bits: u32): u32 {
  let v = ((code >> 1) & 0x5555) | ((code & 0x5555) << 1);
  v = ((v >> 2) & 0x3333) | ((v & 0x3333) << 2);
  v = ((v >> 4) & 0x0f0f) | ((v & 0x0f0f) << 4);
  v = (v >> 8) | ((v & 0xff) << 8);
  return v >> (16 - bits);
}

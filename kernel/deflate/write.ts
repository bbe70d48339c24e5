/**
 * Bits on their way out, the lowest first: fewer than eight are held back between two calls. Each
 * write is of eight bytes, of which those that are full count.
 */
import { CODE_MASK, COUNT_SHIFT, FAR_BITS_SHIFT } from './codes';
import {
  BEYOND_SHIFT,
  CODES_AT,
  END_OF_BLOCK,
  FAR_CODES_AT,
  KIND_CODES_AT,
  KIND_MASK,
  SYMBOL_MASK,
  SYMBOL_SHIFT,
  TOKENS_AT,
} from './layout';

const WHOLE_BYTES: u64 = ~7;

let out: i32 = 0;
let held: u64 = 0;
let count: u64 = 0;

export function startWriting(at: i32): void {
  out = at;
  held = 0;
  count = 0;
}

/** Up to 56 bits. */
export function putBits(value: u64, bits: u64): void {
  held |= value << count;
  count += bits;
  store<u64>(out, held);
  out += (count >> 3) as i32;
  held >>= count & WHOLE_BYTES;
  count &= 7;
}

export function putCode(code: u32): void {
  putBits((code & CODE_MASK) as u64, (code >> COUNT_SHIFT) as u64);
}

/** The last byte is filled up with zeros; answers where all of it ends. */
export function endWriting(): i32 {
  return count === 0 ? out : out + 1;
}

/** What is written most, so with everything at hand: as `putBits` for each. */
export function writeTokens(tokens: i32): void {
  let to = out;
  let bits = held;
  let many = count;
  const end = TOKENS_AT + 4 * tokens;
  for (let at = TOKENS_AT; at < end; at += 4) {
    const token = load<u32>(at);
    const kind = load<u32>(KIND_CODES_AT + (((token & KIND_MASK) << 2) as i32));
    const far = load<u32>(FAR_CODES_AT + ((((token >> SYMBOL_SHIFT) & SYMBOL_MASK) << 2) as i32));
    bits |= ((kind & CODE_MASK) as u64) << many;
    many += (kind >> COUNT_SHIFT) as u64;
    const beyond = (token >> BEYOND_SHIFT) << ((far >> FAR_BITS_SHIFT) & 31);
    bits |= (((far & 0xffff) | beyond) as u64) << many;
    many += (far >> COUNT_SHIFT) as u64;
    store<u64>(to, bits);
    to += (many >> 3) as i32;
    bits >>= many & WHOLE_BYTES;
    many &= 7;
  }
  out = to;
  held = bits;
  count = many;
  putCode(load<u32>(CODES_AT + 4 * END_OF_BLOCK));
}

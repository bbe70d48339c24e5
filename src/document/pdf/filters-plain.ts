/** Filters that are not zlib's: LZW, ASCII85, ASCIIHex, RunLength. None throws; each is linear. */

export function asciiHex(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x3e);
  const text = Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('latin1');
  const digits = text.replace(/[^0-9a-fA-F]/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

export function ascii85(bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(4 * bytes.length + 4);
  let length = 0;
  let group: number[] = [];
  const flush = () => {
    const kept = group.length - 1;
    while (group.length < 5) group.push(84);
    const value = group.reduce((sum, digit) => sum * 85 + digit, 0) % 0x1_0000_0000;
    for (let i = 0; i < kept; i++) out[length++] = (value / 2 ** (24 - 8 * i)) & 255;
    group = [];
  };
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) {
      out.fill(0, length, length + 4);
      length += 4;
    } else if (byte >= 0x21 && byte <= 0x75) {
      group.push(byte - 0x21);
      if (group.length === 5) flush();
    }
  }
  if (group.length > 1) flush();
  return out.subarray(0, length);
}

export function runLength(bytes: Uint8Array, bytesMax: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at < bytes.length && total < bytesMax; ) {
    const length = bytes[at++] as number;
    if (length === 128) break;
    const part =
      length < 128
        ? bytes.subarray(at, at + length + 1)
        : Buffer.alloc(257 - length, bytes[at] ?? 0);
    at += length < 128 ? length + 1 : 1;
    parts.push(part);
    total += part.length;
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}

const CLEAR = 256;
const END = 257;
const CODES_MAX = 4_096;

/** A code stands for the text of an earlier one and one byte more. */
export function lzw(bytes: Uint8Array, early: number, bytesMax: number): Uint8Array {
  const starts = new Int32Array(CODES_MAX);
  const lengths = new Int32Array(CODES_MAX);
  let out = Buffer.alloc(Math.min(bytesMax, 4 * bytes.length + 1_024));
  let length = 0;
  let codes = 258;
  let width = 9;
  let [held, bits] = [0, 0];
  let [lastStart, lastLength] = [0, 0];
  for (let at = 0; ; ) {
    while (bits < width && at < bytes.length) {
      held = ((held << 8) | (bytes[at++] as number)) & 0xff_ffff;
      bits += 8;
    }
    if (bits < width) break;
    const code = (held >> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === END) break;
    if (code === CLEAR) {
      [codes, width, lastLength] = [258, 9, 0];
      continue;
    }
    const isNew = code >= codes;
    if (isNew && (code > codes || lastLength === 0)) break;
    const from = code < 256 ? -1 : isNew ? lastStart : (starts[code] as number);
    const size = code < 256 ? 1 : isNew ? lastLength + 1 : (lengths[code] as number);
    if (length + size > bytesMax) break;
    if (length + size > out.length) out = Buffer.concat([out], 2 * (length + size));
    const start = length;
    if (from < 0) out[length++] = code;
    else for (let i = 0; i < size; i++) out[length++] = out[from + i] as number;
    if (lastLength > 0 && codes < CODES_MAX) {
      starts[codes] = lastStart;
      lengths[codes++] = lastLength + 1;
      if (codes + early >= 1 << width && width < 12) width++;
    }
    [lastStart, lastLength] = [start, size];
  }
  return out.subarray(0, length);
}

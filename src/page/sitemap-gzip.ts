/**
 * Sitemaps come gzipped under any name and type, so the first bytes decide, not the label.
 *
 * The size of what comes out is bounded. A file that grows beyond the bound gives its
 * beginning: deflate cannot swell more than 1,032 times, so a start of the input that must
 * fit is inflated first, and its ratio tells how much more is worth a try.
 */
import { constants, gunzipSync } from 'node:zlib';

/** The protocol's own limit on an uncompressed sitemap. */
export const SITEMAP_BYTES_MAX = 50 * 1024 * 1024;

const DEFLATE_RATIO_MAX = 1_032;
const GZIP_LAYERS_MAX = 2;
/** Each may inflate as much as the bound. */
const TRIES_MAX = 8;

export interface Unpacked {
  readonly body: Uint8Array;
  readonly flaw?: 'damaged-gzip' | 'too-big';
}

export function unpack(packed: Uint8Array, bytesMax: number = SITEMAP_BYTES_MAX): Unpacked {
  let body = packed;
  for (let layer = 0; layer < GZIP_LAYERS_MAX && isGzip(body); layer += 1) {
    const inflated = inflate(body, bytesMax);
    if (inflated === 'damaged') return { body: new Uint8Array(0), flaw: 'damaged-gzip' };
    if (inflated === 'too-big') return { body: beginning(body, bytesMax), flaw: 'too-big' };
    body = inflated;
  }
  if (body.length > bytesMax) return { body: body.subarray(0, bytesMax), flaw: 'too-big' };
  return { body };
}

function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** A stream that merely ends early gives what it had; Z_SYNC_FLUSH forgives the missing end. */
function inflate(body: Uint8Array, bytesMax: number): Uint8Array | 'damaged' | 'too-big' {
  const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return gunzipSync(body, options);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too-big' : 'damaged';
  }
}

function beginning(body: Uint8Array, bytesMax: number): Uint8Array {
  const sure = Math.floor(bytesMax / DEFLATE_RATIO_MAX);
  const first = inflate(body.subarray(0, sure), bytesMax);
  if (typeof first === 'string') return new Uint8Array(0);
  const likely = (sure * bytesMax * 0.9) / Math.max(first.length, sure);
  let part = Math.min(Math.floor(likely), body.length);
  for (let tries = 0; tries < TRIES_MAX && part > sure; tries += 1) {
    const more = inflate(body.subarray(0, part), bytesMax);
    if (typeof more !== 'string') return more;
    part = Math.floor(part / 2);
  }
  return first;
}

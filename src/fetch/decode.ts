/**
 * Undoes the content-encoding of a body, never past a limit (H1, H4, Y2).
 *
 *   ordinary body    one synchronous call into zlib, output bounded by `maxOutputLength`
 *   anything odd     piece by piece, keeping what came out before it went wrong:
 *                    a bomb gives its first bytes, a cut stream what it held
 *   a wrong label    (gzip announced, text sent) gives the bytes as they are
 *
 * Nothing here throws for what a server sent. The cost of the worst body is that of decoding
 * `decodedBytesMax` bytes a few times over.
 */
import * as zlib from 'node:zlib';
import { decodePrefix } from './decode-prefix.ts';

export interface Decoded {
  /** The best that could be had: whole, or as far as the limit or the damage allowed. */
  readonly body: Uint8Array;
  readonly truncated?: 'decoded-limit';
  /** What was wrong with the encoding; the body is still worth reading. */
  readonly error?: string;
}

type Sync = (input: Uint8Array, options: zlib.ZlibOptions) => Buffer;

interface Codec {
  readonly sync: Sync;
  readonly engine: () => object;
  readonly finishFlush: number;
  /** Whether the bytes can be of this coding at all. */
  readonly fits: (body: Uint8Array) => boolean;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

const GZIP: Codec = {
  sync: zlib.gunzipSync,
  engine: () => zlib.createGunzip(),
  finishFlush: Z_SYNC_FLUSH,
  fits: (body) => body[0] === 0x1f && body[1] === 0x8b,
};

const ZLIB: Codec = {
  sync: zlib.inflateSync,
  engine: () => zlib.createInflate(),
  finishFlush: Z_SYNC_FLUSH,
  fits: (body) =>
    ((body[0] ?? 0) & 15) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0,
};

const RAW_DEFLATE: Codec = {
  sync: zlib.inflateRawSync,
  engine: () => zlib.createInflateRaw(),
  finishFlush: Z_SYNC_FLUSH,
  fits: (body) => ((body[0] ?? 7) & 6) !== 6,
};

const BROTLI: Codec = {
  sync: zlib.brotliDecompressSync as Sync,
  engine: () => zlib.createBrotliDecompress(),
  finishFlush: BROTLI_OPERATION_FLUSH,
  fits: () => true,
};

/** Node has zstd from 22.15 and 23.8; older ones neither ask for it nor undo it. */
const ZSTD: Codec | undefined =
  typeof zlib.zstdDecompressSync === 'function'
    ? {
        sync: zlib.zstdDecompressSync as Sync,
        engine: () => zlib.createZstdDecompress(),
        finishFlush: zlib.constants.ZSTD_e_flush,
        fits: (body) =>
          body[0] === 0x28 && body[1] === 0xb5 && body[2] === 0x2f && body[3] === 0xfd,
      }
    : undefined;

/** What this Node can undo, in the order in which we ask for it. */
export const CONTENT_CODINGS: readonly string[] =
  ZSTD === undefined ? ['gzip', 'deflate', 'br'] : ['gzip', 'deflate', 'br', 'zstd'];

/** One call for most pages: zlib's own 16 KB costs half as much again on a page of 45 KB. */
const CHUNK_BYTES = 64 * 1024;

/** More layers than this are a game, not a web page. */
const CODINGS_MAX = 3;

export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  decodedBytesMax: number,
): Decoded {
  if (contentEncoding === undefined || contentEncoding === '' || body.length === 0) {
    return withinLimit(body, decodedBytesMax);
  }
  const codings = codingsOf(contentEncoding);
  if (codings.length > CODINGS_MAX) {
    return { ...withinLimit(body, decodedBytesMax), error: `${codings.length} codings in a row` };
  }
  let done: Decoded = { body };
  for (let i = codings.length - 1; i >= 0; i--) {
    const layer = undo(done.body, codings[i] as string, decodedBytesMax);
    const error = done.error ?? layer.error;
    const truncated = done.truncated ?? layer.truncated;
    done = { body: layer.body, ...(truncated && { truncated }), ...(error && { error }) };
  }
  const { truncated } = withinLimit(done.body, decodedBytesMax);
  return truncated === undefined ? done : { ...done, ...withinLimit(done.body, decodedBytesMax) };
}

function codingsOf(contentEncoding: string): string[] {
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity' && one !== 'none');
}

function withinLimit(body: Uint8Array, limit: number): Decoded {
  if (body.length <= limit) return { body };
  return { body: body.subarray(0, limit), truncated: 'decoded-limit' };
}

function undo(body: Uint8Array, coding: string, limit: number): Decoded {
  const codec = codecOf(coding, body);
  if (typeof codec === 'string') return { body, error: codec };
  if (!codec.fits(body)) return { body, error: `not ${coding}, although announced` };
  try {
    const { finishFlush } = codec;
    const options = { maxOutputLength: limit, finishFlush, chunkSize: CHUNK_BYTES };
    return { body: codec.sync(body, options) };
  } catch {
    return undoInPieces(codec, body, coding, limit);
  }
}

function undoInPieces(codec: Codec, body: Uint8Array, coding: string, limit: number): Decoded {
  const prefix = decodePrefix(codec.engine, body, codec.finishFlush, limit);
  if (prefix.isFull) return { body: prefix.bytes, truncated: 'decoded-limit' };
  if (prefix.bytes.length > 0) return { body: prefix.bytes, error: `damaged ${coding}` };
  if (looksLikeText(body)) return { body, error: `not ${coding}, although announced` };
  return { body: body.subarray(0, 0), error: `damaged ${coding}` };
}

/** No control bytes at the start but tab and line ends: someone forgot to compress it. */
function looksLikeText(body: Uint8Array): boolean {
  for (let i = 0; i < body.length && i < 64; i++) {
    const byte = body[i] as number;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) return false;
  }
  return true;
}

function codecOf(coding: string, body: Uint8Array): Codec | string {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return GZIP;
    case 'deflate':
    case 'x-deflate':
      return ZLIB.fits(body) ? ZLIB : RAW_DEFLATE;
    case 'br':
      return BROTLI;
    case 'zstd':
      return ZSTD ?? 'zstd needs Node 22.15 or later';
    default:
      return `unknown coding ${coding.slice(0, 40)}`;
  }
}

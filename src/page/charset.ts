/**
 * Which encoding a body is in (H5), decided in the order of browsers:
 *
 *   byte order mark → Content-Type charset → what the page declares → our guess
 *
 * The guess is ours: UTF-8 if the bytes are valid UTF-8 (a cut last character is forgiven,
 * because bodies are cut at a size), windows-1252 if not. XML types declare themselves with
 * their XML declaration only, and are UTF-8 by default, as XML says.
 */
import { isUtf8 } from 'node:buffer';
import { encodingOf } from './charset-labels.ts';
import { declaredEncoding, PRESCAN_BYTES, xmlEncoding } from './charset-prescan.ts';
import { parseContentType } from './content-type.ts';

/** The Encoding Standard's name (`UTF-8`, `windows-1252`, `Shift_JIS` …). */
export function sniffCharset(body: Uint8Array, contentType?: string): string {
  const marked = byteOrderMark(body);
  if (marked !== undefined) return marked;
  const type = contentType === undefined ? undefined : parseContentType(contentType);
  const named = type?.charset === undefined ? undefined : encodingOf(type.charset);
  if (named !== undefined) return named;
  if (type !== undefined && isXml(type.essence)) return xmlEncoding(start(body)) ?? 'UTF-8';
  return declaredEncoding(body) ?? (isUtf8(wholeCharacters(body)) ? 'UTF-8' : 'windows-1252');
}

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'UTF-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'UTF-16BE';
  if (body[0] === 0xff && body[1] === 0xfe) return 'UTF-16LE';
  return undefined;
}

function isXml(essence: string): boolean {
  return essence === 'text/xml' || essence === 'application/xml' || essence.endsWith('+xml');
}

function start(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES)).toString(
    'latin1',
  );
}

/** The body without a last character that was cut in the middle. */
function wholeCharacters(body: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= body.length; back++) {
    const byte = body[body.length - back] ?? 0;
    if (byte < 0x80) return body;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? body.subarray(0, body.length - back) : body;
  }
  return body;
}

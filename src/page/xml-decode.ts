/**
 * The text of an XML document: by its byte order mark, else by the encoding that its own
 * declaration names, else UTF-8 (XML 1.0, appendix F). Never throws; what cannot be decoded
 * becomes U+FFFD.
 */
import { Buffer } from 'node:buffer';
import { encodingOf } from './charset-labels.ts';
import { decode } from './decode.ts';

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']/;
const DECLARATION_BYTES = 400;

export function decodeXml(body: Uint8Array): string {
  return decode(body, xmlEncodingOf(body));
}

/** As the Encoding Standard names it. */
export function xmlEncodingOf(body: Uint8Array): string {
  return marked(body) ?? declared(body);
}

/** By its first bytes: a mark, or a `<` that takes two. */
function marked([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'UTF-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return 'UTF-16LE';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0)) return 'UTF-16BE';
  return undefined;
}

function declared(body: Uint8Array): string {
  const start = body.subarray(0, DECLARATION_BYTES);
  const head = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1');
  const name = encodingOf(DECLARED.exec(head)?.[1] ?? '');
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says; and one that
  // names what browsers refuse (ISO-2022-KR) mostly stands before plain ASCII.
  const isUsable = name !== undefined && name !== 'replacement' && !name.startsWith('UTF-16');
  return isUsable ? name : 'UTF-8';
}

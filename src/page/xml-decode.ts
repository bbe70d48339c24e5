/**
 * The text of an XML document: by its byte order mark, else by the encoding that its own
 * declaration names, else UTF-8 (XML 1.0, appendix F). Never throws; what cannot be decoded
 * becomes U+FFFD.
 */
import { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']/;
const DECLARATION_BYTES = 400;

export function decodeXml(body: Uint8Array): string {
  return decoderFor(body).decode(body);
}

function decoderFor(body: Uint8Array): TextDecoder {
  const [a, b, c, d] = [body[0], body[1], body[2], body[3]];
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder('utf-8');
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) {
    return new TextDecoder('utf-16le');
  }
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0)) {
    return new TextDecoder('utf-16be');
  }
  return declaredDecoder(body);
}

function declaredDecoder(body: Uint8Array): TextDecoder {
  const start = body.subarray(0, DECLARATION_BYTES);
  const head = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1');
  const label = DECLARED.exec(head)?.[1]?.toLowerCase();
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  if (label === undefined || label.startsWith('utf-16')) return new TextDecoder('utf-8');
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}

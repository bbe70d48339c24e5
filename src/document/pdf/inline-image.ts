/** A picture inside a content stream: bytes of any kind between `ID` and `EI`, to be passed over. */
import type { Lexer } from './lexer.ts';

const SPACE = new Set([0, 9, 10, 12, 13, 32]);
/** What follows the end is text again: so many bytes of it are looked at. */
const AFTER_BYTES = 12;

export function skipInlineImage(lexer: Lexer): void {
  const { bytes } = lexer;
  for (let at = lexer.at + 1; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
    if (!SPACE.has(bytes[at - 1] as number)) continue;
    if (isText(bytes.subarray(at + 2, at + 2 + AFTER_BYTES))) {
      lexer.at = at + 2;
      return;
    }
  }
  lexer.at = bytes.length;
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.length > 0 && !SPACE.has(bytes[0] as number)) return false;
  return bytes.every((byte) => (byte >= 32 && byte < 127) || SPACE.has(byte));
}

/**
 * A string that stands alone. A slice of a page keeps the whole page in memory: what is remembered
 * longer than the page must not.
 */

/** Longer texts, which are rare, get room of their own. */
const room = Buffer.allocUnsafeSlow(2_048);

export function ownCopy(text: string): string {
  if (!isOneByte(text)) return Buffer.from(text, 'utf16le').toString('utf16le');
  if (text.length > room.length) return Buffer.from(text, 'latin1').toString('latin1');
  return room.toString('latin1', 0, room.write(text, 'latin1'));
}

/** Anything above U+00FF would not survive latin1. */
function isOneByte(text: string): boolean {
  let codes = 0;
  for (let at = 0; at < text.length; at++) codes |= text.charCodeAt(at);
  return codes <= 0xff;
}

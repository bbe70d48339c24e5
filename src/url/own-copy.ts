/**
 * A string that stands alone. A slice of a page keeps the whole page in memory: what is remembered
 * longer than the page must not.
 */

/** Anything above U+00FF would not survive latin1. */
function isOneByte(text: string): boolean {
  return !/[^\0-\xff]/.test(text);
}

export function ownCopy(text: string): string {
  return isOneByte(text)
    ? Buffer.from(text, 'latin1').toString('latin1')
    : Buffer.from(text, 'utf16le').toString('utf16le');
}

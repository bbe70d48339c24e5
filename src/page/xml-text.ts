/**
 * The small print of XML: attributes out of a tag's raw text, and references in text.
 *
 * Linear in the text; an attribute that is broken is passed over, a reference that XML itself
 * does not define stays as written.
 */
const SLASH = 47;

/** An attribute's value out of the raw text of a tag; `name` in lower case. */
export function xmlAttribute(attributes: string, name: string): string | undefined {
  let at = 0;
  while (at < attributes.length) {
    const start = skipWhile(attributes, at, isBetween);
    const end = skipWhile(attributes, start, isNameChar);
    const equals = skipWhile(attributes, end, isSpace);
    if (attributes[equals] !== '=') {
      at = Math.max(equals, start + 1);
      continue;
    }
    const value = valueAt(attributes, skipWhile(attributes, equals + 1, isSpace));
    if (attributes.slice(start, end).toLowerCase() === name) {
      return decodeEntities(attributes.slice(value.from, value.to));
    }
    at = value.to + 1;
  }
  return undefined;
}

function valueAt(attributes: string, at: number): { from: number; to: number } {
  const quote = attributes[at];
  if (quote !== '"' && quote !== "'") {
    return { from: at, to: skipWhile(attributes, at, (code) => !isSpace(code)) };
  }
  const close = attributes.indexOf(quote, at + 1);
  return { from: at + 1, to: close < 0 ? attributes.length : close };
}

function skipWhile(text: string, from: number, holds: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && holds(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code <= 32;
}

function isBetween(code: number): boolean {
  return code <= 32 || code === SLASH || code === 34 || code === 39;
}

function isNameChar(code: number): boolean {
  return code > 32 && code !== 61 && code !== SLASH && code !== 34 && code !== 39;
}

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** XML's own five entities and character references; all others stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[name]!;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

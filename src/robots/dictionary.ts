/**
 * A structured field dictionary (RFC 9651, 3.2), as far as usage preferences need it:
 *
 *   train-ai=n, search=y;since=2025   →   train-ai: 'n', search: 'y'
 *
 * Strict, as the RFC demands: one wrong character and nothing was said. Only tokens have a
 * value here; every other type is known to be there and has none. The last of a name counts.
 *
 * Reads forward only, each character a constant number of times, whatever the text.
 */

/** Undefined for a value that is no token. */
export type Dictionary = ReadonlyMap<string, string | undefined>;

const KEY = /[a-z*][a-z0-9_\-.*]*/y;
const TOKEN = /[A-Za-z*][!#$%&'*+\-.^_`|~:/0-9A-Za-z]*/y;
/** By the character that it begins with. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  '"': /"(?:[ !#-[\]-~]|\\["\\])*"/y,
  ':': /:[A-Za-z0-9+/=]*:/y,
  '?': /\?[01]/y,
  '@': /@-?\d{1,15}/y,
  '%': /%"(?:[ !#$&-~]|%[0-9a-f]{2})*"/y,
};
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})/y;
const SPACES = / */y;
const BLANKS = /[ \t]*/y;

/** Undefined when it is no dictionary. */
export function parseDictionary(text: string): Dictionary | undefined {
  const found = new Map<string, string | undefined>();
  const reader = new Reader(text.replace(/^ +| +$/g, ''));
  while (!reader.isAtEnd) {
    const key = reader.take(KEY);
    if (key === undefined) return undefined;
    const value = reader.takeIf('=') ? reader.member() : { token: undefined };
    if (value === undefined || !reader.parameters()) return undefined;
    found.set(key, value.token);
    reader.take(BLANKS);
    if (reader.isAtEnd) return found;
    if (!reader.takeIf(',')) return undefined;
    reader.take(BLANKS);
    if (reader.isAtEnd) return undefined;
  }
  return found;
}

interface Value {
  readonly token: string | undefined;
}

const NO_TOKEN: Value = { token: undefined };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }

  takeIf(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  member(): Value | undefined {
    return this.takeIf('(') ? this.#innerList() : this.#item();
  }

  /** False when they are broken. */
  parameters(): boolean {
    while (this.takeIf(';')) {
      this.take(SPACES);
      if (this.take(KEY) === undefined) return false;
      if (this.takeIf('=') && this.#item() === undefined) return false;
    }
    return true;
  }

  #item(): Value | undefined {
    const token = this.take(TOKEN);
    if (token !== undefined) return { token };
    const pattern = OTHERS[this.#text[this.#at] ?? ''] ?? NUMBER;
    return this.take(pattern) === undefined ? undefined : NO_TOKEN;
  }

  #innerList(): Value | undefined {
    for (;;) {
      const space = this.take(SPACES);
      if (this.takeIf(')')) return NO_TOKEN;
      const isFirst = this.#text[this.#at - 1] === '(';
      if (space === '' && !isFirst) return undefined;
      if (this.#item() === undefined || !this.parameters()) return undefined;
    }
  }
}

/**
 * HTML as tokens: start tags, end tags and text, from a string.
 *
 * Any input ends, in linear time: what is not closed goes to the end of the page, as browsers
 * have it, so nothing is searched for twice. One object is overwritten for every token.
 *
 * Not here: what a tag means for the tree (tree.ts).
 */
import { readReference } from '../page/references.ts';
import { bitsOf, RAW } from './elements.ts';

export type TokenKind = 'start' | 'end' | 'text' | 'eof';

/** Attributes that somebody here reads; all others are passed over. */
const READ_ATTRIBUTES = new Set([
  ...['href', 'src', 'alt', 'class', 'id', 'name', 'role', 'hidden', 'style', 'lang', 'start'],
  ...['value', 'colspan', 'rowspan', 'align', 'content', 'property', 'type', 'datetime', 'open'],
  ...['aria-hidden', 'data-src', 'data-lang', 'data-language', 'width', 'height', 'itemprop'],
  ...['encoding', 'aria-label', 'rel', 'http-equiv', 'aria-modal', 'xml:lang', 'reversed'],
]);
const VALUE_CHARS_MAX = 16_384;

const [TAB, SPACE, QUOTE, APOSTROPHE, SLASH] = [9, 32, 34, 39, 47];
const [EQUALS, GREATER] = [61, 62];

export class Tokens {
  kind: TokenKind = 'text';
  /** In lower case. */
  name = '';
  /** As written, references and all. */
  text = '';
  isSelfClosing = false;
  attributes: Map<string, string> | undefined;
  readonly #html: string;
  #at = 0;
  /** The element whose raw text comes next. */
  #raw = '';

  constructor(html: string) {
    this.#html = html;
  }

  next(): TokenKind {
    if (this.#at >= this.#html.length) return this.#give('eof');
    if (this.#raw !== '') return this.#rawText();
    for (;;) {
      const open = this.#html.indexOf('<', this.#at);
      if (open < 0) return this.#textUpTo(this.#html.length);
      const kind = this.#kindAt(open);
      if (kind === 'text') {
        const next = this.#html.indexOf('<', open + 1);
        return this.#textUpTo(next < 0 ? this.#html.length : next);
      }
      if (open > this.#at) return this.#textUpTo(open);
      if (kind === 'comment') {
        this.#at = this.#commentEnd(open);
        if (this.#at >= this.#html.length) return this.#give('eof');
        continue;
      }
      return this.#tag(open, kind);
    }
  }

  #give(kind: TokenKind): TokenKind {
    this.kind = kind;
    return kind;
  }

  #kindAt(open: number): 'text' | 'comment' | 'start' | 'end' {
    const code = this.#html.charCodeAt(open + 1);
    if (isLetter(code)) return 'start';
    if (code === SLASH) return isLetter(this.#html.charCodeAt(open + 2)) ? 'end' : 'comment';
    return code === 33 || code === 63 ? 'comment' : 'text';
  }

  #textUpTo(end: number): TokenKind {
    this.text = this.#html.slice(this.#at, end);
    this.#at = end;
    return this.#give('text');
  }

  #commentEnd(open: number): number {
    const html = this.#html;
    const isComment = html.startsWith('<!--', open);
    if (isComment && html.startsWith('>', open + 4)) return open + 5;
    const isCdata = !isComment && html.startsWith('<![CDATA[', open);
    const closing = isComment ? '-->' : isCdata ? ']]>' : '>';
    const end = html.indexOf(closing, open + 2);
    return end < 0 ? html.length : end + closing.length;
  }

  #tag(open: number, kind: 'start' | 'end'): TokenKind {
    const html = this.#html;
    const from = open + (kind === 'end' ? 2 : 1);
    let at = from;
    while (at < html.length && !endsName(html.charCodeAt(at))) at++;
    this.name = html.slice(from, at).toLowerCase();
    this.attributes = undefined;
    this.isSelfClosing = false;
    this.#at = this.#readAttributes(at);
    if (this.#at < 0) {
      this.#at = html.length;
      return this.#give('eof');
    }
    if (kind === 'start' && (bitsOf(this.name) & RAW) !== 0) this.#raw = this.name;
    return this.#give(kind);
  }

  /** Behind the `>`; negative when there is none. */
  #readAttributes(from: number): number {
    const html = this.#html;
    let at = from;
    for (;;) {
      while (at < html.length && isBetween(html.charCodeAt(at))) at++;
      if (at >= html.length) return -1;
      if (html.charCodeAt(at) === GREATER) {
        this.isSelfClosing = html.charCodeAt(at - 1) === SLASH;
        return at + 1;
      }
      const nameAt = at++;
      while (at < html.length && !endsAttribute(html.charCodeAt(at))) at++;
      const nameEnd = at;
      while (at < html.length && isSpace(html.charCodeAt(at))) at++;
      if (html.charCodeAt(at) !== EQUALS) {
        this.#keep(nameAt, nameEnd, '');
        continue;
      }
      at++;
      while (at < html.length && isSpace(html.charCodeAt(at))) at++;
      at = this.#readValue(nameAt, nameEnd, at);
      if (at < 0) return -1;
    }
  }

  #readValue(nameAt: number, nameEnd: number, from: number): number {
    const html = this.#html;
    const quote = html.charCodeAt(from);
    if (quote === QUOTE || quote === APOSTROPHE) {
      const end = html.indexOf(quote === QUOTE ? '"' : "'", from + 1);
      if (end < 0) return -1;
      this.#keep(nameAt, nameEnd, html.slice(from + 1, end));
      return end + 1;
    }
    let at = from;
    while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== GREATER)
      at++;
    this.#keep(nameAt, nameEnd, html.slice(from, at));
    return at;
  }

  #keep(nameAt: number, nameEnd: number, value: string): void {
    if (nameEnd - nameAt > 16) return;
    const name = this.#html.slice(nameAt, nameEnd).toLowerCase();
    if (!READ_ATTRIBUTES.has(name)) return;
    this.attributes ??= new Map();
    if (this.attributes.has(name)) return;
    this.attributes.set(name, decoded(value.slice(0, VALUE_CHARS_MAX), true));
  }

  /** The text of a raw element, then its end tag as any other. */
  #rawText(): TokenKind {
    const name = this.#raw;
    this.#raw = '';
    if (name === 'plaintext') return this.#textUpTo(this.#html.length);
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = this.#at;
    const found = closing.exec(this.#html);
    return this.#textUpTo(found === null ? this.#html.length : found.index);
  }
}

/** With its character references expanded. */
export function decoded(value: string, inAttribute: boolean): string {
  let at = value.indexOf('&');
  if (at < 0) return value;
  let out = '';
  let from = 0;
  for (; at >= 0; at = value.indexOf('&', Math.max(at + 1, from))) {
    const reference = readReference(value, at, value.length, inAttribute);
    if (reference.length === 0) continue;
    out += value.slice(from, at) + reference.text;
    from = at + reference.length;
  }
  return out + value.slice(from);
}

function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= 13 && code !== 11);
}

function isBetween(code: number): boolean {
  return isSpace(code) || code === SLASH;
}

function endsName(code: number): boolean {
  return isSpace(code) || code === SLASH || code === GREATER;
}

function endsAttribute(code: number): boolean {
  return endsName(code) || code === EQUALS;
}

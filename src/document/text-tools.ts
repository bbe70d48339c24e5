/**
 * What the readers of text share: bytes to characters, words without control characters, and the
 * URLs that a text writes out.
 *
 * Linear in the text, whatever it holds.
 */
import { isUtf8 } from 'node:buffer';
import { decode, sniffCharset } from '../page/index.ts';
import { xmlEncodingOf } from '../page/xml-decode.ts';
import type { DocumentLink, DocumentPage } from './plugin.ts';

/** Kept of a title; and of the text of one link. */
export const TITLE_CHARS_MAX = 500;
const LINK_TEXT_CHARS_MAX = 200;
/** What such a text has at most of bytes that no text has. */
const CONTROL_SHARE_MAX = 0.02;
const LOOKED_AT_BYTES = 4_096;
/** What a byte that is no character becomes. */
const BROKEN = '\ufffd';

/** The charset of the header or the marks of the text itself; else UTF-8 if it is valid. */
export function textOf({ body, headers }: Pick<DocumentPage, 'body' | 'headers'>): string {
  return decode(body, sniffCharset(body, headers['content-type'])).replace(/^\ufeff/, '');
}

/**
 * XML: its own marks and declaration, unless the header names a charset. Where most of the bytes
 * are not the UTF-8 that was said or taken for granted, they are windows-1252.
 */
export function xmlTextOf({ body, headers }: Pick<DocumentPage, 'body' | 'headers'>): string {
  const type = headers['content-type'] ?? '';
  const isWide = body[0] === 0 || body[1] === 0 || (body[0] ?? 0) >= 0xfe;
  const said = isWide || !/charset/i.test(type) ? undefined : sniffCharset(body, type);
  if (said !== undefined && said !== 'UTF-8') return decode(body, said);
  const charset = xmlEncodingOf(body);
  const text = decode(body, charset);
  const isOther = charset === 'UTF-8' && !isUtf8(body) && isMostlyBroken(text);
  return isOther ? decode(body, 'windows-1252') : text;
}

/** A last character that was cut off is forgiven, and a few bad bytes among good ones are. */
function isMostlyBroken(text: string): boolean {
  const end = text.endsWith(BROKEN) ? text.length - 1 : text.length;
  let balance = 0;
  for (let i = 0; i < end; i++) {
    if (text.charCodeAt(i) >= 0x80) balance += text[i] === BROKEN ? 1 : -1;
  }
  return balance > 0;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g;

/** Nothing but words and line ends, at most that many characters. */
export function withoutControls(text: string, charsMax: number): string {
  const cut = text.length > charsMax ? text.slice(0, charsMax) : text;
  return cut.replace(CONTROLS, ' ');
}

/** On one line, with single spaces. */
export function line(text: string, charsMax: number = LINK_TEXT_CHARS_MAX): string {
  const flat = text
    .slice(0, 4 * charsMax)
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return flat.slice(0, charsMax);
}

/** Something else under the name of text: a picture, an archive, random bytes. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, LOOKED_AT_BYTES);
  const controls = start.match(CONTROLS)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
  return controls > CONTROL_SHARE_MAX * start.length;
}

const BARE_URL =
  /\bhttps?:\/\/[^\s<>"'`{}|\\^\u00a0\u2018-\u201d\u2028\u2029\u00ab\u00bb\u3000-\u3002\uff08\uff09\uff0c]{1,2000}/gi;

/** URLs that stand in a text: nobody made them links, so they count for less (kind `text`). */
export function bareUrls(text: string, max: number): DocumentLink[] {
  const links: DocumentLink[] = [];
  for (const [found] of text.matchAll(BARE_URL)) {
    if (links.length >= max) break;
    links.push({ href: withoutTail(found), kind: 'text' });
  }
  return links;
}

/** What ends a sentence is no part of a URL; a bracket is when it was opened in it. */
function withoutTail(url: string): string {
  const open = { ')': countOf(url, '('), ']': countOf(url, '[') };
  const closed = { ')': countOf(url, ')'), ']': countOf(url, ']') };
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1] as string;
    if (last === ')' || last === ']') {
      if (closed[last] <= open[last]) break;
      closed[last]--;
    } else if (!'.,;:!?*_~'.includes(last)) break;
  }
  return url.slice(0, end);
}

function countOf(text: string, char: string): number {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) count++;
  return count;
}

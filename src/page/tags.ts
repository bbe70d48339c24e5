/**
 * Tag names as small numbers.
 *
 * Every tag of a page is looked up, so a name of up to eight letters is packed into two
 * integers and found in an open table without making a string. Numbers below `PLAIN` are tags
 * that the scanner acts on; the rest only shape the text (GAP), break out of SVG (BREAKOUT) or
 * say which part of the page this is (ZONE).
 */
import { CLASS, ENDS_TAG_NAME, GREATER } from './bytes.ts';

/** The number of each tag that the scanner acts on. */
export const TAG = {
  a: 1,
  area: 2,
  link: 3,
  meta: 4,
  base: 5,
  title: 6,
  script: 7,
  style: 8,
  textarea: 9,
  template: 10,
  noscript: 11,
  iframe: 12,
  frame: 13,
  frameset: 14,
  noframes: 15,
  noembed: 16,
  xmp: 17,
  plaintext: 18,
  html: 19,
  svg: 20,
  math: 21,
  img: 22,
  source: 23,
  form: 24,
} as const;
const ACTING = Object.keys(TAG);
export const PLAIN = ACTING.length + 1;

/** Ordinary inside a line: letters on both sides of such a tag are one word. */
const INLINE = [
  ...['abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'data', 'del', 'dfn', 'em'],
  ...['font', 'i', 'ins', 'kbd', 'mark', 'nobr', 'q', 's', 'samp', 'small', 'span', 'strike'],
  ...['strong', 'sub', 'sup', 'time', 'tt', 'u', 'var'],
];
const BREAKS_OUT = [
  ...['b', 'big', 'blockquote', 'body', 'br', 'center', 'code', 'dd', 'div', 'dl', 'dt', 'em'],
  ...['embed', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'hr', 'i', 'img', 'li', 'listing'],
  ...['menu', 'meta', 'nobr', 'ol', 'p', 'pre', 'ruby', 's', 'small', 'span', 'strong', 'strike'],
  ...['sub', 'sup', 'table', 'tt', 'u', 'ul', 'var'],
];
/** Elements of SVG and of MathML whose children are HTML again. */
const SVG_ISLANDS = ['foreignobject', 'desc', 'title'];
const MATH_ISLANDS = ['mi', 'mo', 'mn', 'ms', 'mtext'];
/** May stand before a frameset without making the page an ordinary one. */
const IN_HEAD = ['head', 'bgsound', 'basefont'];

/** Parts of a page that all pages of a site share, and those that are the page's own. */
const ZONES = ['nav', 'header', 'footer', 'aside', 'menu', 'main', 'article'];

export const GAP_NONE = 0;
export const GAP_INLINE = 1;
export const GAP_WORDS = 2;

const names: string[] = [...ACTING];
for (const name of [
  ...INLINE,
  'wbr',
  ...BREAKS_OUT,
  ...SVG_ISLANDS,
  ...MATH_ISLANDS,
  'annotation-xml',
  ...IN_HEAD,
  ...ZONES,
]) {
  if (!names.includes(name)) names.push(name);
}
const numberOf = (name: string): number => names.indexOf(name) + 1;

/** What a start tag puts between the words around it; end tags of `a` are the exception. */
export const GAP = new Uint8Array(names.length + 1).fill(GAP_WORDS);
export const BREAKOUT = new Uint8Array(names.length + 1);
export const SVG_ISLAND = new Uint8Array(names.length + 1);
export const MATH_ISLAND = new Uint8Array(names.length + 1);
export const HEAD_ONLY = new Uint8Array(names.length + 1);
/** 1 to 7 in the order of zones.ts; 0 for all other tags. */
export const ZONE = new Uint8Array(names.length + 1);
for (const name of ZONES) ZONE[numberOf(name)] = ZONES.indexOf(name) + 1;
for (const name of INLINE) GAP[numberOf(name)] = GAP_INLINE;
GAP[numberOf('wbr')] = GAP_NONE;
for (const name of BREAKS_OUT) BREAKOUT[numberOf(name)] = 1;
for (const name of SVG_ISLANDS) SVG_ISLAND[numberOf(name)] = 1;
for (const name of MATH_ISLANDS) MATH_ISLAND[numberOf(name)] = 1;
for (const name of ['html', 'title', 'script', 'style', 'template', 'noscript', 'link', 'meta']) {
  HEAD_ONLY[numberOf(name)] = 1;
}
for (const name of ['base', 'frameset', 'frame', 'noframes', ...IN_HEAD]) {
  HEAD_ONLY[numberOf(name)] = 1;
}
export const DIV = numberOf('div');
export const MTEXT = numberOf('mtext');
export const ANNOTATION_XML = numberOf('annotation-xml');

const SIZE = 512;
const firstHalf = new Int32Array(SIZE);
const secondHalf = new Int32Array(SIZE);
const numbers = new Uint8Array(SIZE);
const longNames = new Map<string, number>();

function pack(name: string, from: number): number {
  let packed = 0;
  for (const letter of name.slice(from, from + 4)) packed = (packed << 8) | letter.charCodeAt(0);
  return packed;
}

function place(a: number, b: number): number {
  return ((Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 20) & (SIZE - 1);
}

for (const name of names) {
  if (name.length > 8) longNames.set(name, numberOf(name));
  else {
    let slot = place(pack(name, 0), pack(name, 4));
    while (numbers[slot] !== 0) slot = (slot + 1) & (SIZE - 1);
    firstHalf[slot] = pack(name, 0);
    secondHalf[slot] = pack(name, 4);
    numbers[slot] = numberOf(name);
  }
}

/** Where the name ends that `readTagName` read last. */
export const tagName = { end: 0 };

/** The number of the tag whose name starts at `from`, 0 for one we don't know. */
export function readTagName(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let a = 0;
  let b = 0;
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte <= GREATER && (CLASS[byte] as number) & ENDS_TAG_NAME) break;
    const letter = byte | 0x20;
    if (at - from < 4) a = (a << 8) | letter;
    else if (at - from < 8) b = (b << 8) | letter;
  }
  tagName.end = at;
  if (at - from > 8) return at - from > 14 ? 0 : longNumber(bytes, from, at);
  for (let slot = place(a, b); numbers[slot] !== 0; slot = (slot + 1) & (SIZE - 1)) {
    if (firstHalf[slot] === a && secondHalf[slot] === b) return numbers[slot] as number;
  }
  return 0;
}

function longNumber(bytes: Uint8Array, from: number, to: number): number {
  let name = '';
  for (let at = from; at < to; at++) name += String.fromCharCode((bytes[at] as number) | 0x20);
  return longNames.get(name) ?? 0;
}

/**
 * Tag names as small numbers, and what each tag does, as tables for the kernel (kernel-tables.ts).
 *
 * Numbers below `PLAIN` are tags that the scanner acts on; the rest only shape the text (GAP),
 * break out of SVG (BREAKOUT) or say which part of the page this is (ZONE).
 */
import * as numbers from './kernel-tags.ts';

/** Tags that have a number of their own there, in its order: `TAG_ANNOTATION_XML` is the last. */
const NUMBERED = Object.entries(numbers)
  .filter(([name]) => name.startsWith('TAG_'))
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => name.slice('TAG_'.length).toLowerCase().replace('_', '-'));

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

const GAP_NONE = 0;
const GAP_INLINE = 1;
const GAP_WORDS = 2;

/** The tag's number is its place here, counted from 1. */
export const names: string[] = [...NUMBERED];
for (const name of [
  ...INLINE,
  'wbr',
  ...BREAKS_OUT,
  ...SVG_ISLANDS,
  ...MATH_ISLANDS,
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
/** 1 to 7 in the order of ../../kernel/zones.ts; 0 for all other tags. */
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

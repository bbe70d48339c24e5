/**
 * What hrefs meant on the last pages: pages of one site carry the same menus and refer to the same
 * neighbours, so most of their links have been resolved before.
 *
 *   a.html  ../a.html  /x/a.html  https://own-host/x/a.html   by the path of the site they lead to
 *   https://h/p   means the same anywhere                    others by what they say in the folder
 *
 * An href is looked up where it stands in the page, as bytes, by the kernel (hrefs.ts there): a
 * known link makes nothing new. The same string is handed out each time, which also spares
 * whoever looks it up next: its hash is known.
 *
 * And of a page's links most say again what one before them said: a page of documentation has 157
 * links to 34 targets. So a target is listed once, and a link is its target's number.
 *
 * On a page in a legacy encoding a query means other bytes than elsewhere, unless it is plain ASCII:
 * that one is resolved each time, and not kept.
 *
 * A table of fixed size with a few places for each hash; what finds all of them taken takes
 * the first. Numbers of folders and sites (known-folders.ts) are never given out twice, so one that
 * was forgotten is never mistaken for another.
 */
import { hasForeignScheme, type LinkResolver, ownCopy } from '../url/index.ts';
import { attributeText } from './attribute-text.ts';
import { asksInUtf8 } from './encode.ts';
import type { Kernel } from './kernel.ts';
import { HREF_SLOTS } from './kernel-layout.ts';
import { enterFolder } from './known-folders.ts';

/** What the kernel says of an href without a slot. */
const SELF = -2;
const KEEPABLE = -3;
/** A scheme without slashes, or white space that the parser takes out: read against the page. */
const OF_THE_PAGE = /[\t\n\r]|^[^/?#]*:(?!\/)/;

/** By slot, undefined for what leads nowhere; the kernel knows which of them are taken. */
const urls: (string | undefined)[] = new Array<string>(HREF_SLOTS).fill('');

/** By slot: the page that met it last, and its number among the targets of that page. */
const met = new Int32Array(2 * HREF_SLOTS);
const PAGES_MAX = 0x7fffffff;
let pages = 0;

const [AMPERSAND, SEMICOLON, EQUALS, QUESTION] = [0x26, 0x3b, 0x3d, 0x3f];
const AMP = [0x61, 0x6d, 0x70];

/** Leads to nothing that can be crawled. */
export const NOWHERE = -1;

/** What the links of one page lead to. One that is spelled in two ways may be here twice. */
export class Targets {
  readonly urls: string[] = [];
  readonly #kernel: Kernel;
  readonly #resolve: LinkResolver;
  readonly #page = nextPage();
  readonly #isLegacy: boolean;
  #self: number | undefined;

  /** `resolve` is asked when the memory has no answer. */
  constructor(kernel: Kernel, baseUrl: string, resolve: LinkResolver, charset: string) {
    this.#kernel = kernel;
    this.#resolve = resolve;
    this.#isLegacy = !asksInUtf8(charset);
    enterFolder(kernel, baseUrl);
  }

  /** The number of the target that the href at these places of the kernel's memory leads to. */
  numberAt(first: number, past: number): number {
    const { bytes } = this.#kernel;
    // White space around an href means nothing. NUL is none: it stands for another character.
    let [from, to] = [first, past];
    while (from < to && isBlank(bytes[from] as number)) from++;
    while (to > from && isBlank(bytes[to - 1] as number)) to--;
    return from === to ? this.#itself() : this.#numberOf(from, to);
  }

  #itself(): number {
    this.#self ??= this.add(this.#resolve('#'));
    return this.#self;
  }

  #numberOf(from: number, to: number): number {
    if (this.#isLegacy && hasQueryBeyondAscii(this.#kernel.bytes, from, to)) {
      return this.add(this.#resolve(attributeText(this.#kernel.bytes, from, to)));
    }
    const slot = this.#kernel.exports.lookUpHref(from, to);
    if (slot >= 0) return this.#inSlot(slot);
    if (slot === SELF) return this.#itself();
    const { bytes } = this.#kernel;
    if (slot > KEEPABLE) return this.add(this.#resolve(attributeText(bytes, from, to)));
    const end = from + KEEPABLE - slot;
    const href = attributeText(bytes, from, end);
    const url = this.#resolve(href);
    if (url === undefined && !hasForeignScheme(href)) return NOWHERE;
    // As long as it stands in the page: then it is what stands there, no reference undone.
    const isPlain = href.length === end - from;
    const isOfThePage =
      OF_THE_PAGE.test(href) || (!isPlain && OF_THE_PAGE.test(bytes.toString('latin1', from, end)));
    return url && isOfThePage ? this.add(url) : this.#addTo(keep(this.#kernel, from, end, url));
  }

  add(url: string | undefined): number {
    return url === undefined ? NOWHERE : this.urls.push(url) - 1;
  }

  #inSlot(slot: number): number {
    return met[2 * slot] === this.#page ? (met[2 * slot + 1] as number) : this.#addTo(slot);
  }

  #addTo(slot: number): number {
    const number = this.add(urls[slot]);
    met[2 * slot] = this.#page;
    met[2 * slot + 1] = number;
    return number;
  }
}

function nextPage(): number {
  if (pages === PAGES_MAX) {
    met.fill(0);
    pages = 0;
  }
  pages++;
  return pages;
}

function keep({ exports }: Kernel, from: number, end: number, url: string | undefined): number {
  const slot = exports.keepHref(from, end);
  urls[slot] = url && ownCopy(url);
  return slot;
}

/** A reference may stand for any character, for the question mark too; NUL stands for another. */
function hasQueryBeyondAscii(bytes: Uint8Array, from: number, to: number): boolean {
  let isQuery = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (isQuery && (byte === 0 || byte >= 0x80)) return true;
    const isReference = byte === AMPERSAND && !isJustAmpersand(bytes, at + 1, to);
    if (isQuery && isReference) return true;
    if (byte === QUESTION || isReference) isQuery = true;
  }
  return false;
}

/** `&amp;`, or what begins the next parameter: no reference in an attribute has `=` behind it. */
function isJustAmpersand(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && isLetterOrDigit(bytes[at] as number)) at++;
  if (at < to && bytes[at] === EQUALS) return true;
  return (
    at - from === AMP.length &&
    bytes[at] === SEMICOLON &&
    AMP.every((b, i) => bytes[from + i] === b)
  );
}

function isLetterOrDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

function isBlank(byte: number): boolean {
  return byte <= 0x20 && byte !== 0;
}

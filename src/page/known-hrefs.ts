/**
 * What hrefs meant on the last pages: pages of one site carry the same menus, pages of one folder
 * refer to the same neighbours, so most of their links have been resolved before.
 *
 *   https://h/p   means the same anywhere     /x/y   on its site     a.html   in its folder
 *
 * An href is looked up where it stands in the page, as bytes, by the kernel (hrefs.ts there): a
 * known link makes nothing new. The same string is handed out each time, which also spares
 * whoever looks it up next: its hash is known.
 *
 * A table of fixed size with a few places for each hash; what finds all of them taken takes
 * the first. Numbers of folders are never given out twice, so a folder that was forgotten is
 * never mistaken for another.
 */
import { type LinkResolver, ownCopy } from '../url/index.ts';
import { attributeText } from './attribute-text.ts';
import type { Kernel } from './kernel.ts';
import { HREF_SLOTS } from './kernel-layout.ts';

const FOLDERS_MAX = 10_000;
/** What the kernel says of an href without a slot. */
const SELF = -2;
const KEEPABLE = -3;
/** A scheme without slashes, or white space that the parser takes out: read against the page. */
const OF_THE_PAGE = /[\t\n\r]|^[^/?#]*:(?!\/)/;

/** By slot; the kernel knows which of them are taken. */
const urls: string[] = new Array<string>(HREF_SLOTS).fill('');
const folders = new Map<string, number>();
let foldersEver = 0;

/** Answers what the href at these places of the kernel's memory leads to. */
export type HrefResolver = (from: number, to: number) => string | undefined;

/** `resolve` is asked when the memory has no answer. */
export function hrefResolver(kernel: Kernel, baseUrl: string, resolve: LinkResolver): HrefResolver {
  const { exports, bytes } = kernel;
  exports.setFolder(numberOf(folderOf(baseUrl)), numberOf(siteOf(baseUrl)));
  let page: string | undefined;
  return (from, to) => {
    const slot = exports.lookUpHref(from, to);
    if (slot >= 0) return urls[slot];
    if (slot === SELF) {
      page ??= resolve('#');
      return page;
    }
    if (slot > KEEPABLE) return resolve(attributeText(bytes, from, to));
    const end = from + KEEPABLE - slot;
    const href = attributeText(bytes, from, end);
    const url = resolve(href);
    if (url === undefined) return undefined;
    // As long as it stands in the page: then it is what stands there, no reference undone.
    const isPlain = href.length === end - from;
    return OF_THE_PAGE.test(isPlain ? href : bytes.toString('latin1', from, end))
      ? url
      : keep(kernel, from, end, url);
  };
}

function keep({ exports }: Kernel, from: number, end: number, url: string): string {
  const kept = ownCopy(url);
  urls[exports.keepHref(from, end)] = kept;
  return kept;
}

function numberOf(folder: string): number {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  if (folders.size >= FOLDERS_MAX) folders.clear();
  foldersEver++;
  folders.set(ownCopy(folder), foldersEver);
  return foldersEver;
}

/** Up to the first slash of the path; as a folder it has a name of its own. */
function siteOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  return end < 0 ? url : url.slice(0, end);
}

/** Up to the last slash of the path, query and fragment aside. */
function folderOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.slice(0, path.lastIndexOf('/') + 1);
}

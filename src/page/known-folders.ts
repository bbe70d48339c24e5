/**
 * Where a page stands, told to the kernel before its hrefs are looked up: its folder and its site
 * as numbers, and the folder's URL, from which the kernel finds out where hrefs lead.
 *
 *   http://h/a/b.html?q    folder http://h/a/    site http://h
 *
 * That is cutting text at slashes, so it holds for a URL as the parser writes it and no other:
 * `http:/h/a\b` and `http://h/a/..` stand elsewhere than they seem to. Such a base is a folder and a
 * site of its own. In a crawl there are none: pages and `<base>` have been parsed.
 */
import { ownCopy, parseHref } from '../url/index.ts';
import type { Kernel } from './kernel.ts';
import { FOLDER_AT, FOLDER_BYTES_MAX } from './kernel-layout.ts';

const FOLDERS_MAX = 10_000;
/** The last part of a path, if the parser may find a folder in it. */
const STRANGE_FILE = /^(?:\.|%2e)|[\\\t\n\r]/i;

interface Folder {
  readonly number: number;
  readonly site: number;
  readonly url: string;
  /** Of the URL, the site's; 0 when it is not as the parser writes it. */
  readonly siteBytes: number;
  /** With the path, if hrefs are known by where they lead from here. */
  readonly bytes: number;
}

const folders = new Map<string, Folder>();
const sites = new Map<string, number>();
let numbersEver = 0;

/** Hrefs that are looked up from now on stand on a page with this base. */
export function enterFolder(kernel: Kernel, baseUrl: string): void {
  const { number, site, url, siteBytes, bytes } = folderOf(baseUrl);
  if (bytes > siteBytes) kernel.bytes.write(url, FOLDER_AT, 'latin1');
  kernel.exports.setFolder(number, site, siteBytes, bytes);
}

function folderOf(baseUrl: string): Folder {
  const mark = baseUrl.search(/[?#]/);
  const end = mark < 0 ? baseUrl.length : mark;
  const fileAt = baseUrl.lastIndexOf('/', end) + 1;
  if (!STRANGE_FILE.test(baseUrl.slice(fileAt, end))) {
    const folder = remembered(baseUrl.slice(0, fileAt), folderAt);
    if (folder.siteBytes > 0) return folder;
  }
  return remembered(baseUrl, strangeAt);
}

function remembered(url: string, make: (url: string) => Folder): Folder {
  const known = folders.get(url);
  if (known !== undefined) return known;
  if (folders.size >= FOLDERS_MAX) folders.clear();
  const folder = make(ownCopy(url));
  folders.set(folder.url, folder);
  return folder;
}

function folderAt(url: string): Folder {
  if (parseHref(url) !== url) return strangeAt(url);
  const siteBytes = url.indexOf('/', url.indexOf('//') + 2);
  // Above a path that begins with two slashes is one that would be read as a host.
  const isKept = url.length <= FOLDER_BYTES_MAX && !url.startsWith('//', siteBytes);
  const bytes = isKept ? url.length : siteBytes;
  return { number: nextNumber(), site: siteOf(url.slice(0, siteBytes)), url, siteBytes, bytes };
}

function strangeAt(url: string): Folder {
  const number = nextNumber();
  return { number, site: number, url, siteBytes: 0, bytes: 0 };
}

function nextNumber(): number {
  numbersEver++;
  return numbersEver;
}

function siteOf(url: string): number {
  const known = sites.get(url);
  if (known !== undefined) return known;
  if (sites.size >= FOLDERS_MAX) sites.clear();
  const number = nextNumber();
  sites.set(ownCopy(url), number);
  return number;
}

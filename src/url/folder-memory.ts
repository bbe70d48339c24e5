/**
 * What hrefs meant on the last pages of a folder: pages of one folder carry the same menus and
 * refer to the same neighbours, so most of their links have been resolved before.
 *
 * The same text gives the same URL on all pages of a folder, but for references to the page
 * itself (`#…`, `?…` and the empty one). Handing out the same string each time also spares
 * whoever looks it up next: its hash is known.
 *
 * Bounded: when it is full, it begins anew.
 */
const HREFS_MAX = 50_000;
const HREFS_PER_FOLDER_MAX = 4_000;
const FOLDERS_MAX = 1_000;
const [HASH, QUESTION] = [0x23, 0x3f];

type Resolve = (href: string) => string | undefined;

let folders = new Map<string, Map<string, string>>();
let hrefs = 0;

/** The same answers as `resolve` gives for pages of the folder that the base is in. */
export function rememberedIn(baseUrl: string, resolve: Resolve): Resolve {
  const known = memoryOf(folderOf(baseUrl));
  return (href) => {
    const first = href.charCodeAt(0);
    if (first === HASH || first === QUESTION || href === '') return resolve(href);
    const before = known.get(href);
    if (before !== undefined) return before;
    const url = resolve(href);
    if (url === undefined || known.size >= HREFS_PER_FOLDER_MAX) return url;
    const kept = ownCopy(url);
    known.set(ownCopy(href), kept);
    hrefs++;
    return kept;
  };
}

function memoryOf(folder: string): Map<string, string> {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  if (hrefs > HREFS_MAX || folders.size >= FOLDERS_MAX) {
    folders = new Map();
    hrefs = 0;
  }
  const empty = new Map<string, string>();
  folders.set(ownCopy(folder), empty);
  return empty;
}

/** Up to the last slash of the path, query and fragment aside. */
function folderOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Anything above U+00FF would not survive latin1. */
function isOneByte(text: string): boolean {
  return !/[^\0-\xff]/.test(text);
}

/** A slice of a page keeps the whole page in memory; what is remembered must not. */
export function ownCopy(text: string): string {
  return isOneByte(text)
    ? Buffer.from(text, 'latin1').toString('latin1')
    : Buffer.from(text, 'utf16le').toString('utf16le');
}

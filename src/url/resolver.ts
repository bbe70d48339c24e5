/**
 * All links of one page: the base is taken apart once, and a clean link costs a scan and a
 * concatenation instead of a URL parser.
 *
 *   #top            the page itself          ../a/b.html   prefix of the folder above + rest
 *   ?q=1            page path + query        /x/y          origin + path
 *   https://h/p     as it is, when clean     //h/p         the same, with the page's scheme
 *                                            anything else the long way, remembered by href
 *
 * Between pages of one site, answers are remembered by whoever reads pages (../page/known-hrefs.ts).
 *
 * Promise: linkResolver(base, options)(href) === canonicalize(href, base, options), always.
 *
 * Folder prefixes come from the base as parsed, not from its canonical form: `../` must go up
 * from where the page really is, even where canonical.ts takes a session segment out.
 */
import {
  type CanonicalOptions,
  canonicalize,
  canonicalizeByParser,
  canonicalOf,
  canonicalOrigin,
  type HrefParts,
  parseHref,
  splitHref,
} from './canonical.ts';
import { cleanAbsolute, cleanPathEnd, joinClean, startsClean } from './clean.ts';
import { canonicalPath } from './path.ts';

export type LinkResolver = (href: string) => string | undefined;

const [SLASH, DOT, HASH, QUESTION, LETTER_H] = [0x2f, 0x2e, 0x23, 0x3f, 0x68];
const REMEMBERED_MAX = 1_000;
const FOLDERS_UP_MAX = 32;

/** Nothing is done before it is asked: on most pages every href is known. */
export function linkResolver(baseUrl: string, options?: CanonicalOptions): LinkResolver {
  // A page's own URL is nearly always canonical already: then there is nothing to parse.
  const isClean = isCanonical(baseUrl);
  let resolve: LinkResolver | undefined;
  return (href) => {
    if (isClean && options === undefined && href.charCodeAt(0) === HASH) return baseUrl;
    resolve ??= resolverOf(baseUrl, isClean ? baseUrl : parseHref(baseUrl), options);
    return resolve(href);
  };
}

function resolverOf(
  baseUrl: string,
  parsed: string | undefined,
  options: CanonicalOptions | undefined,
): LinkResolver {
  const parts = parsed === undefined ? undefined : splitHref(parsed);
  if (parts === undefined) return (href) => canonicalize(href, baseUrl, options);
  const base = new PageBase(parsed!, parts, options);
  return (href) => base.resolve(href);
}

/** Sites by the first part of their URLs: is that as the parser writes it? */
const sites = new Map<string, boolean>();

/** Addresses in place of names are no clean hosts, so a site is parsed, once. */
function isCanonical(url: string): boolean {
  if (cleanAbsolute(url) === url) return true;
  const pathAt = url.indexOf('/', url.indexOf('//') + 2);
  if (pathAt < 0 || !isCanonicalSite(url.slice(0, pathAt + 1))) return false;
  const end = cleanPathEnd(url, pathAt);
  return end >= 0 && joinClean('', url, 0, end) === url;
}

function isCanonicalSite(site: string): boolean {
  const known = sites.get(site);
  if (known !== undefined) return known;
  if (sites.size >= REMEMBERED_MAX) sites.clear();
  const isSo = canonicalize(site) === site;
  sites.set(site, isSo);
  return isSo;
}

class PageBase {
  readonly #href: string;
  readonly #options: CanonicalOptions | undefined;
  readonly #path: string;
  readonly #self: string;
  readonly #page: string;
  readonly #origin: string;
  readonly #rawOrigin: string;
  /** `http:` or `https:` */
  readonly #scheme: string;
  /** Canonical prefixes of the page's folder, the one above it, …, made when first needed. */
  readonly #folders: string[] = [];
  readonly #remembered = new Map<string, string | undefined>();

  constructor(href: string, parts: HrefParts, options?: CanonicalOptions) {
    this.#href = href;
    this.#options = options;
    this.#path = parts.path;
    this.#self = canonicalOf(parts, options);
    this.#page = this.#self.split('?', 1)[0]!;
    this.#rawOrigin = `${parts.scheme}${parts.host}/`;
    this.#scheme = parts.scheme.slice(0, -2);
    this.#origin = canonicalOrigin(parts, options);
  }

  resolve(href: string): string | undefined {
    switch (href.charCodeAt(0)) {
      case HASH:
        return this.#self;
      case QUESTION:
        return joinClean(this.#page, href, 0, 0) ?? this.#theLongWay(href);
      case SLASH:
        return this.#rooted(href, 0);
      case DOT:
        return this.#upwards(href);
      case LETTER_H:
        return this.#absolute(href) ?? this.#below(href, 0, 0);
      default:
        return this.#below(href, 0, 0);
    }
  }

  /** A path from the root; two slashes name another host. */
  #rooted(href: string, from: number): string | undefined {
    if (from === 0 && href.charCodeAt(1) === SLASH) {
      return cleanAbsolute(this.#scheme + href, this.#options?.stripWww) ?? this.#theLongWay(href);
    }
    const end = cleanPathEnd(href, from);
    const url = end < 0 ? undefined : joinClean(this.#origin, href, from, end);
    return url ?? this.#theLongWay(href);
  }

  #absolute(href: string): string | undefined {
    if (href.startsWith(this.#rawOrigin)) return this.#rooted(href, this.#rawOrigin.length - 1);
    return cleanAbsolute(href, this.#options?.stripWww);
  }

  #upwards(href: string): string | undefined {
    let at = 0;
    let up = 0;
    while (href.charCodeAt(at) === DOT) {
      if (href.charCodeAt(at + 1) === SLASH) at += 2;
      else if (href.charCodeAt(at + 1) === DOT && href.charCodeAt(at + 2) === SLASH) {
        at += 3;
        up++;
      } else return this.#theLongWay(href);
    }
    return this.#below(href, at, up);
  }

  /** A reference below the folder `up` levels above the page's own. */
  #below(href: string, from: number, up: number): string | undefined {
    const first = href.charCodeAt(from);
    const isPlain = first !== SLASH && startsClean(first) && up <= FOLDERS_UP_MAX && href !== '';
    const end = isPlain ? cleanPathEnd(href, from, true) : -1;
    if (end < 0) return this.#theLongWay(href);
    const folder = this.#folders[up] ?? this.#addFolder(up);
    return joinClean(folder, href, from, end) ?? this.#theLongWay(href);
  }

  /** Nothing is above the root, so going up there stays there. */
  #addFolder(up: number): string {
    let end = this.#path.lastIndexOf('/');
    for (let left = up; left > 0 && end > 0; left--) end = this.#path.lastIndexOf('/', end - 1);
    const folder = this.#origin + canonicalPath(this.#path.slice(0, end + 1));
    this.#folders[up] = folder;
    return folder;
  }

  #theLongWay(href: string): string | undefined {
    const known = this.#remembered.get(href);
    if (known !== undefined || this.#remembered.has(href)) return known;
    const url = canonicalizeByParser(href, this.#href, this.#options);
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(href, url);
    return url;
  }
}

/**
 * From a page's bytes to its facts, in the form that the crawl uses: parallel arrays, no
 * objects per link, words only when asked for.
 *
 * The scanner (scanner.ts) reads; here hrefs become canonical URLs against the page's base,
 * and ranges become strings. `extract.ts` gives the same facts one object per link.
 */
import { isAscii } from 'node:buffer';
import { linkResolver } from '../url/index.ts';
import type { Utf8Body } from './decode.ts';
import type { LinkKind } from './link-list.ts';
import type { ResourceKind } from './page-facts.ts';
import { parseRefresh } from './refresh.ts';
import { ANCHOR_CHARS_MAX, HtmlScanner } from './scanner.ts';

/** Kept per page; a page with more links than this is a trap or a dump. */
export const LINKS_MAX = 10_000;
export const TITLE_CHARS_MAX = 1_000;
export const TEXT_BYTES_MAX = 8 << 20;

export interface ScanOptions {
  /** All words of the page; without it only those of links and title are gathered. */
  readonly text?: boolean;
  readonly resources?: boolean;
  readonly linksMax?: number;
  readonly textBytesMax?: number;
}

export interface Refresh {
  readonly delaySeconds: number;
  readonly url: string;
}

export interface RobotsMeta {
  /** In lower case: `robots`, or the name of a crawler. */
  readonly name: string;
  readonly content: string;
}

export interface HtmlScan {
  /** One link has one index in these four; in document order. */
  readonly urls: string[];
  readonly kinds: LinkKind[];
  /** As written but in lower case; empty when there is none. */
  readonly rels: string[];
  readonly texts: string[];
  /** Links beyond `linksMax`. */
  readonly linksDropped: number;
  readonly resources: { readonly url: string; readonly kind: ResourceKind }[];
  readonly title: string;
  /** Empty unless asked for. */
  readonly text: string;
  readonly base: string;
  readonly canonical: string | undefined;
  readonly robots: readonly RobotsMeta[];
  readonly lang: string | undefined;
  readonly refresh: Refresh | undefined;
}

export function scanHtml(body: Utf8Body, url: string, options: ScanOptions = {}): HtmlScan {
  const scanner = new HtmlScanner(body, {
    text: options.text ?? false,
    resources: options.resources ?? false,
    linksMax: options.linksMax ?? LINKS_MAX,
    textBytesMax: options.textBytesMax ?? TEXT_BYTES_MAX,
  });
  scanner.run();
  const base = baseOf(url, scanner.facts.baseHref);
  const resolve = linkResolver(base);
  const refresh = refreshOf(scanner.facts.refreshes, url, resolve);
  if (refresh?.asLink) scanner.links.add('refresh', refresh.href, '', 0);
  const words = new Ranges(scanner.words.finish());
  const links = resolveLinks(scanner, words, resolve);
  return {
    ...links,
    linksDropped: scanner.links.dropped,
    resources: resourcesOf(scanner, resolve),
    title: words.cut(scanner.titleFrom, scanner.titleTo, TITLE_CHARS_MAX),
    text: options.text ? words.whole() : '',
    base,
    canonical: canonicalOf(links),
    robots: scanner.facts.robots,
    lang: scanner.facts.lang,
    refresh: refresh && { delaySeconds: refresh.delaySeconds, url: refresh.url },
  };
}

type Resolve = (href: string) => string | undefined;
type Links = Pick<HtmlScan, 'urls' | 'kinds' | 'rels' | 'texts'>;

/** The document's base URL; a `<base>` that is no place to resolve against doesn't count. */
function baseOf(url: string, href: string | undefined): string {
  if (href === undefined) return url;
  try {
    const base = URL.canParse(url) ? new URL(href, url) : new URL(href);
    return base.protocol === 'data:' || base.protocol === 'javascript:' ? url : base.href;
  } catch {
    return url;
  }
}

/** Only what resolves to a URL that can be crawled stays a link; the arrays are reused. */
function resolveLinks(scanner: HtmlScanner, words: Ranges, resolve: Resolve): Links {
  const { hrefs, kinds, rels, textFrom, textTo } = scanner.links;
  const texts: string[] = [];
  let kept = 0;
  for (let i = 0; i < hrefs.length; i++) {
    const url = resolve(hrefs[i] as string);
    if (url === undefined) continue;
    hrefs[kept] = url;
    kinds[kept] = kinds[i] as LinkKind;
    rels[kept] = rels[i] as string;
    texts.push(words.cut(textFrom[i] as number, textTo[i] as number, ANCHOR_CHARS_MAX));
    kept++;
  }
  hrefs.length = kinds.length = rels.length = kept;
  return { urls: hrefs, kinds, rels, texts };
}

function resourcesOf(scanner: HtmlScanner, resolve: Resolve): HtmlScan['resources'] {
  const resources: HtmlScan['resources'] = [];
  for (const { kind, href } of scanner.facts.resources) {
    const url = resolve(href);
    if (url !== undefined) resources.push({ url, kind });
  }
  return resources;
}

function canonicalOf(links: Links): string | undefined {
  const isCanonical = (rel: string, i: number): boolean =>
    links.kinds[i] === 'link' && rel.split(/[\t\n\f\r ]+/).includes('canonical');
  return links.urls[links.rels.findIndex(isCanonical)];
}

/** The first refresh that can be understood; without a URL it reloads the page and links nothing. */
function refreshOf(contents: readonly string[], url: string, resolve: Resolve) {
  for (const content of contents) {
    const refresh = parseRefresh(content);
    if (refresh === undefined) continue;
    const asLink = refresh.href !== '';
    const target = asLink ? resolve(refresh.href) : url;
    if (target !== undefined) return { ...refresh, url: target, asLink };
  }
  return undefined;
}

/** Strings out of the gathered words: one decoding, then cuts. */
class Ranges {
  readonly #bytes: Buffer;
  readonly #latin: string;
  readonly #ascii: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#ascii = isAscii(bytes);
    this.#latin = bytes.toString('latin1');
  }

  whole(): string {
    return this.#ascii ? this.#latin : this.#bytes.toString('utf8');
  }

  /** Between two offsets, without a space in front, at most that many characters. */
  cut(from: number, to: number, charsMax: number): string {
    const bytes = this.#bytes;
    const end = Math.min(to, bytes.length);
    let start = from;
    while (start < end && bytes[start] === 0x20) start++;
    if (start >= end) return '';
    if (this.#ascii) return shorten(this.#latin.slice(start, end), charsMax);
    const stop = Math.min(end, start + 4 * charsMax);
    let high = 0;
    for (let at = start; at < stop; at++) high |= bytes[at] as number;
    if (high < 0x80) return shorten(this.#latin.slice(start, stop), charsMax);
    return shorten(bytes.toString('utf8', start, stop), charsMax);
  }
}

function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const splits = (text.charCodeAt(charsMax - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splits ? charsMax - 1 : charsMax).trimEnd();
}

/**
 * What a document that is not HTML leaves (X2, R3): its plugin's findings as the columns that
 * pages have (links.ts), a fingerprint of its words (C2), and the dates of a feed (T3).
 *
 * HTML stays with links.ts. A page is a document when its type says so, or when it says HTML and
 * the first bytes say PDF or feed: those labels are wrong often enough.
 */
import {
  type DocumentPlugin,
  type ReadDocument,
  readDocument,
  rootOf,
  SNIFF_BYTES,
  sitemap,
  unwrapped,
} from '../document/index.ts';
import { mediaTypeOf } from '../fetch/index.ts';
import { LINKS_MAX, SITEMAP_URLS_MAX } from '../page/index.ts';
import { contextOf } from '../quality/index.ts';
import { parseLooseDate } from '../robots/date.ts';
import { canonicalize } from '../url/index.ts';
import type { RawPage } from './digest.ts';
import { directivesOf } from './directives.ts';
import type { FoundLinks } from './links.ts';
import { printOf } from './simhash.ts';
import { NO_LASTMODS } from './sitemap-links.ts';

/** Characters of a document's words that are read; books of a thousand pages have more. */
const TEXT_CHARS_MAX = 5_000_000;
const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);
const FEED_ROOT = /^(?:rss|feed|(?:rdf:)?rdf)$/;

export interface DocumentLinks extends FoundLinks {
  /** What else its plugin knows of it; undefined when that is nothing. */
  readonly document: ReadDocument['metadata'] | undefined;
  /** Empty where it was not wanted. */
  readonly markdown: string;
}

/** Who reads a page, and is told whose turn it is: a thread that hangs can say no more. */
export interface Readers {
  readonly plugins: readonly DocumentPlugin[];
  readonly onPlugin?: (name: string) => void;
}

/** May a page be a document that is not HTML? Asked before its content-encoding is undone. */
export function mayBeDocument({ kind, headers, body }: RawPage): boolean {
  if (kind === 'sitemap') return false;
  if (!HTML_TYPES.has(mediaTypeOf(headers['content-type']))) return true;
  return (headers['content-encoding'] ?? '') === '' && isMislabelled(body);
}

/** Undefined when it is HTML, or nobody's. */
export function documentLinks(
  body: Uint8Array,
  page: RawPage,
  readers: Readers,
): DocumentLinks | undefined {
  const said = mediaTypeOf(page.headers['content-type']);
  if (page.kind === 'sitemap' || body.length === 0) return undefined;
  const isHtml = HTML_TYPES.has(said);
  if (isHtml && !isMislabelled(body)) return undefined;
  const mediaType = isHtml ? '' : said;
  const { url, headers } = page;
  const { plugin, ...inner } = unwrapped(
    readers.plugins,
    body,
    { url, mediaType },
    page.decodedBytesMax,
  );
  if (plugin === undefined) return undefined;
  readers.onPlugin?.(plugin.name);
  const linksMax = plugin === sitemap ? SITEMAP_URLS_MAX : (page.linksMax ?? LINKS_MAX);
  const wantsMarkdown = page.markdown !== undefined;
  const limits = { linksMax, textCharsMax: TEXT_CHARS_MAX, wantsMarkdown };
  const found = readDocument(plugin, { url, headers, ...limits, ...inner.page });
  const trouble = found.trouble || inner.trouble;
  return columnsOf({ ...found, trouble }, page, linksMax);
}

function isMislabelled(body: Uint8Array): boolean {
  if (body[0] === 0x25) return body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46;
  if (body[0] !== 0x3c || !MAY_BE_FEED.has(body[1] ?? 0)) return false;
  return FEED_ROOT.test(rootOf(body.subarray(0, SNIFF_BYTES)));
}

/** What follows the first `<`: `<?xml`, `<rss`, `<feed`, `<rdf:RDF`. */
const MAY_BE_FEED = new Set([...'?rfR'].map((letter) => letter.charCodeAt(0)));

function columnsOf(found: ReadDocument, page: RawPage, linksMax: number): DocumentLinks {
  const columns = new Columns(page.url);
  for (const link of found.links.slice(0, linksMax)) columns.add(link);
  return {
    ...columns.finish(),
    title: found.title,
    isCut: found.links.length > linksMax,
    directives: directivesOf(page.headers, [], page.agent),
    trouble: found.trouble,
    print: printOf({ bytes: Buffer.from(found.text), marks: [] }),
    isMissing: false,
    markdown: found.markdown,
    document: Object.keys(found.metadata).length === 0 ? undefined : found.metadata,
  };
}

class Columns {
  readonly #url: string;
  readonly #targets: string[] = [];
  readonly #texts: string[] = [];
  readonly #rels: Record<number, string> = {};
  readonly #kinds: Record<number, string> = {};
  readonly #contexts: number[] = [];
  readonly #lastmods: number[] = [];
  #sitemaps = 0;

  constructor(url: string) {
    this.#url = url;
  }

  add({
    href,
    base,
    text = '',
    rel = '',
    kind = 'a',
    lastmod,
    follow,
  }: ReadDocument['links'][number]): void {
    const target = canonicalize(href, base ?? this.#url);
    if (target === undefined) return;
    const at = this.#targets.push(target) - 1;
    const words = flat(text);
    this.#texts.push(words);
    if (rel !== '') this.#rels[at] = flat(rel);
    if (kind !== 'a') this.#kinds[at] = flat(kind);
    const weight = contextOf({ text: words, rel: flat(rel).toLowerCase(), kind });
    this.#contexts.push(follow === false ? 0 : weight);
    this.#lastmods.push(lastmod === undefined ? 0 : (parseLooseDate(String(lastmod)) ?? 0));
    if (kind === 'sitemap' && this.#sitemaps === at) this.#sitemaps++;
  }

  finish() {
    const hasDates = this.#lastmods.some((at) => at > 0);
    return {
      ...{ targets: this.#targets, texts: this.#texts.join('\n') },
      ...{ rels: this.#rels, kinds: this.#kinds, sitemaps: this.#sitemaps },
      contexts: Uint8Array.from(this.#contexts),
      lastmods: hasDates ? Float64Array.from(this.#lastmods) : NO_LASTMODS,
    };
  }
}

/** A trace holds a line for each text. */
function flat(text: unknown): string {
  return String(text).slice(0, FLAT_CHARS_MAX).replace(/\s+/g, ' ').trim();
}

const FLAT_CHARS_MAX = 500;

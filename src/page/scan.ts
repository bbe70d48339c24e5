/**
 * From a page's bytes to its facts, in the form that the crawl uses: parallel arrays, no
 * objects per link, words only when asked for.
 *
 * The kernel (scanner.ts) reads; here hrefs become canonical URLs against the page's base,
 * and ranges become strings. `extract.ts` gives the same facts one object per link.
 */
import type { LinkResolver } from '../url/index.ts';
import { attributeText } from './attribute-text.ts';
import type { Utf8Body } from './decode.ts';
import { inCharset, linkResolverIn } from './encode.ts';
import { GatheredWords } from './gathered-words.ts';
import { NOWHERE, Targets } from './known-hrefs.ts';
import { COLUMN, COLUMNS, LINK_KINDS, type LinkKind } from './link-list.ts';
import type { PageFacts, ResourceKind } from './page-facts.ts';
import { parseRefresh } from './refresh.ts';
import { type Scanned, scanBytes } from './scanner.ts';
import type { Words } from './words.ts';

/** Kept per page; a page with more links than this is a trap or a dump. */
export const LINKS_MAX = 10_000;
export const TITLE_CHARS_MAX = 1_000;
/** Longer anchor texts are cut. */
const ANCHOR_CHARS_MAX = 200;
const CANONICAL = /(?:^|[\t\n\f\r ])canonical(?![^\t\n\f\r ])/;
export const TEXT_BYTES_MAX = 8 << 20;

export interface ScanOptions {
  /** All words of the page; without it only those of links and title are gathered. */
  readonly text?: boolean;
  /** The same as bytes, not as a string. */
  readonly words?: boolean;
  readonly resources?: boolean;
  readonly linksMax?: number;
  readonly textBytesMax?: number;
  /** What the page was written in, for the queries of its links; UTF-8 when left out. */
  readonly charset?: string;
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

/** The links of a page in document order; one link has one index in all but the first of these. */
export interface LinkColumns {
  /** What the links lead to, in the order of the page. */
  readonly targets: readonly string[];
  /** For each link, the number of its target. */
  readonly order: readonly number[];
  /** A line for each link, in one string. */
  readonly texts: string;
  /** Only where it isn't `a`. */
  readonly kinds: Readonly<Record<number, LinkKind>>;
  /** As written but in lower case; only where there is one. */
  readonly rels: Readonly<Record<number, string>>;
  /** Bits for each link: 1 in a part that the site's pages share, 2 in a list of links. */
  readonly boilerplate: Uint8Array;
}

export interface HtmlScan extends LinkColumns {
  /** Links beyond `linksMax`. */
  readonly linksDropped: number;
  readonly resources: { readonly url: string; readonly kind: ResourceKind }[];
  readonly title: string;
  /** Empty unless asked for. */
  readonly text: string;
  /** Only the words of links and title unless asked for. */
  readonly words: Words;
  readonly base: string;
  readonly canonical: string | undefined;
  readonly robots: readonly RobotsMeta[];
  readonly lang: string | undefined;
  readonly refresh: Refresh | undefined;
}

export function scanHtml(body: Utf8Body, url: string, options: ScanOptions = {}): HtmlScan {
  const limits = {
    text: (options.text ?? false) || (options.words ?? false),
    resources: options.resources ?? false,
    linksMax: options.linksMax ?? LINKS_MAX,
    textBytesMax: options.textBytesMax ?? TEXT_BYTES_MAX,
  };
  const scanned = scanBytes(body, limits);
  const { facts, linkCount } = scanned;
  const { charset = 'UTF-8' } = options;
  const base = baseOf(url, facts.baseHref && inCharset(facts.baseHref, charset));
  const resolve = linkResolverIn(charset, base);
  const refresh = refreshOf(facts.refreshes, url, resolve);
  const words = new GatheredWords(scanned.kernel, scanned.words, ANCHOR_CHARS_MAX);
  const title = words.cut(scanned.titleFrom, scanned.titleTo, TITLE_CHARS_MAX);
  const columns = columnsOf(scanned, words, new Targets(scanned.kernel, base, resolve, charset));
  const isFull = linkCount >= limits.linksMax;
  if (refresh?.asLink && !isFull) addRefresh(columns, refresh.url);
  return {
    ...columns,
    boilerplate: columns.boilerplate.subarray(0, columns.order.length),
    texts: words.lines(),
    linksDropped: scanned.linksDropped + (refresh?.asLink && isFull ? 1 : 0),
    resources: resourcesOf(facts, resolve),
    title,
    text: options.text ? words.whole() : '',
    words: { bytes: scanned.words, marks: scanned.marks },
    base,
    canonical: canonicalOf(columns),
    robots: facts.robots,
    lang: facts.lang,
    refresh: refresh && { delaySeconds: refresh.delaySeconds, url: refresh.url },
  };
}

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

interface Columns {
  readonly targets: string[];
  readonly order: number[];
  readonly kinds: Record<number, LinkKind>;
  readonly rels: Record<number, string>;
  /** With room for a refresh. */
  readonly boilerplate: Uint8Array;
}

/** Only what resolves to a URL that can be crawled stays a link. */
function columnsOf(
  { kernel, rows, linkCount }: Scanned,
  words: GatheredWords,
  targets: Targets,
): Columns {
  const order: number[] = [];
  const boilerplate = new Uint8Array(linkCount + 1);
  const found: Columns = { targets: targets.urls, order, kinds: {}, rels: {}, boilerplate };
  for (let row = 0; row < linkCount * COLUMNS; row += COLUMNS) {
    const number = targets.numberAt(rows[row] as number, rows[row + COLUMN.hrefTo] as number);
    if (number === NOWHERE) continue;
    const index = order.push(number) - 1;
    boilerplate[index] = rows[row + COLUMN.boilerplate] as number;
    words.addLine(rows[row + COLUMN.textFrom] as number, rows[row + COLUMN.textTo] as number);
    const kind = rows[row + COLUMN.kind] as number;
    const relFrom = rows[row + COLUMN.relFrom] as number;
    if (kind !== 0) found.kinds[index] = LINK_KINDS[kind] as LinkKind;
    if (relFrom < 0) continue;
    setRel(found, index, attributeText(kernel.bytes, relFrom, rows[row + COLUMN.relTo] as number));
  }
  return found;
}

function setRel(found: Columns, index: number, rel: string): void {
  if (rel !== '') found.rels[index] = rel.toLowerCase();
}

/** A refresh is the last link of its page, and has no words. */
function addRefresh({ targets, order, kinds }: Columns, url: string): void {
  kinds[order.push(targets.push(url) - 1) - 1] = 'refresh';
}

/** The URL of each link. */
export function urlsOf({ targets, order }: Pick<LinkColumns, 'targets' | 'order'>): string[] {
  return order.map((number) => targets[number] as string);
}

function resourcesOf(facts: PageFacts, resolve: LinkResolver): HtmlScan['resources'] {
  const resources: HtmlScan['resources'] = [];
  for (const { kind, href } of facts.resources) {
    const url = resolve(href);
    if (url !== undefined) resources.push({ url, kind });
  }
  return resources;
}

function canonicalOf({ targets, order, kinds, rels }: Columns): string | undefined {
  for (const index in rels) {
    if (kinds[index] === 'link' && CANONICAL.test(rels[index] as string))
      return targets[order[Number(index)] as number];
  }
  return undefined;
}

/** The first refresh that can be understood; without a URL it reloads the page and links nothing. */
function refreshOf(contents: readonly string[], url: string, resolve: LinkResolver) {
  for (const content of contents) {
    const refresh = parseRefresh(content);
    if (refresh === undefined) continue;
    const asLink = refresh.href !== '';
    const target = asLink ? resolve(refresh.href) : url;
    if (target !== undefined) return { ...refresh, url: target, asLink };
  }
  return undefined;
}

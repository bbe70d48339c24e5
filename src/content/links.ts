/**
 * The links of a body, by its kind: HTML through ../page/, a sitemap through sitemap-links.ts,
 * anything else has none yet.
 *
 * Columns, one entry a link but for the targets that links share; `contexts` says how much a
 * link's place says for it (0: never followed, as `rel=nofollow` asks).
 */
import { mediaTypeOf } from '../fetch/index.ts';
import { LINKS_MAX, scanHtml, sniffCharset, toUtf8 } from '../page/index.ts';
import { CONTEXT_LISTED, contextsOf } from '../quality/index.ts';
import type { RawPage } from './digest.ts';
import { type Directives, directivesOf, NO_DIRECTIVES } from './directives.ts';
import { isMissingPage } from './missing.ts';
import { NO_PRINT, printOf, type TextPrint } from './simhash.ts';
import { NO_LASTMODS, sitemapLinks } from './sitemap-links.ts';

export interface FoundLinks {
  readonly targets: readonly string[];
  /** Of HTML, for each link the number of its target; elsewhere each has one of its own. */
  readonly order?: readonly number[] | undefined;
  /** A line for each link, in one string. */
  readonly texts: string;
  /** By the link's index, only where there is one; likewise kinds other than `a`. */
  readonly rels: Readonly<Record<number, string>>;
  readonly kinds: Readonly<Record<number, string>>;
  readonly contexts: Uint8Array;
  readonly sitemaps: number;
  /** Of a sitemap: when each link last changed, by the site's own word; else empty. */
  readonly lastmods: Float64Array;
  readonly title: string;
  readonly isCut: boolean;
  readonly directives: Directives;
  readonly trouble: string;
  /** The fingerprint of the page's words (C2). */
  readonly print: TextPrint;
  /** It says that there is no such page (C3). */
  readonly isMissing: boolean;
}

const NONE: FoundLinks = {
  ...{ targets: [], texts: '', rels: {}, kinds: {}, contexts: new Uint8Array(0) },
  ...{ sitemaps: 0, title: '', isCut: false, directives: NO_DIRECTIVES },
  ...{ lastmods: NO_LASTMODS, trouble: '', print: NO_PRINT, isMissing: false },
};

export function findLinks(body: Uint8Array, page: RawPage): FoundLinks {
  const contentType = page.headers['content-type'];
  try {
    if (page.kind === 'sitemap') {
      return directed({ ...NONE, ...sitemapLinks(body, page.url, CONTEXT_LISTED) }, page, []);
    }
    if (isHtml(mediaTypeOf(contentType), body)) return fromHtml(body, page, contentType);
    return directed(NONE, page, []);
  } catch (error) {
    return directed({ ...NONE, trouble: `parser: ${(error as Error).message}` }, page, []);
  }
}

function isHtml(mediaType: string, body: Uint8Array): boolean {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return true;
  return mediaType === '' && looksLikeHtml(body);
}

/** A body without a media type is HTML when it starts as HTML does. */
function looksLikeHtml(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512));
  return /^\s*(?:<!--|<!doctype\s+html|<html|<head|<body|<title|<meta|<a\s)/i.test(
    start.toString('latin1'),
  );
}

function fromHtml(body: Uint8Array, page: RawPage, contentType: string | undefined): FoundLinks {
  const charset = sniffCharset(body, contentType);
  const scan = scanHtml(toUtf8(body, charset), page.url, {
    charset: page.queryCharset ?? charset,
    words: true,
    linksMax: Math.min(page.linksMax ?? LINKS_MAX, LINKS_MAX),
  });
  const contexts = contextsOf(scan);
  const print = printOf(scan.words);
  const found = {
    targets: scan.targets,
    order: scan.order,
    texts: scan.texts,
    rels: scan.rels,
    kinds: scan.kinds,
    contexts,
    sitemaps: 0,
    lastmods: NO_LASTMODS,
    title: scan.title,
    isCut: scan.linksDropped > 0,
    directives: NO_DIRECTIVES,
    trouble: '',
    print,
    isMissing: isMissingPage(scan, body.length, print.words),
  };
  return directed(
    found,
    page,
    scan.robots.map((meta) => `${meta.name}: ${meta.content}`),
  );
}

/** Adds what meta tags and the X-Robots-Tag header say to our name (R3). */
function directed(found: FoundLinks, page: RawPage, metas: readonly string[]): FoundLinks {
  const directives = directivesOf(page.headers, metas, page.agent);
  return directives === NO_DIRECTIVES ? found : { ...found, directives };
}

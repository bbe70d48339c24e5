/**
 * An HTML page as one readable object: what the library gives to people (X1).
 *
 * Same pass as the crawl's own (`scan.ts`), with the words, the images and an object per link.
 */
import { sniffCharset } from './charset.ts';
import { toUtf8 } from './decode.ts';
import type { LinkKind } from './link-list.ts';
import type { ResourceKind } from './page-facts.ts';
import { type HtmlScan, type Refresh, type RobotsMeta, scanHtml, urlsOf } from './scan.ts';

export interface PageLink {
  /** Canonical. */
  readonly url: string;
  /** Anchor text: white space collapsed, at most 200 characters. */
  readonly text: string;
  /** Tokens in lower case. */
  readonly rel: readonly string[];
  /** The element that said it; `refresh` is a meta refresh. */
  readonly kind: LinkKind;
  /** Its place among the page's links, from 0. */
  readonly position: number;
}

export interface PageResource {
  readonly url: string;
  readonly kind: ResourceKind;
}

export interface HtmlPage {
  readonly links: readonly PageLink[];
  /** Links beyond the limit of 10,000. */
  readonly linksDropped: number;
  /** Images, media sources and the targets of GET forms: named by the page, not its links. */
  readonly resources: readonly PageResource[];
  readonly title: string;
  /** Words of the page, title first; without scripts, styles, templates and noscript. */
  readonly text: string;
  readonly charset: string;
  /** What hrefs are resolved against: `<base href>` or the page's own URL. */
  readonly base: string;
  readonly canonical?: string;
  /** Every meta tag that gives some crawler directives. */
  readonly robots: readonly RobotsMeta[];
  readonly lang?: string;
  readonly refresh?: Refresh;
}

export function extractHtml(
  body: Uint8Array,
  page: { readonly url: string; readonly contentType?: string },
): HtmlPage {
  const charset = sniffCharset(body, page.contentType);
  const scan = scanHtml(toUtf8(body, charset), page.url, {
    charset,
    text: true,
    resources: true,
  });
  return {
    links: linksOf(scan),
    linksDropped: scan.linksDropped,
    resources: scan.resources,
    title: scan.title,
    text: scan.text,
    charset,
    base: scan.base,
    robots: scan.robots,
    ...(scan.canonical === undefined ? {} : { canonical: scan.canonical }),
    ...(scan.lang === undefined ? {} : { lang: scan.lang }),
    ...(scan.refresh === undefined ? {} : { refresh: scan.refresh }),
  };
}

function linksOf(scan: HtmlScan): PageLink[] {
  const texts = scan.texts.split('\n');
  return urlsOf(scan).map((url, position) => ({
    url,
    text: texts[position] ?? '',
    rel: (scan.rels[position] ?? '').split(/[\t\n\f\r ]+/).filter((token) => token !== ''),
    kind: scan.kinds[position] ?? 'a',
    position,
  }));
}

/**
 * What a visit left behind besides the body: the answer's headers and the page's links (H6, B4).
 *
 * One block a page, written once, read when someone asks. Columns of lines rather than rows
 * of objects: joining strings is the cheapest way to write two hundred links. Crawled text
 * holds no newline by the time it gets here.
 */
import type { Rendering } from './rendering.ts';

export interface Trace {
  readonly headers: Readonly<Record<string, string>>;
  readonly links: readonly LinkEdge[];
  /** Of what is not HTML: what its plugin knows of it beside links and title (X2). */
  readonly document?: Readonly<Record<string, string>>;
  /** Of a page that was rendered (J1). */
  readonly rendering?: Rendering;
}

export interface LinkEdge {
  readonly target: string;
  readonly text: string;
  readonly rel: string;
  /** The element that named it: a, area, link, iframe, refresh, redirect, sitemap … */
  readonly kind: string;
}

const COLUMN = '\u0001';
const USUAL_KIND = 'a';

export interface TraceColumns {
  readonly targets: readonly string[];
  /** A line for each link, in one string. */
  readonly texts: string;
  /** By the link's index, only where there is one. */
  readonly rels: Readonly<Record<number, string>>;
  /** By the link's index, only where it isn't the usual one. */
  readonly kinds: Readonly<Record<number, string>>;
  readonly document?: Trace['document'] | undefined;
}

/** As text: it becomes bytes where it is stored, together with others. */
export function encodeTrace(headers: Trace['headers'], columns: TraceColumns): string {
  const { targets, texts, rels, kinds, document } = columns;
  const facts = JSON.stringify({ headers, rels, kinds, document });
  return `${facts}${COLUMN}${targets.join('\n')}${COLUMN}${texts.replaceAll(COLUMN, ' ')}`;
}

export function decodeTrace(text: string): Trace {
  const [facts = '{}', targets = '', texts = ''] = text.split(COLUMN);
  const { headers = {}, rels = {}, kinds = {}, document, rendering } = JSON.parse(facts);
  const lines = texts.split('\n');
  const links =
    targets === ''
      ? []
      : targets.split('\n').map((target, i) => ({
          target,
          text: lines[i] ?? '',
          rel: rels[i] ?? '',
          kind: kinds[i] ?? USUAL_KIND,
        }));
  return { headers, links, ...(document && { document }), ...(rendering && { rendering }) };
}

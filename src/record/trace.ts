/**
 * What a visit left behind besides the body: the answer's headers and the page's links (H6, B4).
 *
 * One block a page, written once, read when someone asks. Columns of lines rather than rows
 * of objects: joining strings is the cheapest way to write two hundred links, and equal
 * columns compress well. Crawled text holds no newline by the time it gets here.
 */
export interface Trace {
  readonly headers: Readonly<Record<string, string>>;
  readonly links: readonly LinkEdge[];
}

export interface LinkEdge {
  readonly target: string;
  readonly text: string;
  readonly rel: string;
  /** The element that named it: a, area, link, iframe, refresh, redirect, sitemap … */
  readonly kind: string;
}

const COLUMN = '\u0001';

export function encodeTrace(
  headers: Readonly<Record<string, string>>,
  targets: readonly string[],
  texts: readonly string[],
  rels: readonly string[],
  kinds: readonly string[],
): Buffer {
  const columns = [JSON.stringify(headers), targets, texts, rels, kinds];
  return Buffer.from(columns.map((c) => (typeof c === 'string' ? c : c.join('\n'))).join(COLUMN));
}

export function decodeTrace(block: Uint8Array): Trace {
  const [headers = '{}', ...columns] = Buffer.from(block).toString('utf8').split(COLUMN);
  const [targets = [], texts = [], rels = [], kinds = []] = columns.map((c) => c.split('\n'));
  const links = targets
    .map((target, i) => ({
      target,
      text: texts[i] ?? '',
      rel: rels[i] ?? '',
      kind: kinds[i] ?? '',
    }))
    .filter((link) => link.target !== '');
  return { headers: JSON.parse(headers), links };
}

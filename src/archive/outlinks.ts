/**
 * What a page links to, as Heritrix writes it into metadata records: one field a link, with the
 * kind of hop and where it was found.
 *
 *   outlink: https://example.com/next L a/@href        L a link, E embedded, R referred to,
 *   outlink: https://example.com/new R Location:       M named by a list of pages
 */
import type { LinkEdge } from '../record/index.ts';

const FOUND: Readonly<Record<string, string>> = {
  a: 'L a/@href',
  area: 'L area/@href',
  link: 'L link/@href',
  iframe: 'E iframe/@src',
  frame: 'E frame/@src',
  refresh: 'R meta/@content',
  sitemap: 'M sitemap',
};

export interface Outlinks {
  readonly links?: readonly Pick<LinkEdge, 'target' | 'kind'>[] | undefined;
  readonly redirectTo?: string | undefined;
}

/** Further lines of a metadata block; none where there are no links. */
export function outlinkFields({ links = [], redirectTo }: Outlinks): string {
  let text = redirectTo ? `outlink: ${redirectTo} R Location:\r\n` : '';
  for (const { target, kind } of links) text += `outlink: ${target} ${foundAs(kind)}\r\n`;
  return text;
}

function foundAs(kind: string): string {
  return FOUND[kind] ?? `L ${kind.replace(/\s+/g, '-')}`;
}

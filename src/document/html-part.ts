/** HTML inside another document: the text of a feed's entry. Its words and its links. */
import { extractHtml } from '../page/index.ts';
import type { DocumentLink } from './plugin.ts';
import { line } from './text-tools.ts';

export interface HtmlPart {
  readonly text: string;
  readonly links: readonly DocumentLink[];
}

export function htmlPart(html: string, url: string, linksMax: number): HtmlPart {
  if (!/[<&]/.test(html)) return { text: line(html, html.length), links: [] };
  const { text, links } = extractHtml(Buffer.from(html), {
    url,
    contentType: 'text/html; charset=utf-8',
  });
  return {
    text,
    links: links.slice(0, linksMax).map((link) => ({
      ...{ href: link.url, text: link.text, kind: link.kind },
      ...(link.rel.length > 0 && { rel: link.rel.join(' ') }),
    })),
  };
}

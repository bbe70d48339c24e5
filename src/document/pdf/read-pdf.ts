/**
 * A PDF as a document: pages in order, their words and links, and what it says of itself.
 *
 * Promises: no exception but PdfProblem; a page that cannot be read is passed over; a file that was
 * cut gives what it has, and says so. Bounded by limits on objects, depth, bytes and operators.
 */
import type { DocumentLink, DocumentPage, FoundDocument } from '../plugin.ts';
import { bareUrls } from '../text-tools.ts';
import { baseOf, linkBoxes, linksOf, outlineLinks } from './annotations.ts';
import { pdfMarkdown } from './blocks.ts';
import { factsOf } from './facts.ts';
import { PdfFile } from './file.ts';
import { Layout } from './layout.ts';
import { Lines } from './lines.ts';
import { PageText } from './page-text.ts';
import { PAGES_MAX, pagesOf } from './pages.ts';

export function readPdf(
  page: Pick<DocumentPage, 'url' | 'body' | 'linksMax' | 'textCharsMax' | 'wantsMarkdown'>,
): FoundDocument {
  const { body, linksMax, textCharsMax } = page;
  const file = new PdfFile(body);
  const pages = pagesOf(file);
  const lines = page.wantsMarkdown ? new Lines() : undefined;
  const layout = new Layout(textCharsMax, lines);
  const words = new PageText(file, layout);
  const base = baseOf(file);
  const links: DocumentLink[] = [];
  let unread = 0;
  for (const one of pages) {
    try {
      if (links.length < linksMax) links.push(...linksOf(one, file, base));
      lines?.startPage(linkBoxes(one, file));
      words.read(one);
    } catch {
      unread++;
    }
  }
  if (links.length < linksMax) links.push(...outlineLinks(file));
  const text = layout.text();
  const { title, metadata } = factsOf(file);
  const trouble = troubleOf(file, pages.length, unread);
  return {
    ...{ title, text, metadata: { ...metadata, pages: String(pages.length) } },
    links: withBareUrls(links, text, linksMax),
    ...(lines && { markdown: pdfMarkdown(lines.all, base ?? page.url, textCharsMax) }),
    ...(trouble !== '' && { trouble }),
  };
}

function troubleOf(file: PdfFile, pages: number, unread: number): string {
  if (pages === 0) return 'no page was found in it';
  if (unread > 0) return `${unread} of ${pages} pages could not be read`;
  if (file.isSwollen) return 'it unfolds to more than is read: only its beginning is';
  if (pages >= PAGES_MAX) return `only its first ${PAGES_MAX} pages are read`;
  return file.isRepaired ? 'it is broken or cut off: what was found is kept' : '';
}

/** What a reader sees as a URL, unless it is a link already. */
function withBareUrls(links: DocumentLink[], text: string, max: number): DocumentLink[] {
  const known = new Set(links.map(({ href }) => href));
  const bare = bareUrls(text, max).filter(({ href }) => !known.has(href));
  return [...links, ...bare].slice(0, max);
}

/**
 * Bodies of documents that are not HTML, each with the links that it is known to have: what a
 * crawler's plugins must find (X2), and what they must leave alone.
 */
import { deflateSync } from 'node:zlib';

/** A PDF of one page: a paragraph a block of lines, links as annotations. */
export function paperOf(
  title: string,
  paragraphs: readonly string[],
  links: readonly string[],
  more = '',
): Uint8Array {
  const lines = paragraphs.flatMap((paragraph) => wrapped(paragraph, 90));
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) '`).join('\n');
  const content = deflateSync(Buffer.from(`BT /F1 10 Tf 12 TL 72 760 Td\n${shown}\nET`, 'latin1'));
  const annotations = links.map((url) => `<< /Subtype /Link /A << /S /URI /URI (${url}) >> >>`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${annotations.join(' ')}] >>`,
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>',
    `<< /Title (${title}) >>`,
  ];
  return fileOf(objects, `/Info 6 0 R ${more}`);
}

function fileOf(objects: readonly string[], trailer: string): Uint8Array {
  let pdf = '%PDF-1.5\n';
  const rows = objects.map((object, at) => {
    const row = `${String(pdf.length).padStart(10, '0')} 00000 n \n`;
    pdf += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(pdf + table + end, 'latin1');
}

function wrapped(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?:\\s|$)`, 'g')) ?? [];
}

/** Nobody has its password. */
export const LOCKED = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;

export function rssOf(origin: string, title: string, words: string): string {
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title><link>${origin}/</link>
<item><title>First</title><link>../from/rss</link><pubDate>Tue, 03 Mar 2026 10:00:00 +0100</pubDate>
<enclosure url="${origin}/never/sound.mp3" type="audio/mpeg"/><description>${words}</description></item>
<item><title>Second</title><guid>${origin}/from/rss-guid</guid><pubDate>the day before yesterday</pubDate></item>
</channel></rss>`;
}

export function atomOf(origin: string, title: string, words: string): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${origin}/from/"><title>${title}</title>
<link rel="self" href="${origin}/never/self"/><entry><title>E</title><link href="atom"/>
<updated>2026-03-04T00:00:00Z</updated><content type="html">&lt;p&gt;${words} &lt;a href="/from/atom-text"&gt;further&lt;/a&gt;</content></entry></feed>`;
}

export function jsonFeedOf(origin: string, title: string, words: string): string {
  const item = {
    id: '1',
    url: '/from/json-feed',
    title: 'One',
    content_text: words,
    date_modified: '2026-03-05',
  };
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: `${origin}/`,
    items: [item],
  });
}

export function jsonOf(origin: string, title: string, words: string): string {
  const rows = [{ name: 'One', url: `${origin}/from/json`, image: `${origin}/never/one.png` }];
  return JSON.stringify({ title, description: words, rows, links: { next: '/from/json-next' } });
}

export function jsonLdOf(origin: string, title: string, words: string): string {
  const base = { '@base': `${origin}/from/`, x: `${origin}/never/term` };
  return JSON.stringify({
    '@context': base,
    '@type': 'Article',
    headline: title,
    articleBody: words,
    '@id': './json-ld',
  });
}

export function xmlOf(origin: string, title: string, words: string): string {
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "${origin}/never/entity">]>
<catalogue><title>${title}</title><part href="/from/xml">${words} &b; &f;</part><see>${origin}/from/xml-text</see></catalogue>`;
}

/** It names itself, and that is no reason to go round. */
export function mapOf(origin: string): string {
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/maps/extra.xml</loc></url>
<url><loc>${origin}/from/map</loc><lastmod>2026-03-06</lastmod></url></urlset>`;
}

export function markdownOf(title: string, words: string): string {
  return `# ${title}\n\n${words}\n\nSee [this](../from/markdown) and [that][2].\n\n![no](/never/picture.png)\n\n[2]: /from/markdown-2\n`;
}

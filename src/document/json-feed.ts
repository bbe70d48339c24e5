/** JSON Feed 1.0 and 1.1 (X2): its items as pages, with their dates (T3), and their texts. */
import { entryList, type ListedEntry } from './as-markdown.ts';
import { htmlPart } from './html-part.ts';
import { hasTooMany, isObject, type Json, json, parseJson } from './json.ts';
import { type DocumentLink, definePlugin } from './plugin.ts';
import { line, TITLE_CHARS_MAX, textOf } from './text-tools.ts';

type Fields = Readonly<Record<string, Json>>;

export const jsonFeed = definePlugin({
  name: 'json-feed',
  types: ['application/feed+json'],
  sniff: (start) =>
    /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org/.test(Buffer.from(start).toString()),
  read(page) {
    const text = textOf(page);
    const root = hasTooMany(text) ? null : parseJson(text);
    if (!isObject(root) || !Array.isArray(root.items)) return json.read(page);
    const title = line(stringIn(root, 'title'), TITLE_CHARS_MAX);
    const texts = [title, stringIn(root, 'description')];
    const links = feedLinks(root);
    const entries: ListedEntry[] = [];
    for (const item of root.items) {
      if (!isObject(item)) continue;
      links.push(...itemLinks(item));
      const part = htmlPart(stringIn(item, 'content_html'), page.url, page.linksMax);
      links.push(...part.links);
      const words = part.text || stringIn(item, 'content_text') || stringIn(item, 'summary');
      texts.push(stringIn(item, 'title'), words);
      const [own] = itemLinks(item);
      const date = own?.lastmod ?? '';
      entries.push({ title: stringIn(item, 'title'), href: own?.href ?? '', date, text: words });
    }
    const words = texts.filter((one) => one !== '').join('\n');
    const metadata = { entries: String(root.items.length) };
    return {
      title,
      text: words.slice(0, page.textCharsMax),
      links: links.slice(0, page.linksMax),
      metadata,
      ...(page.wantsMarkdown && { markdown: entryList(title, entries, page) }),
    };
  },
});

function feedLinks(root: Fields): DocumentLink[] {
  return [
    ...linkTo(stringIn(root, 'home_page_url'), {}),
    ...linkTo(stringIn(root, 'next_url'), { rel: 'next' }),
    ...linkTo(stringIn(root, 'feed_url'), { rel: 'self', follow: false }),
  ];
}

function itemLinks(item: Fields): DocumentLink[] {
  const date = stringIn(item, 'date_modified') || stringIn(item, 'date_published');
  const text = line(stringIn(item, 'title'), TITLE_CHARS_MAX);
  const own = { text, kind: 'feed', ...(date !== '' && { lastmod: date }) };
  const id = stringIn(item, 'id');
  const url = stringIn(item, 'url') || (/^https?:\/\//i.test(id) ? id : '');
  return [...linkTo(url, own), ...linkTo(stringIn(item, 'external_url'), { rel: 'related' })];
}

function linkTo(href: string, more: Partial<DocumentLink>): DocumentLink[] {
  return href === '' ? [] : [{ href, ...more }];
}

function stringIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

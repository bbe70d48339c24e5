/**
 * The reader of a feed's tokens (feed.ts). It knows the entry it is in and the element whose text
 * it gathers; everything else is passed over, so depth costs nothing.
 */
import { localName, type XmlReader } from '../page/xml.ts';
import { xmlAttribute } from '../page/xml-text.ts';
import { entryList, type ListedEntry } from './as-markdown.ts';
import { ASIDES, DATES, ENTRIES, isPageRel, TEXTS, TITLES } from './feed-names.ts';
import { htmlPart } from './html-part.ts';
import type { DocumentLink, DocumentPage, FoundDocument } from './plugin.ts';
import { line, TITLE_CHARS_MAX } from './text-tools.ts';
import { XmlPlaces } from './xml-base.ts';

/** Of one element. */
const GATHERED_CHARS_MAX = 1 << 20;

interface Entry {
  readonly links: DocumentLink[];
  title: string;
  date: string;
  /** The longest of its texts. */
  text: string;
  guid: DocumentLink | undefined;
}

export class FeedReader implements XmlReader {
  readonly #places: XmlPlaces;
  readonly #page: DocumentPage;
  readonly #links: DocumentLink[] = [];
  readonly #texts: string[] = [];
  readonly #listed: ListedEntry[] = [];
  readonly #feed = blankEntry();
  #chars = 0;
  #entry: Entry | undefined;
  #entries = 0;
  #gathering = '';
  #attributes = '';
  #text = '';

  constructor(base: string, page: DocumentPage) {
    this.#places = new XmlPlaces(base);
    this.#page = page;
  }

  get done(): boolean {
    return this.#links.length >= this.#page.linksMax;
  }

  open(name: string, attributes: string, empty: boolean): void {
    const local = localName(name);
    this.#places.open(name, attributes);
    if (ENTRIES.has(local)) this.#startEntry();
    if (TEXTS.has(this.#gathering)) this.#openInText(local, attributes);
    else this.#openField(name, local, attributes, empty);
  }

  #openField(name: string, local: string, attributes: string, empty: boolean): void {
    this.#linkIn(local, attributes);
    const isGathered =
      local === 'link' ||
      local === 'guid' ||
      TITLES.has(local) ||
      DATES.has(local) ||
      TEXTS.has(local);
    if (empty || !isGathered || this.#isAside(name, local)) return;
    this.#gathering = local;
    this.#attributes = attributes;
    this.#text = '';
  }

  close(name: string): void {
    const local = localName(name);
    if (local === this.#gathering) this.#endElement(local);
    this.#places.close(name);
    if (ENTRIES.has(local)) this.#endEntry();
  }

  text(text: string): void {
    if (this.#gathering === '' || this.#text.length > GATHERED_CHARS_MAX) return;
    this.#text += text;
  }

  finish(): FoundDocument {
    if (this.#gathering !== '') this.#endElement(this.#gathering);
    this.#endEntry();
    const title = this.#feed.title;
    return {
      title,
      text: [title, ...this.#texts].join('\n'),
      links: [...withDate(this.#feed), ...this.#links].slice(0, this.#page.linksMax),
      metadata: { entries: String(this.#entries) },
      ...(this.#page.wantsMarkdown && { markdown: entryList(title, this.#listed, this.#page) }),
    };
  }

  /** XHTML as it stands in Atom: its links are the entry's. */
  #openInText(local: string, attributes: string): void {
    this.#text += ' ';
    const href = local === 'a' ? xmlAttribute(attributes, 'href') : undefined;
    const rel = href === undefined ? undefined : xmlAttribute(attributes, 'rel');
    if (href !== undefined) this.#add({ href, ...(rel !== undefined && { rel }) });
  }

  #isAside(name: string, local: string): boolean {
    if (ASIDES.some((aside) => this.#places.isIn(aside))) return true;
    // media:title and the like speak of a picture, dc:date and content:encoded of the entry.
    return local === 'title' && /^(?:media|itunes|g):/.test(name);
  }

  /** One that was left open, or a field in it, ends here. */
  #startEntry(): void {
    if (this.#gathering !== '') this.#endElement(this.#gathering);
    this.#endEntry();
    this.#entry = blankEntry();
    this.#entries++;
  }

  /** Addresses in attributes: Atom's links, enclosures, CDF's entries. */
  #linkIn(local: string, attributes: string): void {
    if (attributes === '' || this.#isAside('', local)) return;
    if (local === 'link') {
      const href = xmlAttribute(attributes, 'href');
      if (href !== undefined) this.#atomLink(href, attributes);
    } else if (local === 'enclosure') {
      const href = xmlAttribute(attributes, 'url');
      if (href !== undefined) this.#add({ href, rel: 'enclosure', follow: false });
    } else if (local === 'channel' || local === 'item') {
      const href = xmlAttribute(attributes, 'href');
      if (href !== undefined) this.#add({ href });
    }
  }

  #atomLink(href: string, attributes: string): void {
    const rel = xmlAttribute(attributes, 'rel')?.trim().toLowerCase() ?? '';
    const title = xmlAttribute(attributes, 'title');
    const isPage = isPageRel(rel);
    this.#add({
      ...{ href, follow: isPage },
      ...(rel !== '' && rel !== 'alternate' && { rel }),
      ...(title !== undefined && { text: line(title) }),
    });
  }

  #endElement(local: string): void {
    const text = this.#text.trim();
    const attributes = this.#attributes;
    this.#gathering = '';
    this.#text = '';
    if (text === '') return;
    const current = this.#entry ?? this.#feed;
    if (local === 'link') {
      if (xmlAttribute(attributes, 'href') === undefined) this.#atomLink(text, attributes);
    } else if (local === 'guid') {
      const isPage = xmlAttribute(attributes, 'ispermalink')?.toLowerCase() !== 'false';
      if (isPage && /^https?:\/\//i.test(text)) current.guid = { href: text };
    } else if (TITLES.has(local)) current.title ||= htmlPart(text, this.#places.base, 0).text;
    else if (DATES.has(local)) current.date = laterOf(local, current.date, text);
    else this.#say(text);
  }

  #say(html: string): void {
    if (this.#chars >= this.#page.textCharsMax) return;
    const part = htmlPart(html, this.#places.base, this.#page.linksMax);
    this.#texts.push(part.text);
    const current = this.#entry ?? this.#feed;
    if (part.text.length > current.text.length) current.text = part.text;
    this.#chars += part.text.length;
    for (const link of part.links) this.#add(link);
  }

  #add(link: DocumentLink): void {
    const { links } = this.#entry ?? this.#feed;
    if (links.length < this.#page.linksMax) links.push({ base: this.#places.base, ...link });
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (entry === undefined) return;
    if (entry.title !== '') this.#texts.push(entry.title);
    const links = withDate(entry);
    this.#links.push(...links);
    const own = links.find(({ kind }) => kind === 'feed');
    const { title, date, text } = entry;
    if (this.#page.wantsMarkdown) {
      this.#listed.push({ ...{ title, date, text }, href: own?.href ?? '', base: own?.base });
    }
  }
}

function blankEntry(): Entry {
  return { links: [], title: '', date: '', text: '', guid: undefined };
}

/** The first followed link without a kind is the entry itself: it has the title and the date. */
function withDate({ links, title, date, guid }: Entry): DocumentLink[] {
  const own = links.findIndex(
    ({ follow, kind, rel }) => follow !== false && kind === undefined && (rel ?? '') === '',
  );
  const all = own >= 0 || guid === undefined ? links : [guid, ...links];
  const at = own >= 0 ? own : 0;
  return all.map((link, i) => {
    if (i !== at || (own < 0 && guid === undefined)) return link;
    const text = link.text ?? line(title, TITLE_CHARS_MAX);
    return { ...link, kind: 'feed', text, ...(date !== '' && { lastmod: date }) };
  });
}

/** What was changed counts more than what was published, in whatever order they stand. */
function laterOf(local: string, before: string, text: string): string {
  return before === '' || local === 'updated' || local === 'modified' ? text : before;
}

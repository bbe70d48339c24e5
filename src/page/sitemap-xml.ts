/**
 * The readers of a sitemap's tokens: entries out of urlset, sitemapindex, RSS, RDF and Atom.
 *
 * All five are one shape: a root, entries, and fields in an entry. So one table per kind of
 * root says what an entry is called and which of its fields mean what, and one reader follows
 * it. It keeps no stack, hence any depth is welcome: it knows the entry it is in, the field it
 * is in, and the extension (`image:image` …) it is in, and each ends at its own closing tag.
 *
 * Repairs: an entry ends when the next begins; a field ends when another begins; a second
 * `loc` in one entry is an entry of its own.
 */
import {
  absolute,
  type Draft,
  entryOf,
  type Field,
  permalink,
  pushTo,
  type SitemapUrl,
} from './sitemap-entry.ts';
import { localName, prefixOf, type XmlReader } from './xml.ts';
import { xmlAttribute } from './xml-text.ts';

interface Shape {
  readonly kind: 'urlset' | 'index' | 'feed';
  readonly entry: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const URL_FIELDS = {
  loc: 'loc',
  lastmod: 'lastmod',
  changefreq: 'changefreq',
  priority: 'priority',
} as const;
const FEED_FIELDS = { link: 'loc', guid: 'guid', pubdate: 'lastmod', date: 'lastmod' } as const;
const URLSET: Shape = { kind: 'urlset', entry: 'url', fields: URL_FIELDS };
const INDEX: Shape = { kind: 'index', entry: 'sitemap', fields: URL_FIELDS };
const FEED: Shape = { kind: 'feed', entry: 'item', fields: FEED_FIELDS };
const ATOM: Shape = {
  kind: 'feed',
  entry: 'entry',
  fields: { updated: 'lastmod', modified: 'lastmod', published: 'published', issued: 'published' },
};
const ROOTS: Readonly<Record<string, Shape>> = {
  urlset: URLSET,
  url: URLSET,
  sitemapindex: INDEX,
  sitemap: INDEX,
  rss: FEED,
  rdf: FEED,
  feed: ATOM,
};
const EXTENSIONS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  image: { loc: 'image' },
  video: { content_loc: 'video', player_loc: 'video' },
  news: { title: 'newsTitle', publication_date: 'newsDate' },
};
/** A field's text beyond this is no URL or date, and is cut. */
const FIELD_CHARS_MAX = 8_192;

export class SitemapXml implements XmlReader {
  readonly urls: SitemapUrl[] = [];
  readonly index: SitemapUrl[] = [];
  /** An entry was left out because of the limit. */
  full = false;
  readonly #base: string;
  readonly #wanted: (loc: string) => boolean;
  readonly #urlsMax: number;
  #shape: Shape | undefined;
  #prefix = '';
  #foreign = false;
  #draft: Draft | undefined;
  #extension: string | undefined;
  #field: Field | undefined;
  #fieldName = '';
  #text = '';

  constructor(base: string, wanted: (loc: string) => boolean, urlsMax: number) {
    this.#base = base;
    this.#wanted = wanted;
    this.#urlsMax = urlsMax;
  }

  get kind(): 'urlset' | 'index' | 'feed' | 'unknown' {
    return this.#shape?.kind ?? 'unknown';
  }

  get done(): boolean {
    return this.full;
  }

  open(name: string, attributes: string, empty: boolean): void {
    const local = localName(name);
    if (this.#shape === undefined) this.#root(name, local);
    if (this.#shape === undefined) return;
    if (local === this.#shape.entry && !(this.#field !== undefined && this.#text === '')) {
      this.finish();
      this.#draft = {};
    } else if (this.#draft !== undefined) {
      this.#openInEntry(this.#draft, name, local, attributes, empty);
    }
  }

  close(name: string): void {
    const local = localName(name);
    if (this.#field !== undefined && local === this.#fieldName) this.#endField();
    if (local === this.#extension) this.#extension = undefined;
    else if (local === this.#shape?.entry) this.finish();
  }

  text(text: string): void {
    if (this.#field === undefined || this.#text.length > FIELD_CHARS_MAX) return;
    this.#text += text.slice(0, FIELD_CHARS_MAX);
  }

  /** Ends the entry in hand, also when the file did not. */
  finish(): void {
    this.#endField();
    const draft = this.#draft;
    this.#draft = undefined;
    this.#extension = undefined;
    if (draft !== undefined) this.add(draft);
  }

  add(draft: Draft): void {
    const loc = absolute(draft.loc ?? permalink(draft.guid), this.#base);
    if (loc === undefined || !this.#wanted(loc)) return;
    const list = this.#shape === INDEX ? this.index : this.urls;
    if (list.length < this.#urlsMax) list.push(entryOf(loc, draft, this.#base));
    else this.full = true;
  }

  /** Inside a stranger (an error page, a wrapper) only the unmistakable roots count. */
  #root(name: string, local: string): void {
    const shape = ROOTS[local];
    if (this.#foreign && shape !== undefined && local === shape.entry) return;
    this.#shape = shape;
    this.#foreign = shape === undefined;
    // RDF has a prefix of its own; its items have none.
    this.#prefix = local === 'rdf' ? '' : prefixOf(name);
  }

  #openInEntry(
    draft: Draft,
    name: string,
    local: string,
    attributes: string,
    empty: boolean,
  ): void {
    const ours = prefixOf(name) === this.#prefix;
    if (local === 'link') this.#link(draft, ours, attributes);
    const field =
      this.#extension === undefined
        ? this.#fieldFor(ours, local)
        : EXTENSIONS[this.#extension]![local];
    if (field !== undefined && !empty) this.#startField(field, local);
    else if (this.#extension === undefined && local in EXTENSIONS && !empty)
      this.#extension = local;
  }

  #fieldFor(ours: boolean, local: string): Field | undefined {
    if (!ours && local !== 'date') return undefined;
    return this.#shape!.fields[local];
  }

  #startField(field: Field, local: string): void {
    this.#endField();
    if (field === 'loc' && this.#draft?.loc !== undefined && this.#shape !== FEED) {
      this.finish();
      this.#draft = {};
    }
    this.#field = field;
    this.#fieldName = local;
  }

  #endField(): void {
    const field = this.#field;
    const text = this.#text.trim();
    this.#field = undefined;
    this.#text = '';
    if (field === undefined || text === '' || this.#draft === undefined) return;
    if (field === 'image') pushTo(this.#draft, 'images', text);
    else if (field === 'video') pushTo(this.#draft, 'videos', text);
    else this.#draft[field] ??= text;
  }

  /** `xhtml:link` names a translation; an Atom `link` is the entry's own address. */
  #link(draft: Draft, ours: boolean, attributes: string): void {
    const href = xmlAttribute(attributes, 'href');
    const rel = xmlAttribute(attributes, 'rel')?.toLowerCase() ?? 'alternate';
    if (href === undefined || rel !== 'alternate') return;
    if (this.#shape === ATOM && ours) draft.loc ??= href;
    if (this.#shape !== URLSET) return;
    const hreflang = xmlAttribute(attributes, 'hreflang');
    pushTo(draft, 'alternates', hreflang === undefined ? { href } : { href, hreflang });
  }
}

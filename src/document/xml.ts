/**
 * XML of any other kind (X2): OPML, DocBook, API answers. Addresses in the attributes that mean
 * one, texts that are a URL as a whole, the first `title`, and the words.
 *
 * No entity is expanded and nothing is loaded (../page/xml.ts).
 */

import { localName, scanXml, type XmlReader } from '../page/xml.ts';
import { xmlAttribute } from '../page/xml-text.ts';
import { entryList, plainMarkdown } from './as-markdown.ts';
import {
  type DocumentLink,
  type DocumentPage,
  definePlugin,
  type FoundDocument,
} from './plugin.ts';
import { isBinary, line, TITLE_CHARS_MAX, withoutControls, xmlTextOf } from './text-tools.ts';
import { documentBase, rootOf, XmlPlaces } from './xml-base.ts';

const ADDRESSES = ['href', 'xlink:href', 'htmlurl', 'xmlurl'] as const;
/** These mean addresses in some vocabularies only: they must look like one. */
const MAYBE = ['url', 'uri', 'target'] as const;
const LOOKS_LIKE_ONE = /^(?:https?:\/\/|\.{0,2}\/)\S*$/i;
const WHOLE_URL = /^https?:\/\/[^\s<>"]{1,2000}$/i;
const ATTRIBUTES = /(?:href|url|uri|target)\s*=/i;

export const xml = definePlugin({
  name: 'xml',
  types: ['application/xml', 'text/xml', '*+xml'],
  sniff: (start, { mediaType }) => {
    const root = rootOf(start);
    const isDeclared = /^(?:\ufeff)?\s*<\?xml\s/.test(
      Buffer.from(start.subarray(0, 64)).toString(),
    );
    return root !== '' && root !== 'html' && (isDeclared || mediaType.endsWith('xml'));
  },
  read(page) {
    const text = xmlTextOf(page);
    if (isBinary(text)) return { trouble: 'not XML, although announced' };
    const reader = new AnyXml(page);
    scanXml(text, reader);
    return reader.finish();
  },
});

class AnyXml implements XmlReader {
  readonly #page: DocumentPage;
  readonly #places: XmlPlaces;
  readonly #links: DocumentLink[] = [];
  readonly #texts: string[] = [];
  #chars = 0;
  #title = '';
  #name = '';

  constructor(page: DocumentPage) {
    this.#page = page;
    this.#places = new XmlPlaces(documentBase(page.url, page.headers));
  }

  get done(): boolean {
    const { linksMax, textCharsMax } = this.#page;
    return this.#links.length >= linksMax && this.#chars >= textCharsMax;
  }

  open(name: string, attributes: string): void {
    this.#places.open(name, attributes);
    this.#name = localName(name);
    if (!ATTRIBUTES.test(attributes)) return;
    const text = xmlAttribute(attributes, 'title') ?? xmlAttribute(attributes, 'text') ?? '';
    for (const attribute of ADDRESSES) {
      const href = xmlAttribute(attributes, attribute);
      if (href !== undefined && !href.startsWith('#')) this.#add(href, text, attributes);
    }
    for (const attribute of MAYBE) {
      const href = xmlAttribute(attributes, attribute);
      if (href !== undefined && LOOKS_LIKE_ONE.test(href)) this.#add(href, text, attributes);
    }
  }

  close(name: string): void {
    this.#places.close(name);
    this.#name = '';
  }

  text(text: string): void {
    const words = text.trim();
    if (words === '') return;
    if (WHOLE_URL.test(words)) this.#add(words, '', '');
    else this.#say(words);
  }

  #say(words: string): void {
    if (this.#name === 'title') this.#title ||= line(words, TITLE_CHARS_MAX);
    if (this.#chars >= this.#page.textCharsMax) return;
    this.#texts.push(withoutControls(words, this.#page.textCharsMax - this.#chars));
    this.#chars += words.length + 1;
  }

  finish(): FoundDocument {
    const found = { title: this.#title, text: this.#texts.join('\n'), links: this.#links };
    if (!this.#page.wantsMarkdown) return found;
    const named = this.#links.filter(({ text }) => text !== '');
    const entries = named.map(({ href, base, text = '' }) => {
      return { title: text, href, base, date: '', text: '' };
    });
    const list = entryList('', entries, this.#page);
    return { ...found, markdown: `${plainMarkdown(found.title, found.text)}\n${list}` };
  }

  #add(href: string, text: string, attributes: string): void {
    if (this.#links.length >= this.#page.linksMax) return;
    const rel = attributes === '' ? undefined : xmlAttribute(attributes, 'rel');
    const base = this.#places.base;
    this.#links.push({
      ...{ href, base, text: line(text), kind: 'xml' },
      ...(rel !== undefined && { rel }),
    });
  }
}

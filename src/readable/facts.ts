/**
 * What a page says about itself, for the lines above its text: title, date and language.
 */
import type { HtmlElement, HtmlTree } from './tree.ts';
import { textIn } from './writing.ts';

export interface PageFacts {
  readonly title: string;
  /** ISO 8601, as far as the page says; empty when it does not. */
  readonly date: string;
  /** As the page declares it: `en`, `pt-BR`. */
  readonly language: string;
}

const DATE_NAMES = new Set([
  ...['article:published_time', 'article:modified_time', 'og:updated_time', 'date', 'dc.date'],
  ...['dcterms.date', 'dcterms.created', 'dcterms.modified', 'citation_publication_date'],
  ...['datepublished', 'datemodified', 'last-modified', 'pubdate', 'docdate'],
]);
const ISO_DATE =
  /^\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const CHARS_MAX = 500;

export function factsOf({ root, elements }: HtmlTree): PageFacts {
  const title = elements.find(({ tag, parent }) => tag === 'title' && parent?.tag !== 'svg');
  const language = root.get('lang') || root.get('xml:lang');
  return {
    title:
      title === undefined ? '' : line(title.children.map((child) => textIn(child, 9)).join('')),
    date: elements.map(dateOf).find((date) => date !== '') ?? '',
    language: /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8})*$/.test(language) ? language : '',
  };
}

function dateOf(element: HtmlElement): string {
  if (element.attributes === undefined) return '';
  const { tag } = element;
  if (tag !== 'meta' && tag !== 'time') return '';
  const name = element.get('property') || element.get('name') || element.get('itemprop');
  if (tag === 'meta' ? !DATE_NAMES.has(name.toLowerCase()) : !element.has('datetime')) return '';
  const date = (tag === 'meta' ? element.get('content') : element.get('datetime')).trim();
  return ISO_DATE.test(date) ? date.replace(' ', 'T') : '';
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, CHARS_MAX);
}

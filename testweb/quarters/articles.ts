/**
 * The honest pages of a quarter's host: a root and numbered articles, each with a text of its own
 * unless the host says otherwise.
 *
 *   /   /news/amber-river-stone-4.html   /2024/05/candle-field-oak-5/   /guide/6/salt-wolf-tea
 *
 * Either a tree of eight children, links in the text; or `flat`: the root names lists, lists name
 * articles, and an article holds no words but its template's and its own, so that what two of them
 * share can be counted.
 */
import type { WebAnswer } from '../exchange.ts';
import { mix } from '../hash.ts';
import { SECTIONS } from '../words.ts';
import { type Frame, frameOf, type Link, pageAnswer, type Sheet } from './layout.ts';
import { proseOf, slugOf, titleOf } from './prose.ts';
import type { Label, Role } from './quarter.ts';

const CHILDREN = 8;
const LISTED = 25;

export interface Text {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly label: Label;
}

export interface ArticleStyle {
  readonly seed: number;
  readonly count: number;
  readonly flat?: boolean;
  readonly sentences?: number;
  /** Words that every page shares. */
  readonly boilerplateWords?: number;
  /** Where paths and template come from, when not from `seed`. */
  readonly siteSeed?: number;
  /** Links that an article has besides. */
  readonly extraAt?: (article: number) => readonly Link[];
  /** Instead of a text of its own. */
  readonly textAt?: (article: number) => Text;
}

/** What a path is: article 0 is the root; lists count from 1. */
export type Place =
  | { readonly kind: 'article'; readonly n: number }
  | { readonly kind: 'list'; readonly n: number };

export class Articles {
  readonly count: number;
  readonly frame: Frame;
  readonly #style: ArticleStyle;
  readonly #site: number;
  readonly #lists: number;

  constructor(style: ArticleStyle) {
    this.#style = style;
    this.#site = style.siteSeed ?? style.seed;
    this.count = style.count;
    this.#lists = style.flat === true ? Math.ceil(style.count / LISTED) : 0;
    const first = style.flat === true ? [0] : [0, 1, 2, 3];
    const navigation = first.filter((n) => n <= style.count).map((n) => this.linkTo(n));
    this.frame = frameOf(this.#site, navigation, style.boilerplateWords);
  }

  pathOf(article: number): string {
    if (article === 0) return '/';
    const draw = mix(this.#site + 0x5a, article);
    const slug = slugOf(mix(this.#site, article));
    const section = SECTIONS[(draw >>> 4) & 7]!;
    if (draw % 3 === 0) return `/${section}/${slug}-${article}.html`;
    if (draw % 3 === 1) return `/${section}/${article}/${slug}`;
    const month = String(1 + ((draw >>> 8) % 12)).padStart(2, '0');
    return `/${2018 + (draw % 7)}/${month}/${slug}-${article}/`;
  }

  placeOf(path: string): Place | undefined {
    if (path === '/') return { kind: 'article', n: 0 };
    const list = /^\/pages\/([1-9]\d*)$/.exec(path);
    if (list !== null && Number(list[1]) <= this.#lists)
      return { kind: 'list', n: Number(list[1]) };
    for (const [digits] of path.matchAll(/\d+/g)) {
      const n = Number(digits);
      if (n > 0 && n <= this.count && this.pathOf(n) === path) return { kind: 'article', n };
    }
    return undefined;
  }

  textOf(article: number): Text {
    const { textAt, seed } = this.#style;
    if (textAt !== undefined && article > 0) return textAt(article);
    return this.ownText(mix(seed, article), 'honest', `article:${seed}:${article}`);
  }

  ownText(seed: number, role: Role, text: string): Text {
    const { sentences = 40 } = this.#style;
    const count = Math.ceil((sentences * (80 + (mix(seed, 0x3c) % 41))) / 100);
    const label = { role, text, edited: 0 };
    return { title: titleOf(seed), paragraphs: proseOf(seed, count), label };
  }

  linkTo(article: number): Link {
    const text = article === 0 ? 'Home' : titleOf(mix(this.#site, article));
    return { href: this.pathOf(article), text };
  }

  answer(place: Place): WebAnswer {
    return pageAnswer(this.sheetOf(place));
  }

  sheetOf(place: Place): Sheet {
    const { frame } = this;
    if (place.kind === 'list') {
      const links: Link[] = [];
      for (let n = place.n; n <= this.count; n += this.#lists) links.push(this.linkTo(n));
      return { title: `Pages ${place.n}`, paragraphs: [], links, frame };
    }
    const { title, paragraphs } = this.textOf(place.n);
    return { title, paragraphs, links: this.#linksOf(place.n), frame };
  }

  labelOf(place: Place): Label {
    if (place.kind === 'article') return this.textOf(place.n).label;
    return { role: 'honest', text: `list:${this.#site}:${place.n}`, edited: 0 };
  }

  *paths(): Generator<string> {
    for (let article = 0; article <= this.count; article++) yield this.pathOf(article);
    for (let list = 1; list <= this.#lists; list++) yield `/pages/${list}`;
  }

  #linksOf(article: number): Link[] {
    const extra = this.#style.extraAt?.(article) ?? [];
    return [...(this.#lists > 0 ? this.#listLinks(article) : this.#treeLinks(article)), ...extra];
  }

  #listLinks(article: number): Link[] {
    if (article > 0) return [];
    const lists = Array.from({ length: this.#lists }, (_, n) => n + 1);
    return lists.map((n) => ({ href: `/pages/${n}`, text: `Pages ${n}` }));
  }

  #treeLinks(article: number): Link[] {
    const links: Link[] = [];
    const first = article * CHILDREN + 1;
    for (let n = first; n < first + CHILDREN && n <= this.count; n++) links.push(this.linkTo(n));
    for (let n = 0; n < 3 && this.count > 0; n++) {
      links.push(this.linkTo(1 + (mix(mix(this.#site, article), n) % this.count)));
    }
    return links;
  }
}

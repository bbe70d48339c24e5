/**
 * Which part of a page is the page: its text without what every page of the site has.
 *
 *   1. doubt: each element says what it is, by tag, role, class and id (hints.ts)
 *   2. root: <main> if it holds its share, else the one <article>, else we follow the weight:
 *      from the body down, as long as one child holds nearly all the prose and no heading is lost
 *   3. too little left of what there is to read? Then doubt less: class names first, then tags,
 *      then what is hidden
 *
 * The page's h1 may stand above its main part; it is handed over with it.
 */
import { isHeader, isInside, isMain, isSitePart, soundsLikeSite, unseen } from './hints.ts';
import { type HtmlElement, type HtmlTree, NO_HEADING } from './tree.ts';
import { linkDensity, prose, weigh } from './weigh.ts';
import { textIn } from './writing.ts';

export interface MainPart {
  readonly root: HtmlElement;
  /** Elements that are doubted this much are not read. */
  readonly doubt: number;
  /** The heading above the part, when the part has none of its own. */
  readonly heading: HtmlElement | undefined;
}

/** A part that is named `sidebar` and holds this much of the page is no sidebar. */
const SITE_SHARE_MAX = 0.4;
const MAIN_SHARE_MIN = 0.2;
const ARTICLE_SHARE_MIN = 0.5;
const DESCENT_SHARE_MIN = 0.85;
/** What is kept must be this much of all there is to read, or this many characters. */
const KEPT_SHARE_MIN = 0.15;
const KEPT_CHARS_ENOUGH = 600;
const LINKS_OF_SITE = 0.3;
const SHORT_CHARS = 200;

export function mainPart(tree: HtmlTree, url: string): MainPart {
  doubtAll(tree, fileNameOf(url));
  const all = tree.root.chars;
  for (const doubt of [1, 2]) {
    weigh(tree.elements, doubt);
    const root = chooseRoot(tree);
    if (isEnough(root, all)) return { root, doubt, heading: headingFor(root, tree, doubt) };
  }
  return everything(tree);
}

/** What is hidden, too, if there is nothing else: scripts show it once they have run. */
function everything(tree: HtmlTree): MainPart {
  weigh(tree.elements, 3);
  const doubt = tree.root.chars > 0 ? 3 : 4;
  if (doubt === 4) weigh(tree.elements, 4);
  return { root: tree.root, doubt, heading: undefined };
}

/** The whole page, without what is never read. */
export function wholePage(tree: HtmlTree): MainPart {
  for (const element of tree.elements) element.doubt = unseen(element);
  return everything(tree);
}

function isEnough(root: HtmlElement, all: number): boolean {
  if (root.chars >= KEPT_CHARS_ENOUGH) return root.chars >= all * 0.05;
  return root.chars > 0 && root.chars >= all * KEPT_SHARE_MIN;
}

/** What links to the page from its own folder begin with. */
function fileNameOf(url: string): string {
  const path = url.replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}

function doubtAll(tree: HtmlTree, page: string): void {
  const { elements, root } = tree;
  for (const element of elements) element.doubt = unseen(element);
  weigh(elements, 3);
  const titled = aroundTitle(tree);
  const most = prose(root) * SITE_SHARE_MAX;
  for (const element of elements) {
    if (element.doubt > 0 || element === root || element.tag === 'body') continue;
    if (isSitePart(element) && prose(element) <= Math.max(most, SHORT_CHARS)) element.doubt = 2;
    else if (titled.has(element)) continue;
    else if (isHeader(element) && isSiteHeader(element, titled)) element.doubt = 2;
    else if (soundsLikeSite(element, page) && isSmallOrLinks(element, most)) element.doubt = 1;
  }
}

/** Everything around the h1 that the page's title begins with: the page's own, not the site's. */
function aroundTitle(tree: HtmlTree): ReadonlySet<HtmlElement> {
  const around = new Set<HtmlElement>();
  const title = titleOf(tree);
  if (title === '') return around;
  const own = tree.elements.find(
    (one) => one.tag === 'h1' && one.doubt === 0 && one.chars > 0 && title.startsWith(bare(one)),
  );
  for (let at = own; at !== undefined; at = at.parent) around.add(at);
  return around;
}

function titleOf({ elements }: HtmlTree): string {
  const title = elements.find(({ tag, parent }) => tag === 'title' && parent?.tag !== 'svg');
  return title === undefined ? '' : bare(title);
}

const HEADING_CHARS_MAX = 300;

/** For comparing: without signs and spaces. */
function bare(element: HtmlElement): string {
  const text = element.children.map((child) => textIn(child, 4)).join('');
  return text
    .slice(0, HEADING_CHARS_MAX)
    .replace(/[\s\p{P}\p{S}]+/gu, '')
    .toLowerCase();
}

/** A header without a heading, or one that is mostly links, is not about this page. */
function isSiteHeader(element: HtmlElement, titled: ReadonlySet<HtmlElement>): boolean {
  if (linkDensity(element) > 0.6 || element.heading > 2) return true;
  return titled.size > 0 && !isInside(element, 'article') && !isInside(element, 'main');
}

function isSmallOrLinks(element: HtmlElement, most: number): boolean {
  if (isMain(element)) return false;
  if (prose(element) > most) return false;
  return linkDensity(element) >= LINKS_OF_SITE || element.chars < SHORT_CHARS * 2;
}

function chooseRoot(tree: HtmlTree): HtmlElement {
  const { root, elements } = tree;
  const main = largest(elements.filter((element) => element.doubt === 0 && isMain(element)));
  if (main !== undefined && main.chars >= root.chars * MAIN_SHARE_MIN) return main;
  const articles = elements.filter(({ tag, doubt }) => tag === 'article' && doubt === 0);
  const article = largest(articles);
  if (article !== undefined && prose(article) >= prose(root) * ARTICLE_SHARE_MIN) return article;
  return followWeight(root);
}

function largest(elements: readonly HtmlElement[]): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  for (const element of elements) if (element.chars > (best?.chars ?? 0)) best = element;
  return best;
}

/** Through tables that only place things, too; but a table that is the page is read whole. */
function followWeight(from: HtmlElement): HtmlElement {
  let root = from;
  for (let at = from; ; ) {
    const heaviest = largest(at.children.filter(isElement));
    if (heaviest === undefined || !isContainer(heaviest)) return root;
    if (prose(heaviest) < prose(at) * DESCENT_SHARE_MIN) return root;
    const isPart = TABLE_PART.test(heaviest.tag);
    if (!isPart && heaviest.tag !== 'td' && losesHeading(at, heaviest)) return root;
    at = heaviest;
    if (!isPart) root = heaviest;
  }
}

const TABLE_PART = /^(?:table|tbody|tr)$/;

function losesHeading({ children }: HtmlElement, kept: HtmlElement): boolean {
  return children.some((one) => one !== kept && isElement(one) && one.heading < NO_HEADING);
}

/** Not into a list, a quote or a paragraph: they are read whole. */
function isContainer({ tag, holdsBlock }: HtmlElement): boolean {
  return holdsBlock && !/^(?:ul|ol|dl|pre|blockquote|p|h[1-6]|li|details|a)$/.test(tag);
}

/** The heading that the title begins with; else an h1 that is not the site's name. */
function headingFor(root: HtmlElement, tree: HtmlTree, doubt: number): HtmlElement | undefined {
  if (root === tree.root || root.heading === 1) return undefined;
  const title = titleOf(tree);
  const isOpen = (one: HtmlElement) => one.heading <= 2 && one.doubt < doubt && isRead(one, doubt);
  const headings = tree.elements.filter((one) => /^h[12]$/.test(one.tag) && isOpen(one));
  const own = headings.find((one) => title.startsWith(bare(one)));
  if (own !== undefined) return isIn(own, root) ? undefined : own;
  if (root.heading <= 2) return undefined;
  return headings.find((one) => one.tag === 'h1' && !title.endsWith(bare(one)));
}

function isRead(element: HtmlElement, doubt: number): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) {
    if (at.doubt >= doubt) return false;
  }
  return true;
}

function isIn(element: HtmlElement, around: HtmlElement): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) if (at === around) return true;
  return false;
}

function isElement(node: HtmlElement | { readonly tag: '' }): node is HtmlElement {
  return node.tag !== '';
}

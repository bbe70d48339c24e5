/**
 * Which part of a page is the page: its text without what every page of the site has.
 *
 *   1. doubt: each element says what it is, by tag, role, class and id (hints.ts)
 *   2. root: <main> if it holds its share, else the one <article>, else we follow the weight:
 *      from the body down, as long as one child holds nearly all the prose and no heading is lost
 *   3. too little left of what there is to read? Then doubt less: class names first, then tags
 *
 * The page's h1 may stand above its main part; it is handed over with it.
 */
import { isHeader, isMain, isSilent, isSitePart, soundsLikeSite } from './hints.ts';
import { type HtmlElement, type HtmlTree, NO_HEADING } from './tree.ts';
import { linkDensity, prose, weigh } from './weigh.ts';

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

export function mainPart(tree: HtmlTree): MainPart {
  doubtAll(tree);
  weigh(tree.elements, 3);
  const all = tree.root.chars;
  for (const doubt of [1, 2]) {
    weigh(tree.elements, doubt);
    const root = chooseRoot(tree);
    if (isEnough(root, all)) return { root, doubt, heading: headingFor(root, tree, doubt) };
  }
  weigh(tree.elements, 3);
  return { root: tree.root, doubt: 3, heading: undefined };
}

/** The whole page, without what is never read. */
export function wholePage(tree: HtmlTree): MainPart {
  for (const element of tree.elements) element.doubt = isSilent(element) ? 3 : 0;
  weigh(tree.elements, 3);
  return { root: tree.root, doubt: 3, heading: undefined };
}

function isEnough(root: HtmlElement, all: number): boolean {
  if (root.chars >= KEPT_CHARS_ENOUGH) return root.chars >= all * 0.05;
  return root.chars > 0 && root.chars >= all * KEPT_SHARE_MIN;
}

function doubtAll({ elements, root }: HtmlTree): void {
  for (const element of elements) if (isSilent(element)) element.doubt = 3;
  weigh(elements, 3);
  const most = prose(root) * SITE_SHARE_MAX;
  for (const element of elements) {
    if (element.doubt > 0 || element === root || element.tag === 'body') continue;
    if (isSitePart(element) && prose(element) <= Math.max(most, SHORT_CHARS)) element.doubt = 2;
    else if (isHeader(element) && isSiteHeader(element)) element.doubt = 2;
    else if (soundsLikeSite(element) && isSmallOrLinks(element, most)) element.doubt = 1;
  }
}

/** A header without a heading, or one that is mostly links, is not about this page. */
function isSiteHeader(element: HtmlElement): boolean {
  return linkDensity(element) > 0.6 || element.heading > 2;
}

function isSmallOrLinks(element: HtmlElement, most: number): boolean {
  if (isMain(element) || element.heading === 1) return false;
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

function followWeight(from: HtmlElement): HtmlElement {
  let root = from;
  for (;;) {
    const heaviest = largest(root.children.filter(isElement));
    if (heaviest === undefined || !isContainer(heaviest)) return root;
    if (prose(heaviest) < prose(root) * DESCENT_SHARE_MIN) return root;
    const isHeadless = root.children.some(
      (child) => child !== heaviest && isElement(child) && child.heading < NO_HEADING,
    );
    if (isHeadless) return root;
    root = heaviest;
  }
}

/** Not into a list, a table or a paragraph: they are read whole. */
function isContainer({ tag, holdsBlock }: HtmlElement): boolean {
  return holdsBlock && !/^(?:ul|ol|dl|table|pre|blockquote|p|h[1-6]|li|details|a)$/.test(tag);
}

function headingFor(root: HtmlElement, tree: HtmlTree, doubt: number): HtmlElement | undefined {
  if (root.heading === 1 || tree.root.heading !== 1) return undefined;
  return tree.elements.find((one) => one.tag === 'h1' && one.heading === 1 && one.doubt < doubt);
}

function isElement(node: HtmlElement | { readonly tag: '' }): node is HtmlElement {
  return node.tag !== '';
}

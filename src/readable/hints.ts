/**
 * What an element says about itself: is it for readers, or does it belong to the site?
 *
 *   doubt 4   never read: scripts, parts of forms
 *   doubt 3   hidden: by an attribute, a style or a class that is known for it
 *   doubt 2   by its own name: nav, a footer, a banner, role=navigation …
 *   doubt 1   by its class or id alone: `sidebar`, `cookie-consent`, `share` …
 *
 * main-part.ts leaves out all of them, and takes back the lower ones if too little is left.
 */
import { SILENT } from './elements.ts';
import type { HtmlElement } from './tree.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Parts of a class or id, as cut at `-`, `_` and at capitals. */
const SITE_WORDS = words(
  'nav navbar navigation navheader navfooter subnav topnav sidenav menu sidebar sphinxsidebar ' +
    'breadcrumb breadcrumbs footer masthead cookie cookies consent gdpr ccpa share sharing social ' +
    'promo advert advertisement advertising ads sponsor sponsors subscribe newsletter signup ' +
    'popup modal overlay skip skiplink pagination pager prevnext related recommended toolbar ' +
    'backtotop hamburger searchbox search feedback disqus comments banner editlink gutter linenos lineno copybtn',
);
const HIDDEN_CLASS =
  /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|headerlink|hash-link|header-anchor|anchorjs-link|copybtn|copy-button|clipboard-copy|linenos|lineno|linenodiv|line-numbers-rows|gutter|katex-html|MathJax_Preview|mw-editsection|noprint|rouge-gutter|hideme|boring|src-link|srclink|notable-traits-tooltiptext)(?:\s|$)/;
const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const SITE_ROLES = words(
  'navigation banner contentinfo search complementary menu menubar toolbar dialog alertdialog ' +
    'tablist doc-toc doc-pagelist doc-pagefooter doc-pageheader',
);
/** An aside that belongs to the text. */
const NOTE =
  /(?:^|[\s_-])(?:note|notes|footnote|footnotes|endnotes?|admonition|callout|tip|warning|caution|important|citation)(?:$|[\s_-])/i;

/** 4 or 3 for what readers do not see; 0 for all else. */
export function unseen(element: HtmlElement): number {
  if ((element.bits & SILENT) !== 0) return 4;
  return element.attributes !== undefined && isHidden(element) ? 3 : 0;
}

function isHidden(element: HtmlElement): boolean {
  if (element.tag === 'dialog' && !element.has('open')) return true;
  if (element.has('hidden') && element.get('hidden') !== 'until-found') return true;
  if (element.get('aria-hidden') === 'true') return true;
  if ((saidBy(element.get('class')) & HIDES) !== 0) return true;
  return element.has('style') && HIDDEN_STYLE.test(element.get('style'));
}

/** Belongs to the site by its name or its role; an `aside` or `header` may still be the text's. */
export function isSitePart(element: HtmlElement): boolean {
  const { tag } = element;
  if (tag === 'nav' || tag === 'search') return true;
  if (tag === 'aside' || isRole(element, 'complementary')) return !isNote(element);
  if (tag === 'footer') return !isInside(element, 'blockquote') && !isNote(element);
  return element.attributes !== undefined && SITE_ROLES.has(element.get('role'));
}

const HEADER = /(?:^|\s)header(?:\s|$)/i;

export function isHeader(element: HtmlElement): boolean {
  if (element.tag === 'header' || isRole(element, 'banner')) return true;
  if (element.tag !== 'div' || element.attributes === undefined) return false;
  return ((saidBy(element.get('id')) | saidBy(element.get('class'))) & HEADS) !== 0;
}

export function isMain(element: HtmlElement): boolean {
  return element.tag === 'main' || isRole(element, 'main');
}

export function isNote(element: HtmlElement): boolean {
  return NOTE.test(element.get('class')) || /^doc-(?:foot|end)note/.test(element.get('role'));
}

/** One of the words of its class or id is what site furniture is called; `page` is the file's name. */
export function soundsLikeSite(element: HtmlElement, page: string): boolean {
  if (element.attributes === undefined) return false;
  const said = saidBy(element.get('id')) | saidBy(element.get('class'));
  if ((said & SITE) !== 0) return true;
  return (said & LISTS_PARTS) !== 0 && leadsInside(element, page);
}

const CONTENTS = /(?:^|[\s_-])toc(?:$|[\s_-])|table.?of.?contents/i;

/** A list of this page's own parts says nothing new; one of other pages may be the page. */
function leadsInside(element: HtmlElement, page: string): boolean {
  const href = firstLink(element)?.get('href');
  return href === undefined || href.startsWith('#') || (page !== '' && href.startsWith(`${page}#`));
}

function firstLink(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (child.tag === '') continue;
    const one = child as HtmlElement;
    const link = one.tag === 'a' && one.has('href') ? one : firstLink(one);
    if (link !== undefined) return link;
  }
  return undefined;
}

const NAMES_MAX = 512;

const [SITE, LISTS_PARTS, HIDES, HEADS] = [1, 2, 4, 8];

/** Pages of a site use few names, again and again: what they say is remembered. */
const known = new Map<string, number>();
const KNOWN_MAX = 4_096;

function saidBy(names: string): number {
  if (names === '') return 0;
  const before = known.get(names);
  if (before !== undefined) return before;
  const said = read(names.slice(0, NAMES_MAX));
  if (known.size >= KNOWN_MAX) known.clear();
  if (names.length <= NAMES_MAX) known.set(names, said);
  return said;
}

function read(names: string): number {
  const cut = names.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  const isSite = cut.split(/[\s_-]+/).some((word) => SITE_WORDS.has(word));
  return (
    (isSite ? SITE : 0) |
    (CONTENTS.test(names) ? LISTS_PARTS : 0) |
    (HIDDEN_CLASS.test(names) ? HIDES : 0) |
    (HEADER.test(names) ? HEADS : 0)
  );
}

export function isInside({ parent }: HtmlElement, tag: string): boolean {
  for (let at = parent; at !== undefined; at = at.parent) if (at.tag === tag) return true;
  return false;
}

function isRole(element: HtmlElement, role: string): boolean {
  return element.attributes !== undefined && element.get('role').toLowerCase() === role;
}

/**
 * Where links lead, in the form that Markdown takes: absolute, canonical as everywhere in the
 * crawl (../url/), with their fragment, and with nothing in them that ends a link.
 */
import { linkResolverIn } from '../page/index.ts';
import type { HtmlElement } from './tree.ts';
import { textIn } from './writing.ts';

/** Beside the web's own; anything else (javascript:, data:) is not for readers. */
const KEPT_SCHEME = /^(?:mailto|tel|ftp|news|irc):[^\s<>\\]+$/i;
const FRAGMENT_CHARS_MAX = 300;
const TARGET_CHARS_MAX = 2_048;

/**
 * `charsMax` bounds how much all targets together may add: a page of short relative links
 * under a long address would grow a thousandfold. What is over it keeps its words only.
 */
export function targetsOn(
  base: string,
  charsMax: number,
  charset = 'UTF-8',
): (href: string) => string | undefined {
  const resolve = linkResolverIn(charset, base);
  let left = charsMax;
  return (href) => {
    const trimmed = href.trim();
    const target = KEPT_SCHEME.test(trimmed) ? trimmed : webTarget(trimmed, resolve);
    if (target === undefined || target.length > TARGET_CHARS_MAX || target.length > left) {
      return undefined;
    }
    left -= target.length;
    return safeTarget(target);
  };
}

function webTarget(href: string, resolve: (href: string) => string | undefined) {
  if (href === '') return undefined;
  const url = resolve(href);
  const hash = href.indexOf('#');
  if (url === undefined || hash < 0 || hash === href.length - 1) return url;
  const fragment = href.slice(hash + 1, hash + 1 + FRAGMENT_CHARS_MAX);
  return `${url}#${fragment.replace(/[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e\x80-\uffff]/g, encodeURIComponent)}`;
}

function safeTarget(target: string): string {
  const plain = target.replace(/[<>\\\s`]/g, encodeURIComponent).replace(/&(?=#?\w+;)/g, '&amp;');
  return isBalanced(plain) ? plain : plain.replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29'));
}

const PARENTHESES_MAX = 8;

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [char] of text.matchAll(/[()]/g)) {
    depth += char === '(' ? 1 : -1;
    if (depth < 0 || depth > PARENTHESES_MAX) return false;
  }
  return depth === 0;
}

/** Words for inside the brackets of a link. */
export function linkText(text: string): string {
  return text.replace(/[\\`*_<[\]~|]/g, '\\$&').replace(/&(?=#?\w+;)/g, '\\&');
}

const PERMALINK_TEXT = /^[\s¶§#🔗⚓∞]*$/u;

/** The sign beside a heading that leads to the heading itself. */
export function isPermalink(element: HtmlElement, doubt: number): boolean {
  const href = element.get('href');
  if (!href.includes('#')) return false;
  return element.chars <= 4 && PERMALINK_TEXT.test(textIn(element, doubt));
}

/**
 * Does a page show little without its scripts (J1)? Then a browser is worth its price.
 *
 *   words    many                         → no, at the price of one comparison: nearly every page
 *   body     no script, frames, a refresh → no
 *            nothing to read              → yes
 *            an empty root (`id=root`, `<app-root>`), a framework's marks, a noscript that asks
 *            for scripts, far more script than text → yes, the fewer words the sooner
 *
 * Only what could be empty is looked at, and of that only the beginning. A page whose text is
 * there is never rendered for the sake of its menus.
 */

export interface SeenText {
  /** Without its content-encoding. */
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Words that were found without scripts, title included. */
  readonly words: number;
  readonly links: number;
}

/** More than these, and what the scripts add is not what the page is about. */
const WORDS_MAX = 250;
/** A page with this many words needs more than one sign. */
const WORDS_FEW = 60;
/** So few that any script is sign enough: a title, a notice. */
const WORDS_NONE = 8;
const LINKS_FEW = 5;
const LOOKED_AT = 256 * 1024;

const HTML = /^(?:text\/html|application\/xhtml\+xml|)$/;
const BLOCKS =
  /<(script|style|noscript|template|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;
const ROOT_NAME =
  '(?:root|app|application|main-app|react-root|app-root|approot|app-container|app-mount|mount|' +
  '__next|__nuxt|___gatsby|q-app|svelte|ember-app|page-root|spa|container)';
/** An element that scripts fill: with its name, and nothing in it but blanks or a word of waiting. */
const EMPTY_ROOT = new RegExp(
  `<(?:div|main|section|body)\\b[^>]*\\bid\\s*=\\s*["']?${ROOT_NAME}["'\\s>][^<]{0,80}` +
    `(?:<(?:div|span|p|i|h1|h2)\\b[^>]*>[^<]{0,80}</(?:div|span|p|i|h1|h2)>\\s*){0,2}</`,
  'i',
);
const ROOT_NAMED = new RegExp(`\\bid\\s*=\\s*["']?${ROOT_NAME}["'\\s>]|<[a-z][a-z0-9]*-[a-z]`, 'i');
/** `<app-root></app-root>`: an element that no HTML knows, with next to nothing in it. */
const EMPTY_ELEMENT = /<([a-z][a-z0-9]*-[a-z0-9-]+)\b[^>]*>[^<]{0,80}<\/\1\s*>/i;
const FRAMEWORK =
  /\bng-(?:app|version|controller)\b|\bdata-reactroot\b|\bv-cloak\b|\bv-app\b|__NEXT_DATA__|__NUXT__|webpackJsonp|webpackChunk|\bx-data\s*=|\bdata-server-rendered\b|type\s*=\s*["']?module/i;
const ASKS_FOR_SCRIPTS = /<noscript\b[^>]*>[\s\S]{0,600}?java\s*script[\s\S]{0,600}?<\/noscript/i;
const ELSEWHERE = /<(?:frameset|frame)\b|http-equiv\s*=\s*["']?refresh/i;

export function needsScripts({ body, contentType, words, links }: SeenText): boolean {
  if (words > WORDS_MAX || body.length === 0 || !HTML.test(contentType)) return false;
  if (!hasScript(body)) return false;
  const html = textOf(body);
  // With so many words a root is asked for in any case; its name is found quickly, or is not.
  if (words > WORDS_FEW + WORDS_NONE && !ROOT_NAMED.test(html)) return false;
  if (ELSEWHERE.test(html)) return false;
  const shown = shownIn(html);
  if (shown.words <= WORDS_NONE && links <= LINKS_FEW) return true;
  const signs = signsIn(html, shown.html, links);
  if (shown.words <= WORDS_FEW) return signs.root || signs.asks || signs.rest >= 2;
  return signs.root && (signs.asks || signs.rest >= 1);
}

interface Signs {
  readonly root: boolean;
  readonly asks: boolean;
  /** Weaker ones, counted. */
  readonly rest: number;
}

function signsIn(html: string, shown: string, links: number): Signs {
  const isFramework = FRAMEWORK.test(html);
  const isMostlyScript = scriptChars(html) > 20 * Math.max(shown.length, 100);
  return {
    root: EMPTY_ROOT.test(shown) || EMPTY_ELEMENT.test(shown),
    asks: ASKS_FOR_SCRIPTS.test(html),
    rest: Number(isFramework) + Number(isMostlyScript) + Number(links <= LINKS_FEW),
  };
}

/** What a reader sees without scripts, as tags and words. */
function shownIn(html: string): { readonly html: string; readonly words: number } {
  const shown = html.replace(BLOCKS, ' ');
  const text = shown.replace(/<[^>]*>/g, ' ').replace(/&\w{1,12};/g, ' ');
  return { html: shown, words: text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0 };
}

function scriptChars(html: string): number {
  let chars = 0;
  for (const [script] of html.matchAll(/<script\b[^>]*>[\s\S]*?<\/script/gi))
    chars += script.length;
  return chars;
}

function hasScript(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT));
  return bytes.includes('<script') || bytes.includes('<SCRIPT');
}

function textOf(body: Uint8Array): string {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT));
  return start.toString('utf8');
}

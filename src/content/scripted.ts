/**
 * Does a page show little without its scripts (J1)? Then a browser is worth its price.
 *
 *   words    many                         → no, at the price of one comparison: nearly every page
 *   body     no script, frames, a refresh → no
 *            nothing to read or to look at → yes
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
/** What a reader does not see, with everything in it. */
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);
const SCRIPT = new Set(['script']);
const NOSCRIPT = new Set(['noscript']);
const NOT_MEANT = new Set(['script', 'noscript', 'template']);
const ROOT_NAME =
  '(?:root|app|application|main-app|react-root|app-root|approot|app-container|app-mount|mount|' +
  '__next|__nuxt|___gatsby|q-app|svelte|ember-app|page-root|spa|container)';
const ROOT_TAG = new RegExp(
  `^<(?:div|main|section|body)\\b.*\\bid\\s*=\\s*["']?${ROOT_NAME}["'\\s>]`,
  'is',
);
/** Nothing in it but blanks or a word of waiting. */
const NOTHING_IN_IT =
  /^[^<]{0,80}(?:<(?:div|span|p|i|h1|h2)\b[^>]{0,200}>[^<]{0,80}<\/(?:div|span|p|i|h1|h2)>\s*){0,2}<\//i;
const ROOT_NAMED = new RegExp(`\\bid\\s*=\\s*["']?${ROOT_NAME}["'\\s>]|<[a-z][a-z0-9]*-[a-z]`, 'i');
const FRAMEWORK =
  /\bng-(?:app|version|controller)\b|\bdata-reactroot\b|\bv-cloak\b|\bv-app\b|__NEXT_DATA__|__NUXT__|webpackJsonp|webpackChunk|\bx-data\s*=|\bdata-server-rendered\b/i;
const ASKS_FOR_SCRIPTS = /java\s*script/i;
const ELSEWHERE = /<(?:frameset|frame)\b|http-equiv\s*=\s*["']?refresh/i;
/** A page of few words that has one of these may be whole: a picture, a form, a film. */
const SOMETHING = /<(?:img|picture|video|audio|input|textarea|select|object|embed|iframe)\b/i;
/** Of a tag, of what follows it, of a notice: no more is looked at. */
const TAG_CHARS = 400;
const NOTICE_CHARS = 1_200;
/** There are words enough in so much of a page that has any. */
const ENOUGH_CHARS = 8 * 1024;
const WORDS = /[\p{L}\p{N}]+/gu;

export function needsScripts({ body, contentType, words, links }: SeenText): boolean {
  if (words > WORDS_MAX || body.length === 0 || !HTML.test(contentType)) return false;
  if (!hasScript(body)) return false;
  const html = textOf(body);
  // With so many words a root is asked for in any case; its name is found quickly, or is not.
  if (!ROOT_NAMED.test(html)) {
    if (words > WORDS_FEW + WORDS_NONE || showsMore(html, WORDS_FEW)) return false;
  }
  if (ELSEWHERE.test(html) && ELSEWHERE.test(without(html, NOT_MEANT))) return false;
  const shown = shownIn(html);
  const isBare = shown.words <= WORDS_NONE && links <= LINKS_FEW;
  if (isBare && !SOMETHING.test(shown.html)) return true;
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
    root: hasEmptyRoot(shown),
    asks: asksForScripts(html),
    rest: Number(isFramework) + Number(isMostlyScript) + Number(links <= LINKS_FEW),
  };
}

/** What a reader sees without scripts, as tags and words. */
function shownIn(html: string): { readonly html: string; readonly words: number } {
  const shown = without(html, UNSEEN);
  return { html: shown, words: wordsIn(shown) };
}

function without(html: string, names: ReadonlySet<string>): string {
  const parts: string[] = [];
  let from = 0;
  for (const block of blocksIn(html, names)) {
    parts.push(html.slice(from, block.from), ' ');
    from = block.to;
  }
  return parts.join('') + html.slice(from);
}

/** More words than these, menus included? Looks no further than it must. */
function showsMore(html: string, words: number): boolean {
  let left = words;
  let from = 0;
  for (const block of blocksIn(html, UNSEEN)) {
    left -= wordsIn(html.slice(from, block.from));
    if (left < 0) return true;
    from = block.to;
  }
  return wordsIn(html.slice(from, from + ENOUGH_CHARS)) > left;
}

function wordsIn(html: string): number {
  return textIn(html).match(WORDS)?.length ?? 0;
}

function textIn(html: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const tag of tagsIn(html)) {
    parts.push(html.slice(from, tag.from), ' ');
    from = tag.to;
  }
  return (parts.join('') + html.slice(from)).replace(/&\w{1,12};/g, ' ');
}

/** An element that scripts fill: one with a root's name, or one that no HTML knows (`<app-root>`). */
function hasEmptyRoot(html: string): boolean {
  for (const { from, to } of tagsIn(html)) {
    const tag = html.slice(from, Math.min(to, from + TAG_CHARS));
    const own = /^<([a-z][a-z0-9]*-[a-z0-9-]+)/i.exec(tag)?.[1];
    if (own === undefined && !ROOT_TAG.test(tag)) continue;
    const inside = html.slice(to, to + TAG_CHARS);
    if (own === undefined ? NOTHING_IN_IT.test(inside) : endsAtOnce(inside, own)) return true;
  }
  return false;
}

function endsAtOnce(inside: string, name: string): boolean {
  const text = /^[^<]{0,80}<\//.exec(inside)?.[0];
  if (text === undefined) return false;
  const end = inside.slice(text.length, text.length + name.length + 1).toLowerCase();
  return end.startsWith(name.toLowerCase()) && !/[a-z0-9-]$/.test(end.slice(name.length));
}

function scriptChars(html: string): number {
  let chars = 0;
  for (const { from, to } of blocksIn(html, SCRIPT)) chars += to - from;
  return chars;
}

function asksForScripts(html: string): boolean {
  for (const { from, to } of blocksIn(html, NOSCRIPT)) {
    if (ASKS_FOR_SCRIPTS.test(html.slice(from, Math.min(to, from + NOTICE_CHARS)))) return true;
  }
  return false;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every tag. Each byte is looked at once, whatever stands there. */
function* tagsIn(html: string): Iterable<Span> {
  for (let from = html.indexOf('<'); from !== -1; ) {
    const end = html.indexOf('>', from);
    if (end === -1) return;
    yield { from, to: end + 1 };
    from = html.indexOf('<', end);
  }
}

/** Elements of these names with their end tags, and comments; one that never ends is none. */
function* blocksIn(html: string, names: ReadonlySet<string>): Iterable<Span> {
  const lower = lowered(html);
  const endless = new Set<string>();
  for (let from = lower.indexOf('<'); from !== -1; ) {
    const name = lower.startsWith('<!--', from) ? '!--' : nameAt(lower, from);
    const isWanted = (name === '!--' || names.has(name)) && !endless.has(name);
    const to = isWanted ? endOf(lower, name, from) : -1;
    if (isWanted && to === -1) endless.add(name);
    if (to !== -1) yield { from, to };
    from = lower.indexOf('<', to === -1 ? from + 1 : to);
  }
}

/** In lower case, each character in its place: a few (İ) would become two. */
function lowered(html: string): string {
  const lower = html.toLowerCase();
  return lower.length === html.length ? lower : html;
}

function nameAt(lower: string, from: number): string {
  let to = from + 1;
  while (to < from + 12 && lower.charCodeAt(to) >= 97 && lower.charCodeAt(to) <= 122) to++;
  return lower.slice(from + 1, to);
}

function endOf(lower: string, name: string, from: number): number {
  if (name === '!--') return after(lower, '-->', from);
  const end = lower.indexOf(`</${name}`, from);
  return end === -1 ? -1 : after(lower, '>', end);
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

function hasScript(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT));
  return bytes.includes('<script') || bytes.includes('<SCRIPT');
}

function textOf(body: Uint8Array): string {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT));
  return start.toString('utf8');
}

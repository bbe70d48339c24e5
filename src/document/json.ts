/**
 * JSON (X2): the URLs in it, and what it says. APIs, JSON-LD, manifests: nobody knows the shape,
 * so a link is a text that is a URL as a whole, or one under a name that means a link.
 *
 *   { "title": "One", "url": "/one" }   → link /one with the text 'One'
 *
 * JSON-LD: `@context` and schemas name vocabularies and are not followed; `@base` is heard.
 * Walked without recursion: a hundred thousand brackets are a list like any other. What cannot be
 * parsed (cut, or not JSON) gives the URLs that stand in it.
 */

import { fenced } from './as-markdown.ts';
import { isFollowable, LINK_NAMES, nameWords } from './json-names.ts';
import {
  type DocumentLink,
  type DocumentPage,
  definePlugin,
  type FoundDocument,
} from './plugin.ts';
import { bareUrls, line, TITLE_CHARS_MAX, textOf, withoutControls } from './text-tools.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const ABSOLUTE = /^https?:\/\/[^\s<>"]{1,2000}$/i;
const RELATIVE = /^(?:\.{0,2}\/|\?)[^\s<>"]{0,2000}$/;
/** Guards against a page's scripts: `)]}',` and the like. */
const GUARD = /^\s*(?:\)\]\}'?,?|while\(1\);|for\(;;\);)/;

export const json = definePlugin({
  name: 'json',
  types: ['application/json', '*+json', 'text/json', 'application/x-ndjson', 'application/jsonl'],
  sniff: (start, { mediaType }) =>
    /^$|json|octet-stream|javascript/.test(mediaType) &&
    /^(?:\ufeff)?\s*[{[]/.test(Buffer.from(start).toString('utf8')),
  read(page) {
    const text = textOf(page).replace(GUARD, '');
    const parsed = hasTooMany(text) ? undefined : parseJson(text);
    if (parsed === undefined) {
      const plain = text.replaceAll('\\/', '/');
      const trouble = hasTooMany(text) ? 'too many values' : 'not whole JSON';
      const words = withoutControls(plain, page.textCharsMax);
      const markdown = page.wantsMarkdown ? { markdown: fenced(text, 'json') } : {};
      return { text: words, links: bareUrls(words, page.linksMax), ...markdown, trouble };
    }
    const found = new JsonWalk(page).read(parsed);
    return page.wantsMarkdown
      ? { ...found, markdown: fenced(laidOut(text, parsed), 'json') }
      : found;
  },
});

/** Indented where it came on one line; what is deep or long stays as it is: indents add up. */
function laidOut(text: string, parsed: Json): string {
  if (text.length > LAID_OUT_CHARS_MAX || text.trim().includes('\n')) return text;
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest > LAID_OUT_DEPTH_MAX ? text : JSON.stringify(parsed, null, 2);
}

const LAID_OUT_CHARS_MAX = 1_000_000;
const LAID_OUT_DEPTH_MAX = 32;

/** Values that are parsed at once. */
const VALUES_MAX = 2_000_000;

/** JSON.parse takes all the memory that it needs and cannot be stopped: so values are counted first. */
export function hasTooMany(text: string): boolean {
  if (text.length < VALUES_MAX) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++;
  }
  return values > VALUES_MAX;
}

/** One value, or one a line. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return parseLines(text);
  }
}

function parseLines(text: string): Json[] | undefined {
  const lines = text.split('\n').filter((one) => one.trim() !== '');
  if (lines.length < 2 || !lines.slice(0, 2).every((one) => /^\s*\{.*\}\s*$/.test(one))) {
    return undefined;
  }
  try {
    return lines.slice(0, -1).map((one) => JSON.parse(one) as Json);
  } catch {
    return undefined;
  }
}

interface Place {
  readonly value: Json;
  readonly name: string;
  /** What the object around it is called: the text of its links. */
  readonly label: string;
}

class JsonWalk {
  readonly #page: DocumentPage;
  readonly #links: DocumentLink[] = [];
  readonly #words: string[] = [];
  #chars = 0;
  #base: string | undefined;

  constructor(page: DocumentPage) {
    this.#page = page;
  }

  read(root: Json): FoundDocument {
    this.#base = baseOf(root);
    const waiting: Place[] = [{ value: root, name: '', label: '' }];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (typeof at.value === 'string') this.#text(at.value, at);
      else if (typeof at.value === 'object' && at.value !== null) pushParts(waiting, at);
    }
    const type = isObject(root) ? root['@type'] : undefined;
    return {
      title: labelOf(root),
      text: this.#words.join('\n'),
      links: this.#links,
      ...(typeof type === 'string' && { metadata: { type: line(type) } }),
    };
  }

  #text(value: string, { name, label }: Place): void {
    const isLink = ABSOLUTE.test(value) || (LINK_NAMES.test(name) && RELATIVE.test(value));
    if (!isLink) this.#say(value, name);
    else if (this.#links.length < this.#page.linksMax) {
      const follow = isFollowable(name, value);
      const base = this.#base;
      this.#links.push({
        ...{ href: value, text: label, kind: 'json', follow },
        ...(base !== undefined && { base }),
      });
    }
  }

  /** Identifiers, dates and the like are no words. */
  #say(value: string, name: string): void {
    if (!nameWords(name) && !value.includes(' ')) return;
    const words = withoutControls(value, this.#page.textCharsMax - this.#chars);
    this.#chars += words.length + 1;
    if (words !== '') this.#words.push(words);
  }
}

/** In reverse, for a stack that is taken from the end. */
function pushParts(waiting: Place[], { value, name, label }: Place): void {
  if (Array.isArray(value)) {
    for (let i = value.length - 1; i >= 0; i--)
      waiting.push({ value: value[i] as Json, name, label });
    return;
  }
  const own = labelOf(value) || label;
  const parts = Object.entries(value as Record<string, Json>);
  for (let i = parts.length - 1; i >= 0; i--) {
    const [part, inner] = parts[i] as [string, Json];
    // A context defines words: nothing in it is said or linked to.
    if (part !== '@context' || typeof inner === 'string') {
      waiting.push({ value: inner, name: part, label: own });
    }
  }
}

function labelOf(value: Json): string {
  if (!isObject(value)) return '';
  for (const name of ['title', 'headline', 'name', 'label', 'text']) {
    const text = value[name];
    if (typeof text === 'string' && text !== '') return line(text, TITLE_CHARS_MAX);
  }
  return '';
}

function baseOf(root: Json): string | undefined {
  const context = isObject(root) ? root['@context'] : undefined;
  const parts = Array.isArray(context) ? context : [context];
  const found = parts.find((part) => isObject(part) && typeof part['@base'] === 'string');
  return found === undefined ? undefined : ((found as Record<string, Json>)['@base'] as string);
}

export function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type { Json };

/**
 * Footnotes: references that look like one and lead to something that looks like a note.
 *
 *   <sup><a href="#fn1">1</a></sup>  …  <li id="fn1">Text <a href="#ref1">↩</a></li>
 *   becomes   [^1]                   …  [^1]: Text
 *
 * Both ends must agree, and the note must be read; else the link stays a link.
 */
import { isInside } from './hints.ts';
import type { HtmlElement } from './tree.ts';
import { isElement, textIn } from './writing.ts';

const REFERENCE_NAME = /foot|note|(?:^|[\s_-])fn|cite_ref|(?:^|[\s_-])ref/i;
const NOTE_NAME = /foot|note|(?:^|[\s_-])fn|cite/i;
const REFERENCE_TEXT = /^[[(]?\s*([\p{L}\p{N}*†‡§]{1,4})\s*[\])]?$/u;
const STEPS_UP_MAX = 3;

export class Notes {
  readonly #references = new Map<HtmlElement, string>();
  readonly #notes = new Map<HtmlElement, string>();
  readonly #labels = new Set<string>();
  readonly #ids = new Map<string, HtmlElement>();

  constructor(elements: readonly HtmlElement[], doubt: number) {
    const links: HtmlElement[] = [];
    for (const element of elements) {
      if (element.attributes === undefined) continue;
      const id = element.get('id') || (element.tag === 'a' ? element.get('name') : '');
      if (id !== '' && !this.#ids.has(id)) this.#ids.set(id, element);
      if (element.tag === 'a' && element.get('href').startsWith('#')) links.push(element);
    }
    for (const link of links) if (looksLikeReference(link)) this.#add(link, doubt);
  }

  labelOfReference(link: HtmlElement): string | undefined {
    return this.#references.get(link);
  }

  labelOfNote(element: HtmlElement): string | undefined {
    return this.#notes.size === 0 ? undefined : this.#notes.get(element);
  }

  /** From a note back to where it was referred to. */
  isBacklink(link: HtmlElement): boolean {
    if (this.#notes.size === 0) return false;
    if (link.get('role') === 'doc-backlink') return true;
    const href = link.get('href');
    const target = href.startsWith('#') ? this.#ids.get(href.slice(1)) : undefined;
    if (target === undefined || this.#references.has(link)) return false;
    return this.#isReference(target) && this.#noteAround(link) !== undefined;
  }

  /** The reference itself, or what stands right around or in it. */
  #isReference(element: HtmlElement): boolean {
    const { parent, children } = element;
    if (this.#references.has(element) || (parent && this.#references.has(parent))) return true;
    return children.some((child) => isElement(child) && this.#references.has(child));
  }

  #noteAround(element: HtmlElement): HtmlElement | undefined {
    for (let at = element.parent; at !== undefined; at = at.parent) {
      if (this.#notes.has(at)) return at;
    }
    return undefined;
  }

  #add(link: HtmlElement, doubt: number): void {
    const text = REFERENCE_TEXT.exec(textIn(link, doubt).trim())?.[1];
    const target = this.#ids.get(link.get('href').slice(1));
    const note = target && text !== undefined ? noteAt(target) : undefined;
    if (note === undefined || note.doubt >= doubt || note.chars === 0) return;
    const known = this.#notes.get(note);
    const label = known ?? this.#unused(/^[\p{L}\p{N}]+$/u.test(text ?? '') ? (text ?? '') : '');
    this.#notes.set(note, label);
    this.#references.set(link, label);
  }

  #unused(wanted: string): string {
    const label = wanted !== '' && !this.#labels.has(wanted) ? wanted : `n${this.#notes.size + 1}`;
    this.#labels.add(label);
    return label;
  }
}

function looksLikeReference(link: HtmlElement): boolean {
  if (link.chars > 8 || link.chars === 0) return false;
  if (link.get('role') === 'doc-noteref') return true;
  const names = `${link.get('class')} ${link.get('id')}`;
  return isInside(link, 'sup') || REFERENCE_NAME.test(names) || hasSup(link);
}

function hasSup({ children }: HtmlElement): boolean {
  return children.some(({ tag }) => tag === 'sup');
}

/** The element that holds the note's text: the target, or one close around it. */
function noteAt(target: HtmlElement): HtmlElement | undefined {
  if (target.tag === 'dt') return definitionOf(target);
  let at: HtmlElement | undefined = target;
  for (let step = 0; step < STEPS_UP_MAX && at !== undefined; step++, at = at.parent) {
    if (/^(?:li|aside|p|div|dd|section)$/.test(at.tag)) return isNamedNote(at) ? at : undefined;
  }
  return undefined;
}

function isNamedNote(element: HtmlElement): boolean {
  const { parent } = element;
  const names = [element, parent, parent?.parent].map((one) => nameOf(one)).join(' ');
  return NOTE_NAME.test(names);
}

function nameOf(element: HtmlElement | undefined): string {
  if (element === undefined) return '';
  return `${element.get('class')} ${element.get('id')} ${element.get('role')}`;
}

function definitionOf(term: HtmlElement): HtmlElement | undefined {
  const siblings = term.parent?.children ?? [];
  const found = siblings.slice(siblings.indexOf(term) + 1).find(isElement);
  return found?.tag === 'dd' && NOTE_NAME.test(nameOf(term.parent)) ? found : undefined;
}

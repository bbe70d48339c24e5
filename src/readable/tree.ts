/**
 * The page as a tree, built the way browsers build it wherever it matters to a reader.
 *
 *   <p>a<div>b       a paragraph ends where a block begins
 *   <li>a<li>b       an item ends where the next begins; likewise cells, rows, terms
 *   <b>a<p>b</b>c    an end tag in the wrong block ends the mark, not the block
 *   </div>           that closes nothing is passed over; a table cell keeps it in
 *
 * Bounds: DEPTH_MAX levels and NODES_MAX nodes. What lies deeper, or comes later, loses its
 * tags and keeps its text, so that whoever walks the tree may recurse.
 */
import {
  BLOCK,
  bitsOf,
  ENDS_P,
  headingLevel,
  IMPLIED_ENDS,
  MARKS,
  VOID,
  WALL,
} from './elements.ts';
import { decoded, Tokens } from './tokens.ts';

export const DEPTH_MAX = 256;
export const NODES_MAX = 300_000;
export const NO_HEADING = 7;

export interface HtmlText {
  readonly tag: '';
  text: string;
  /** Counted once (weigh.ts). */
  chars?: number;
}

export class HtmlElement {
  readonly tag: string;
  readonly parent: HtmlElement | undefined;
  attributes: ReadonlyMap<string, string> | undefined;
  readonly children: HtmlNode[] = [];
  /** What elements.ts says about its tag. */
  readonly bits: number;
  /** A block in itself, or one that has a block inside. */
  holdsBlock: boolean;
  /** How surely it is not for readers: 0 to 3 (hints.ts). */
  doubt = 0;
  /** Characters that are read in it, and those of them in links (weigh.ts). */
  chars = 0;
  linkChars = 0;
  /** The highest level of heading in it, 1 to 6; NO_HEADING where there is none. */
  heading = NO_HEADING;

  constructor(tag: string, parent?: HtmlElement, attributes?: ReadonlyMap<string, string>) {
    this.tag = tag;
    this.parent = parent;
    this.attributes = attributes;
    this.bits = bitsOf(tag);
    this.holdsBlock = (this.bits & BLOCK) !== 0;
  }

  get(name: string): string {
    return this.attributes?.get(name) ?? '';
  }

  has(name: string): boolean {
    return this.attributes?.has(name) ?? false;
  }
}

export type HtmlNode = HtmlElement | HtmlText;

export interface HtmlTree {
  readonly root: HtmlElement;
  /** Every element, parents before their children. */
  readonly elements: readonly HtmlElement[];
}

export function buildTree(html: string): HtmlTree {
  return new TreeBuilder().build(new Tokens(html));
}

/** Their text stands for itself. */
const UNDECODED = new Set(['script', 'style', 'xmp', 'plaintext']);
/** Nothing outside of a table. */
const TABLE_PARTS = new Set(['td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption', 'col']);
/** Tags may close themselves in here, and a block of HTML breaks out. */
const FOREIGN = new Set(['svg', 'math']);

class TreeBuilder {
  readonly #root = new HtmlElement('html');
  readonly #elements: HtmlElement[] = [this.#root];
  readonly #open: HtmlElement[] = [this.#root];
  /** How many of each tag are open. */
  readonly #counts = new Map<string, number>();
  #texts = 0;
  #last: HtmlText = { tag: '', text: '' };
  /** Start tags that found no room. */
  #unopened = 0;

  build(tokens: Tokens): HtmlTree {
    for (let kind = tokens.next(); kind !== 'eof'; kind = tokens.next()) {
      if (kind === 'text') this.#text(tokens.text);
      else if (kind === 'start') this.#start(tokens);
      else this.#end(tokens.name);
    }
    for (let i = this.#elements.length - 1; i > 0; i--) {
      const { parent, holdsBlock } = this.#elements[i] as HtmlElement;
      if (holdsBlock && parent !== undefined) parent.holdsBlock = true;
    }
    return { root: this.#root, elements: this.#elements };
  }

  get #top(): HtmlElement {
    return this.#open[this.#open.length - 1] as HtmlElement;
  }

  #text(raw: string): void {
    const { children, tag } = this.#top;
    const text = UNDECODED.has(tag) ? raw : decoded(raw, false);
    const last = children[children.length - 1];
    if (last instanceof HtmlElement || last === undefined) this.#append(children, text);
    else last.text += text;
  }

  #append(children: HtmlNode[], text: string): void {
    if (this.#texts < NODES_MAX) {
      this.#texts++;
      this.#last = { tag: '', text };
      children.push(this.#last);
    } else this.#last.text += text;
  }

  #start(tokens: Tokens): void {
    const tag = tokens.name === 'image' ? 'img' : tokens.name;
    if (tag === 'html') {
      this.#document(tokens);
      return;
    }
    if (tag === 'body' || tag === 'head') return;
    if (TABLE_PARTS.has(tag) && this.#count('table') === 0) return;
    const bits = bitsOf(tag);
    this.#closeFor(tag, bits);
    const isFull = this.#open.length >= DEPTH_MAX || this.#elements.length >= NODES_MAX;
    const isEmpty = (bits & VOID) !== 0 || (tokens.isSelfClosing && this.#isForeign(tag));
    if (isFull) {
      if (!isEmpty) this.#unopened++;
      return;
    }
    const element = new HtmlElement(tag, this.#top, tokens.attributes);
    this.#top.children.push(element);
    this.#elements.push(element);
    if (!isEmpty) this.#push(element);
  }

  /** There is one root, whatever the page says. */
  #document({ attributes }: Tokens): void {
    if (this.#root.attributes === undefined && attributes !== undefined) {
      this.#root.attributes = attributes;
    }
  }

  #isForeign(tag: string): boolean {
    return FOREIGN.has(tag) || this.#count('svg') + this.#count('math') > 0;
  }

  #closeFor(tag: string, bits: number): void {
    if ((bits & BLOCK) !== 0) {
      if (this.#count('svg') > 0) this.#closeTo('svg');
      if (this.#count('math') > 0) this.#closeTo('math');
    }
    if ((bits & ENDS_P) !== 0) this.#closeWithin('p');
    if (headingLevel(tag) > 0 && headingLevel(this.#top.tag) > 0) this.#pop();
    const implied = IMPLIED_ENDS[tag];
    if (implied !== undefined) this.#closeImplied(implied.closes, implied.within);
    if (tag === 'a' && this.#count('a') > 0) this.#endMark('a');
  }

  #closeImplied(closes: ReadonlySet<string>, within: ReadonlySet<string>): void {
    let outermost = -1;
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { tag } = this.#open[i] as HtmlElement;
      if (within.has(tag)) break;
      if (closes.has(tag)) outermost = i;
    }
    if (outermost > 0) this.#cut(outermost);
  }

  #end(tag: string): void {
    if (tag === 'br') {
      this.#text('\n');
      return;
    }
    if (this.#unopened > 0) {
      if ((bitsOf(tag) & VOID) === 0) this.#unopened--;
      return;
    }
    if (tag === 'html' || tag === 'body' || tag === 'head') return;
    if (headingLevel(tag) > 0) {
      this.#endHeading();
      return;
    }
    if (this.#count(tag) === 0) {
      if (tag === 'p') this.#emptyParagraph();
      return;
    }
    if ((bitsOf(tag) & MARKS) !== 0) this.#endMark(tag);
    else this.#closeWithin(tag);
  }

  /** An end that ends nothing still parts what is before from what is behind. */
  #emptyParagraph(): void {
    if (this.#elements.length >= NODES_MAX) return;
    const empty = new HtmlElement('p', this.#top);
    this.#top.children.push(empty);
    this.#elements.push(empty);
  }

  /** `<h2>…</h3>` ends the heading, too. */
  #endHeading(): void {
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { tag, bits } = this.#open[i] as HtmlElement;
      if (headingLevel(tag) > 0) {
        this.#cut(i);
        return;
      }
      if ((bits & (WALL | BLOCK)) !== 0) return;
    }
  }

  /** With a block in between, the mark ends and the block stays open. */
  #endMark(tag: string): void {
    let hasBlock = false;
    for (let i = this.#open.length - 1; i > 0; i--) {
      const element = this.#open[i] as HtmlElement;
      if (element.tag === tag) {
        if (!hasBlock) {
          this.#cut(i);
          return;
        }
        this.#open.splice(i, 1);
        this.#forget(tag);
        return;
      }
      if ((element.bits & WALL) !== 0) return;
      if ((element.bits & BLOCK) !== 0) hasBlock = true;
    }
  }

  /** Up to the nearest of this name that no table keeps apart. */
  #closeWithin(tag: string): void {
    if (this.#count(tag) === 0) return;
    const isPart = (bitsOf(tag) & WALL) !== 0 || tag in IMPLIED_ENDS;
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { tag: open, bits } = this.#open[i] as HtmlElement;
      if (open === tag) {
        this.#cut(i);
        return;
      }
      const isWall = isPart ? open === 'table' || open === 'template' : bits & WALL;
      if (isWall) return;
    }
  }

  #closeTo(tag: string): void {
    if (this.#count(tag) === 0) return;
    for (let i = this.#open.length - 1; i > 0; i--) {
      if ((this.#open[i] as HtmlElement).tag === tag) {
        this.#cut(i);
        return;
      }
    }
  }

  #push(element: HtmlElement): void {
    this.#open.push(element);
    this.#counts.set(element.tag, this.#count(element.tag) + 1);
  }

  #pop(): void {
    const { tag } = this.#top;
    this.#open.pop();
    this.#forget(tag);
  }

  #cut(length: number): void {
    while (this.#open.length > length) this.#pop();
  }

  #forget(tag: string): void {
    this.#counts.set(tag, this.#count(tag) - 1);
  }

  #count(tag: string): number {
    return this.#counts.get(tag) ?? 0;
  }
}

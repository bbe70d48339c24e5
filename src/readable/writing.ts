/**
 * What every part of the writer is handed: what to leave out, where links lead, which notes
 * the page has, and how deep in lists and quotes we are.
 */
import { withoutUnseen } from './escape.ts';
import type { Notes } from './notes.ts';
import { HtmlElement, type HtmlNode } from './tree.ts';

export interface Writing {
  /** Elements that are doubted this much are not read. */
  readonly doubt: number;
  readonly notes: Notes;
  readonly images: ImageStyle;
  /** Lists and quotes around; deeper than NEST_MAX they are looked through. */
  readonly nest: number;
  /** A link around blocks: the first line of them becomes the link. */
  readonly around: { target: string | undefined } | undefined;
  /** In a heading, a link to a place on the page leads to the heading itself. */
  readonly inHeading?: boolean;
  /** Where a link leads, ready to stand in Markdown; undefined where it leads nowhere. */
  targetOf(href: string): string | undefined;
}

/** `link` shows them, `text` says what they show, `none` leaves them out. */
export type ImageStyle = 'link' | 'text' | 'none';

/** Each level indents every line below it, so their number bounds how much longer they get. */
export const NEST_MAX = 12;

export type BlockKind = 'text' | 'heading' | 'list' | 'code' | 'table' | 'quote' | 'rule' | 'note';

/** A finished block, and the mark that a list begins with. */
export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
  readonly marker?: string;
  readonly isTerms?: boolean;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return node instanceof HtmlElement;
}

/** The text in it that is read, as it stands. */
export function textIn(node: HtmlNode, doubt: number): string {
  if (!isElement(node)) return withoutUnseen(node.text);
  if (node.doubt >= doubt) return '';
  if (node.tag === 'br') return '\n';
  return node.children.map((child) => textIn(child, doubt)).join('');
}

export function indented(text: string, by: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${by}`);
}

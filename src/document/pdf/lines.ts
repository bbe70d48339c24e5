/**
 * The lines of a PDF with what tells their rank: where each begins, how large it is set, and which
 * of its words lie under a link. From them blocks.ts makes paragraphs and headings.
 *
 * A link is a rectangle on the page: a piece of text that lies in it is the link's, and of a piece
 * that lies in it partly, the words that do, as if all letters were of one width.
 */
import type { Piece } from './layout.ts';

export interface Span {
  readonly text: string;
  /** Where it leads; '' for plain words. */
  readonly href: string;
}

export interface Line {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  /** Of most of its letters. */
  readonly size: number;
  /** Set as code is. */
  readonly isFixed: boolean;
  readonly spans: readonly Span[];
}

/** A link on a page, with its corners in order. */
export interface LinkBox {
  readonly href: string;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Lines of one document that are kept. */
const LINES_MAX = 200_000;
/** Comments in code are set otherwise now and then. */
const FIXED_SHARE = 0.9;
/** Links of a page that are looked for under each piece. */
const BOXES_MAX = 500;

interface Open {
  readonly x: number;
  readonly y: number;
  readonly spans: { text: string; href: string }[];
  readonly sizes: Map<number, number>;
  fixed: number;
}

export class Lines {
  readonly all: Line[] = [];
  #page = 0;
  #boxes: readonly LinkBox[] = [];
  #open: Open | undefined;

  startPage(boxes: readonly LinkBox[]): void {
    this.#boxes = boxes.slice(0, BOXES_MAX);
  }

  endPage(): void {
    this.#end();
    this.#page++;
  }

  add(gap: string, text: string, piece: Piece): void {
    if (gap === '\n') this.#end();
    if (this.all.length >= LINES_MAX) return;
    this.#open ??= { x: piece.x, y: piece.y, spans: [], sizes: new Map(), fixed: 0 };
    const { spans, sizes } = this.#open;
    const size = Math.round(piece.size * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + text.trim().length);
    if (piece.isFixed) this.#open.fixed += text.trim().length;
    const parts = partsOf(text, piece, this.#boxes);
    if (gap === ' ') put(spans, { text: ' ', href: joining(spans.at(-1), parts[0]) });
    for (const part of parts) put(spans, part);
  }

  #end(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || !open.spans.some(({ text }) => text.trim() !== '')) return;
    const [[size] = [0]] = [...open.sizes].sort((a, b) => b[1] - a[1]);
    const letters = [...open.sizes.values()].reduce((sum, one) => sum + one, 0);
    const isFixed = open.fixed > FIXED_SHARE * letters;
    this.all.push({ page: this.#page, x: open.x, y: open.y, size, isFixed, spans: open.spans });
  }
}

/** A space between two words of one link is the link's. */
function joining(last: Span | undefined, next: Span | undefined): string {
  return last !== undefined && last.href === next?.href ? last.href : '';
}

function put(spans: { text: string; href: string }[], { text, href }: Span): void {
  const last = spans.at(-1);
  if (last !== undefined && last.href === href) last.text += text;
  else spans.push({ text, href });
}

function partsOf(text: string, piece: Piece, boxes: readonly LinkBox[]): Span[] {
  const middle = piece.y + piece.size * 0.3;
  const width = piece.toX - piece.x;
  // Upright, or in another direction, a line is not cut.
  if (boxes.length === 0 || piece.dx < 0.9 || width <= 0) return [{ text, href: '' }];
  const box = boxes.find(
    ({ left, right, bottom, top }) =>
      middle >= bottom && middle <= top && piece.toX > left + 1 && piece.x < right - 1,
  );
  if (box === undefined) return [{ text, href: '' }];
  const at = (x: number) => Math.round(((x - piece.x) / width) * text.length);
  const from = wordEdge(text, Math.max(0, at(box.left)));
  const to = Math.max(from, wordEdge(text, Math.min(text.length, at(box.right))));
  const parts = [
    { text: text.slice(0, from), href: '' },
    { text: text.slice(from, to), href: box.href },
    { text: text.slice(to), href: '' },
  ];
  return parts.filter((part) => part.text !== '');
}

const EDGE_CHARS = 4;

/** The nearest place between two words, for letters differ in width. */
function wordEdge(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  for (let off = 0; off <= EDGE_CHARS; off++) {
    if (text[at - off] === ' ') return at - off;
    if (text[at + off - 1] === ' ') return at + off;
  }
  return at;
}

/**
 * Words and lines out of pieces of text at places on a page. A PDF has no spaces where it does not
 * draw them: that a word ends is seen by the gap after it.
 *
 * In the order in which the page is drawn, which is the order of reading in what people write
 * with word processors and TeX. All lengths are measured along the direction of the text.
 */

import type { Lines } from './lines.ts';

/** A gap of more than this share of the size parts two words; less is kerning. */
const WORD_GAP = 0.14;
/** A step off the line of more than this begins a new one; less is raised or lowered. */
const LINE_STEP = 0.5;
/** A step back of more than this is another column, or the line again. */
const BACK_STEP = 1;
const LIGATURES = 'ff fi fl ffi ffl st st'.split(' ');

export interface Piece {
  readonly text: string;
  /** Where it begins and ends on the page. */
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
  /** The direction of the line, of length 1. */
  readonly dx: number;
  readonly dy: number;
  readonly size: number;
  readonly isFixed: boolean;
}

export class Layout {
  readonly #parts: string[] = [];
  readonly #charsMax: number;
  readonly #lines: Lines | undefined;
  #chars = 0;
  #last: Piece | undefined;
  #endsInSpace = true;

  /** With `lines`, these are told every piece, too. */
  constructor(charsMax: number, lines?: Lines) {
    this.#charsMax = charsMax;
    this.#lines = lines;
  }

  get isFull(): boolean {
    return this.#chars >= this.#charsMax;
  }

  add(piece: Piece): void {
    if (piece.text === '') return;
    const gap = this.#last === undefined ? '' : gapBetween(this.#last, piece);
    const text = spelledOut(piece.text);
    if (gap !== '' && !(gap === ' ' && (this.#endsInSpace || text.startsWith(' '))))
      this.#push(gap);
    this.#push(text);
    this.#lines?.add(gap, text, piece);
    this.#endsInSpace = text.endsWith(' ');
    this.#last = piece;
  }

  endPage(): void {
    if (this.#chars > 0) this.#push('\n');
    this.#lines?.endPage();
    this.#last = undefined;
    this.#endsInSpace = true;
  }

  text(): string {
    return this.#parts.join('').slice(0, this.#charsMax);
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#chars += text.length;
  }
}

function gapBetween(last: Piece, next: Piece): '' | ' ' | '\n' {
  const turned = last.dx * next.dx + last.dy * next.dy < 0.9;
  if (turned) return '\n';
  const [stepX, stepY] = [next.x - last.toX, next.y - last.toY];
  const along = stepX * next.dx + stepY * next.dy;
  const across = Math.abs(stepY * next.dx - stepX * next.dy);
  const size = Math.max(next.size, last.size);
  if (across > LINE_STEP * size) return '\n';
  if (along < -BACK_STEP * size) return across > 0.1 * size ? '\n' : ' ';
  return along > WORD_GAP * Math.min(next.size, last.size) ? ' ' : '';
}

/** Ligatures are letters to whoever looks for words. */
function spelledOut(text: string): string {
  return text.replace(
    /[\ufb00-\ufb06]/g,
    (char) => LIGATURES[char.charCodeAt(0) - 0xfb00] as string,
  );
}

/**
 * Where text stands and how it is set: the text state of PDF, with the two matrices that the
 * operators move. Showing text moves the first of them by what was shown.
 */
import { codeOf } from './cmap.ts';
import type { Font } from './font.ts';
import type { Piece } from './layout.ts';
import { IDENTITY, type Matrix, times } from './matrix.ts';

export class TextState {
  font: Font | undefined;
  size = 0;
  leading = 0;
  #charGap = 0;
  #wordGap = 0;
  #stretch = 1;
  #rise = 0;
  #matrix: Matrix = IDENTITY;
  #line: Matrix = IDENTITY;

  copy(): TextState {
    const copy = new TextState();
    Object.assign(copy, { font: this.font, size: this.size, leading: this.leading });
    copy.#charGap = this.#charGap;
    copy.#wordGap = this.#wordGap;
    copy.#stretch = this.#stretch;
    copy.#rise = this.#rise;
    copy.#matrix = this.#matrix;
    copy.#line = this.#line;
    return copy;
  }

  begin(): void {
    this.place(IDENTITY);
  }

  place(matrix: Matrix): void {
    this.#matrix = this.#line = matrix;
  }

  /** To the start of a line, seen from the start of the last. */
  step(x: number, y: number): void {
    this.place(times([1, 0, 0, 1, x, y], this.#line));
  }

  /** The operators that set one number. */
  set(word: string, value: number): boolean {
    if (word === 'Tc') this.#charGap = value;
    else if (word === 'Tw') this.#wordGap = value;
    else if (word === 'Tz') this.#stretch = value / 100;
    else if (word === 'TL') this.leading = value;
    else if (word === 'Ts') this.#rise = value;
    else return false;
    return true;
  }

  /** Moves by thousandths of the size, backwards: what kerning and spaces are made of. */
  shift(thousandths: number): void {
    this.#advance((-thousandths / 1000) * this.size);
  }

  /** The text of a string, and the place that it takes on the page. */
  show(bytes: Uint8Array, page: Matrix): Piece {
    const { font, size } = this;
    const from = this.#place(page);
    let text = '';
    let moved = 0;
    for (let at = 0; font !== undefined && at < bytes.length; ) {
      const length = font.lengthAt(bytes, at);
      const code = codeOf(bytes.subarray(at, at + length));
      at += length;
      text += font.textOf(code);
      moved += (font.widthOf(code) / 1000) * size + this.#charGap;
      if (length === 1 && code === 32) moved += this.#wordGap;
    }
    this.#advance(moved);
    const to = this.#place(page);
    // Character spacing after the last one is no part of it.
    const last = times([1, 0, 0, 1, -this.#charGap * this.#stretch, 0], to);
    return { ...pieceOf(text, from, last, size), isFixed: font?.isFixed === true };
  }

  #place(page: Matrix): Matrix {
    return times(times([1, 0, 0, 1, 0, this.#rise], this.#matrix), page);
  }

  #advance(by: number): void {
    const isVertical = this.font?.isVertical === true;
    const step: Matrix = isVertical ? [1, 0, 0, 1, 0, -by] : [1, 0, 0, 1, by * this.#stretch, 0];
    this.#matrix = times(step, this.#matrix);
  }
}

function pieceOf(text: string, from: Matrix, to: Matrix, size: number): Omit<Piece, 'isFixed'> {
  const [a, b, c, d, x, y] = from;
  const length = Math.hypot(a, b) || 1;
  const height = Math.hypot(c, d) || length;
  return {
    ...{ text, x, y, toX: to[4], toY: to[5], dx: a / length, dy: b / length },
    size: Math.abs(size) * height,
  };
}

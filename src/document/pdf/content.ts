/**
 * The content of a page, as far as it shows text: operators that move, that show, and that call
 * for another stream. Colours, lines and pictures are passed over.
 *
 *   BT /F1 12 Tf 72 700 Td (Hello) Tj [(W) 80 (orld)] TJ ET
 */
import type { Font } from './font.ts';
import { skipInlineImage } from './inline-image.ts';
import type { Layout } from './layout.ts';
import { Lexer } from './lexer.ts';
import { IDENTITY, type Matrix, matrixOf, times } from './matrix.ts';
import { isDict, Keyword, type Name, nameIn, type Value } from './objects.ts';
import { readValue } from './parse.ts';
import { TextState } from './text-state.ts';

/** What a stream may ask of the page that it is on. */
export interface Resources {
  font(name: string): Font | undefined;
  /** Runs the form of that name, if it is one. */
  form(name: string, matrix: Matrix): void;
  /** The text that stands for a part, by the name of its properties. */
  actualText(properties: Value): string | undefined;
}

const OPERANDS_MAX = 4_096;
const SAVED_MAX = 256;

/** Counts down over all streams of a document. */
export interface Patience {
  operators: number;
}

export class Content {
  readonly #resources: Resources;
  readonly #layout: Layout;
  readonly #patience: Patience;
  readonly #saved: { matrix: Matrix; state: TextState }[] = [];
  #matrix: Matrix;
  #text = new TextState();
  /** Depth of marked parts, and the one whose text is given elsewhere. */
  #marks = 0;
  #replacedAt = -1;
  #replacement = '';
  #operands: Value[] = [];

  constructor(matrix: Matrix, resources: Resources, layout: Layout, patience: Patience) {
    this.#matrix = matrix;
    this.#resources = resources;
    this.#layout = layout;
    this.#patience = patience;
  }

  run(bytes: Uint8Array): void {
    const lexer = new Lexer(bytes);
    while (this.#patience.operators > 0 && !this.#layout.isFull) {
      const value = readValue(lexer, false);
      if (value === undefined) return;
      if (!(value instanceof Keyword)) {
        if (this.#operands.length < OPERANDS_MAX) this.#operands.push(value);
        continue;
      }
      this.#patience.operators--;
      if (value.word === 'ID') skipInlineImage(lexer);
      else this.#operate(value.word, this.#operands);
      this.#operands = [];
    }
  }

  #operate(word: string, operands: readonly Value[]): void {
    if (this.#moves(word, operands) || this.#shows(word, operands)) return;
    const [first, second] = operands;
    switch (word) {
      case 'q':
        if (this.#saved.length < SAVED_MAX) {
          this.#saved.push({ matrix: this.#matrix, state: this.#text.copy() });
        }
        return;
      case 'Q': {
        const saved = this.#saved.pop();
        if (saved !== undefined) [this.#matrix, this.#text] = [saved.matrix, saved.state];
        return;
      }
      case 'cm':
        this.#matrix = times(matrixOf(operands) ?? IDENTITY, this.#matrix);
        return;
      case 'Do':
        this.#resources.form(nameIn(first), this.#matrix);
        return;
      case 'BMC':
      case 'BDC':
        this.#mark(word === 'BDC' ? second : undefined);
        return;
      case 'EMC':
        if (this.#marks === this.#replacedAt) this.#replacedAt = -1;
        this.#marks = Math.max(0, this.#marks - 1);
        return;
      default:
    }
  }

  #moves(word: string, operands: readonly Value[]): boolean {
    const text = this.#text;
    const [x = 0, y = 0] = operands.filter((one): one is number => typeof one === 'number');
    switch (word) {
      case 'BT':
        text.begin();
        return true;
      case 'Tm':
        text.place(matrixOf(operands) ?? IDENTITY);
        return true;
      case 'Td':
        text.step(x, y);
        return true;
      case 'TD':
        text.leading = -y;
        text.step(x, y);
        return true;
      case 'T*':
        text.step(0, -text.leading);
        return true;
      case 'Tf':
        text.font = this.#resources.font((operands[0] as Name | undefined)?.name ?? '');
        text.size = x;
        return true;
      default:
        return text.set(word, x);
    }
  }

  #shows(word: string, operands: readonly Value[]): boolean {
    if (word === 'Tj') this.#show(operands[0]);
    else if (word === 'TJ') {
      for (const item of Array.isArray(operands[0]) ? operands[0] : []) {
        if (typeof item === 'number') this.#text.shift(item);
        else this.#show(item);
      }
    } else if (word === "'" || word === '"') {
      if (word === '"') {
        this.#text.set('Tw', Number(operands[0]));
        this.#text.set('Tc', Number(operands[1]));
      }
      this.#text.step(0, -this.#text.leading);
      this.#show(operands[operands.length - 1]);
    } else return false;
    return true;
  }

  #show(value: Value | undefined): void {
    if (!(value instanceof Uint8Array)) return;
    const piece = this.#text.show(value, this.#matrix);
    if (this.#replacedAt < 0) this.#layout.add(piece);
    else if (this.#replacement !== '') {
      this.#layout.add({ ...piece, text: this.#replacement });
      this.#replacement = '';
    }
  }

  #mark(properties: Value | undefined): void {
    this.#marks++;
    if (this.#replacedAt >= 0 || properties === undefined) return;
    const text = this.#resources.actualText(properties);
    if (text === undefined || (!isDict(properties) && text === '')) return;
    this.#replacedAt = this.#marks;
    this.#replacement = text;
  }
}

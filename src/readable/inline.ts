/**
 * One run of text inside a block: words, code, links and emphasis, gathered and then written.
 *
 *   <b> bold </b>text   spaces move out of the marks: **bold** text
 *   <i></i>             marks and links without words vanish
 *   <b>a</b><b>b</b>    neighbours become one: **ab**
 *   漢<b>「字」</b>漢     where CommonMark would not see the mark, it is not written
 *
 * Marks and spaces wait until something follows them; that settles the first two.
 */
import { codeSpan, escapeText } from './escape.ts';

export type Mark = '**' | '*' | '~~';

interface Piece {
  readonly kind: 'text' | 'code' | 'raw' | 'open' | 'close' | 'link' | 'unlink' | 'break' | 'gap';
  /** The words, the mark, or where the link leads. */
  text: string;
  /** The other end of a mark. */
  pair?: Piece;
  isDropped?: boolean;
}

const SPACES = /[ \t\n\r\f\u00a0\u2003\u2002\u2009\u3000]+/g;

export interface RunOptions {
  /** A cell: a bar would end it. */
  readonly inTable?: boolean;
  readonly inHeading?: boolean;
  readonly isOneLine?: boolean;
}

export class InlineRun {
  readonly #pieces: Piece[] = [];
  #waiting: Piece[] = [];
  readonly #open: Piece[] = [];
  #space = false;
  #breaks = 0;
  #tildes = 0;
  #link: Piece | undefined;
  readonly #inTable: boolean;
  readonly #inHeading: boolean;
  /** No line ends in here: a heading, a cell, a link. */
  readonly #isOneLine: boolean;

  constructor(options: RunOptions = {}) {
    this.#inTable = options.inTable ?? false;
    this.#inHeading = options.inHeading ?? false;
    this.#isOneLine = options.isOneLine ?? (this.#inTable || this.#inHeading);
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get inLink(): boolean {
    return this.#link !== undefined;
  }

  text(raw: string): void {
    const text = raw.replace(SPACES, ' ');
    if (text === '') return;
    if (text.startsWith(' ')) this.#space = true;
    const body = text.trim();
    if (body !== '') {
      if (body.includes('~')) this.#tildes += body.split('~').length - 1;
      this.#put('text', body);
    }
    if (text.endsWith(' ')) this.#space = true;
  }

  code(raw: string): void {
    const text = raw.replace(SPACES, ' ');
    if (text.trim() === '') {
      this.#space ||= text !== '';
      return;
    }
    if (text.startsWith(' ')) this.#space = true;
    this.#put('code', text.trim());
    if (text.endsWith(' ')) this.#space = true;
  }

  /** The words are safe already. */
  image(words: string, target: string): void {
    this.#put('raw', `![${words}](${this.#inTable ? target.replaceAll('|', '%7C') : target})`);
  }

  footnote(label: string): void {
    this.#put('raw', `[^${label}]`);
  }

  lineBreak(): void {
    if (this.#isOneLine || this.#link !== undefined) this.#space = true;
    else this.#breaks++;
  }

  /** Between two items of a list that stands in one line. */
  semicolon(): void {
    this.#space = false;
    this.text('; ');
  }

  /** A space, if anything comes before and behind. */
  gap(): void {
    this.#space = true;
  }

  open(mark: Mark): boolean {
    if (this.#open.some(({ text }) => text === mark)) return false;
    const piece: Piece = { kind: 'open', text: mark };
    this.#open.push(piece);
    this.#waiting.push(piece);
    return true;
  }

  close(mark: Mark): void {
    const at = this.#open.findLastIndex(({ text }) => text === mark);
    const opened = this.#open.splice(at, 1)[0] as Piece;
    if (this.#drop(opened)) return;
    const piece: Piece = { kind: 'close', text: mark, pair: opened };
    opened.pair = piece;
    this.#pieces.push(piece);
  }

  openLink(target: string): void {
    this.#link = { kind: 'link', text: target };
    this.#waiting.push(this.#link);
  }

  closeLink(): void {
    const opened = this.#link as Piece;
    this.#link = undefined;
    if (this.#drop(opened)) return;
    this.#pieces.push({ kind: 'unlink', text: opened.text });
  }

  /** True when it was still waiting: nothing was in it. */
  #drop(piece: Piece): boolean {
    const at = this.#waiting.indexOf(piece);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    return true;
  }

  #put(kind: Piece['kind'], text: string): void {
    const isFirst = this.#pieces.length === 0;
    if (this.#breaks > 0 && !isFirst) {
      const isPlain = this.#open.every((one) => this.#waiting.includes(one));
      this.#pieces.push({ kind: this.#breaks > 1 && isPlain ? 'gap' : 'break', text: '' });
    } else if (this.#space && !isFirst) this.#add('text', ' ');
    this.#breaks = 0;
    this.#space = false;
    for (const piece of this.#waiting) this.#pieces.push(piece);
    this.#waiting = [];
    this.#add(kind, text);
  }

  #add(kind: Piece['kind'], text: string): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.kind === kind && (kind === 'text' || kind === 'code')) {
      last.text += text;
    } else this.#pieces.push({ kind, text });
  }

  /** The paragraphs: more than one where the page had empty lines made of `<br>`. */
  paragraphs(): string[] {
    dropUnseenMarks(this.#pieces);
    const pieces = mergeTexts(this.#pieces.filter(({ isDropped }) => isDropped !== true));
    const done: string[] = [];
    let parts: string[] = [];
    let inLink = false;
    for (const [i, piece] of pieces.entries()) {
      if (piece.kind === 'gap') {
        done.push(parts.join(''));
        parts = [];
        continue;
      }
      if (piece.kind === 'link') inLink = true;
      parts.push(this.#written(pieces, i, inLink, parts.at(-1)?.at(-1) ?? ''));
      if (piece.kind === 'unlink') inLink = false;
    }
    done.push(parts.join(''));
    return done.filter((text) => text !== '');
  }

  #written(pieces: readonly Piece[], i: number, inLink: boolean, before: string): string {
    const { kind, text } = pieces[i] as Piece;
    if (kind === 'code') return codeSpan(text, this.#inTable);
    if (kind === 'break') return '\\\n';
    if (kind === 'link') return '[';
    if (kind === 'unlink') return `](${this.#inTable ? text.replaceAll('|', '%7C') : text})`;
    if (kind !== 'text') return text;
    const next = pieces[i + 1];
    const isEdge = before === '' || before === '\n';
    const isLineStart = isEdge && !this.#inTable && !this.#inHeading;
    const isLineEnd = next === undefined || next.kind === 'break' || next.kind === 'gap';
    return escapeText(text, {
      ...{ before: isEdge ? '' : before, after: isLineEnd ? '' : firstChar(next) },
      ...{ isLineStart, isLineEnd, inLink, inTable: this.#inTable, tildes: this.#tildes > 1 },
    });
  }
}

function mergeTexts(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last?.kind === 'text' && piece.kind === 'text') last.text += piece.text;
    else if (last?.kind === 'code' && piece.kind === 'code') last.text += piece.text;
    else merged.push(piece);
  }
  return merged;
}

/** Marks that CommonMark would show as stars are left out; its rules of flanking decide. */
function dropUnseenMarks(pieces: readonly Piece[]): void {
  for (let i = 0; i + 1 < pieces.length; i++) {
    const [a, b] = [pieces[i] as Piece, pieces[i + 1] as Piece];
    if (a.kind !== 'close' || b.kind !== 'open') continue;
    if (a.text === b.text) joinMarks(a, b);
    else dropPair(b);
  }
  // To drop a mark changes what stands beside others; that soon comes to an end.
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const unseen = pieces.filter((piece, i) => isUnseen(piece, pieces, i));
    if (unseen.length === 0) return;
    for (const piece of unseen) dropPair(piece);
  }
  for (const piece of pieces) if (piece.pair !== undefined) piece.isDropped = true;
}

const ROUNDS_MAX = 4;

function joinMarks(a: Piece, b: Piece): void {
  const [first, last] = [a.pair as Piece, b.pair as Piece];
  a.isDropped = b.isDropped = true;
  first.pair = last;
  last.pair = first;
}

function dropPair(piece: Piece): void {
  piece.isDropped = true;
  if (piece.pair !== undefined) piece.pair.isDropped = true;
}

function isUnseen(piece: Piece, pieces: readonly Piece[], i: number): boolean {
  if ((piece.kind !== 'open' && piece.kind !== 'close') || piece.isDropped) return false;
  const before = lastChar(neighbour(pieces, i, -1));
  const after = firstChar(neighbour(pieces, i, 1));
  const [outer, inner] = piece.kind === 'open' ? [before, after] : [after, before];
  if (inner === '' || /\s/.test(inner)) return true;
  return PUNCTUATION.test(inner) && outer !== '' && !/\s/.test(outer) && !PUNCTUATION.test(outer);
}

const PUNCTUATION = /[\p{P}\p{S}]/u;

function neighbour(pieces: readonly Piece[], from: number, step: number): Piece | undefined {
  let i = from + step;
  while (pieces[i]?.isDropped) i += step;
  return pieces[i];
}

function firstChar(piece: Piece | undefined): string {
  if (piece === undefined) return '';
  if (piece.kind === 'text' || piece.kind === 'raw')
    return String.fromCodePoint(piece.text.codePointAt(0) ?? 32);
  if (piece.kind === 'code') return '`';
  if (piece.kind === 'link') return '[';
  if (piece.kind === 'unlink') return ']';
  return piece.kind === 'break' || piece.kind === 'gap' ? '' : (piece.text[0] as string);
}

function lastChar(piece: Piece | undefined): string {
  if (piece === undefined) return '';
  if (piece.kind === 'text' || piece.kind === 'raw')
    return Array.from(piece.text.slice(-2)).at(-1) ?? '';
  if (piece.kind === 'code') return '`';
  if (piece.kind === 'link') return '[';
  if (piece.kind === 'unlink') return ')';
  return piece.kind === 'break' || piece.kind === 'gap' ? '' : (piece.text[0] as string);
}

/**
 * A PDF as Markdown (X5): the lines of lines.ts as paragraphs, lists and headings.
 *
 *   the size of most letters is the text's; lines set larger are headings, the largest first
 *   a wider step down, an indent or another size begins a paragraph
 *   what stands at one place on many pages (names, page numbers) is the paper's, not the text's
 *
 * Nothing in a PDF says what a heading is: this is what a reader's eye goes by, and no more.
 */
import { escapeText } from '../../readable/escape.ts';
import { linkText, targetsOn } from '../../readable/links.ts';
import { fenced, heading, plainLine } from '../as-markdown.ts';
import type { Line, Span } from './lines.ts';
import { textOf, withoutPaper } from './paper.ts';

/** Set larger than the text by this, a line is a heading. */
const LARGER = 1.15;
const HEADING_CHARS_MAX = 200;
/** Sizes that count as levels of their own; smaller ones share the last. */
const LEVELS_MAX = 4;
/** A step of more than this many usual steps begins a paragraph. */
const WIDE_STEP = 1.3;
/** An indent of so many times the size begins one, too. */
const [INDENT_MIN, INDENT_MAX] = [0.8, 4];

/** Of a letter of code, as a share of its size; and the spaces that an indent may become. */
const FIXED_WIDTH = 0.6;
const CODE_INDENT_MAX = 80;

const BULLET = /^[•◦▪‣●○■□–—*·-] +/u;
const NUMBER = /^(\d{1,3})[.)] +/;
/** The dots of a table of contents. */
const LEADER = /\s*(?:\. ?){4,}\s*/;

interface Block {
  readonly level: number;
  readonly first: Line;
  /** Lines of code as they stand, with their indents. */
  readonly code: string[];
  readonly marker: string;
  readonly spans: Span[];
  last: Line;
}

export function pdfMarkdown(lines: readonly Line[], url: string, charsMax: number): string {
  const kept = withoutPaper(lines);
  const textSize = usualSize(kept);
  const levels = headingSizes(kept, textSize);
  const step = usualStep(kept);
  const blocks: Block[] = [];
  for (const line of kept) {
    const level = levelOf(line, textSize, levels);
    const open = blocks.at(-1);
    if (open !== undefined && isMoreCode(open, line)) {
      open.code.push(codeLine(line, open));
      open.last = line;
    } else if (open !== undefined && goesOn(open, line, level, step)) {
      joinSpans(open.spans, line.spans);
      open.last = line;
    } else blocks.push(blockOf(line, level));
  }
  const targetOf = targetsOn(url, charsMax);
  const written = blocks.map((block) => ({ block, text: blockText(block, targetOf) }));
  return written
    .filter(({ text }) => text !== '')
    .map(separated)
    .join('');
}

function separated(
  { block, text }: { block: Block; text: string },
  at: number,
  all: readonly { block: Block }[],
) {
  const isTight = block.marker !== '' && all[at + 1]?.block.marker !== '' && at + 1 < all.length;
  return `${text}${isTight ? '\n' : '\n\n'}`;
}

function isMoreCode({ code, last }: Block, line: Line): boolean {
  return code.length > 0 && line.isFixed && line.page === last.page && last.y > line.y;
}

/** Steps to the right are spaces again, where letters are of one width. */
function codeLine(line: Line, { first }: Pick<Block, 'first'>): string {
  const spaces = Math.round((line.x - first.x) / (FIXED_WIDTH * (line.size || 1)));
  const text = line.spans.map((span) => span.text).join('');
  return `${' '.repeat(Math.min(CODE_INDENT_MAX, Math.max(0, spaces)))}${text.trimEnd()}`;
}

function blockOf(line: Line, level: number): Block {
  if (level === 0 && line.isFixed) {
    const code = [codeLine(line, { first: line })];
    return { level, marker: '', spans: [], code, first: line, last: line };
  }
  const text = textOf(line);
  const marker = level > 0 ? '' : markerOf(text);
  const cut = marker === '' ? 0 : ((BULLET.exec(text) ?? NUMBER.exec(text))?.[0].length ?? 0);
  return { level, marker, spans: afterChars(line.spans, cut), code: [], first: line, last: line };
}

function markerOf(text: string): string {
  if (BULLET.test(text)) return '- ';
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined) return `${number}. `;
  return LEADER.test(text) ? '- ' : '';
}

/** Is a line more of the block that is open? */
function goesOn(block: Block, line: Line, level: number, step: number): boolean {
  const { last } = block;
  if (block.code.length > 0) return false;
  // A name that is set as code in the middle of a sentence is no code.
  if (level === 0 && line.isFixed && /[.:;!?]$/.test(lastChars(block))) return false;
  if (level !== block.level || Math.abs(line.size - last.size) > 0.1 * last.size) return false;
  const text = textOf(line);
  if (level === 0 && markerOf(text) !== '') return false;
  if (line.page !== last.page) {
    // A sentence that goes on over the page.
    return level === 0 && /[^.!?:”"]$/.test(lastChars(block)) && /^[\p{Ll}]/u.test(text);
  }
  const down = last.y - line.y;
  // The same line again, or upwards: the next column, or a cell of a table.
  if (down < 0.2 * line.size) return false;
  if (down > WIDE_STEP * Math.max(step, line.size * (level > 0 ? 1.3 : 1.1))) return false;
  const indent = (line.x - last.x) / (line.size || 1);
  return block.marker !== '' || level > 0 || indent < INDENT_MIN || indent > INDENT_MAX;
}

function lastChars({ spans }: Block): string {
  return (spans.at(-1)?.text ?? '').trimEnd().slice(-1);
}

/** Lines are words again; a word that was parted at the end of a line is whole. */
function joinSpans(spans: Span[], more: readonly Span[]): void {
  const last = spans.at(-1) as Span;
  const [first] = more;
  const isParted = /\p{Ll}-$/u.test(last.text) && /^\p{Ll}/u.test(first?.text ?? '');
  const head = isParted ? last.text.slice(0, -1) : `${last.text.trimEnd()} `;
  spans[spans.length - 1] = { text: head, href: last.href };
  for (const span of more) {
    const end = spans.at(-1) as Span;
    if (end.href === span.href)
      spans[spans.length - 1] = { text: end.text + span.text, href: end.href };
    else spans.push(span);
  }
}

function blockText(block: Block, targetOf: (href: string) => string | undefined): string {
  const { level, marker, spans } = block;
  if (block.code.length > 0) return fenced(block.code.join('\n')).trimEnd();
  const plain = spans.map(({ text }) => text.replace(LEADER, ' … ')).join('');
  if (level > 0) return heading(plain, level).trimEnd();
  if (spans.every(({ href }) => href === '')) {
    const text = plainLine(plain);
    return text === '' ? '' : marker + text;
  }
  let written = '';
  for (const { text, href } of spans) {
    const target = href === '' ? undefined : targetOf(href);
    const words = text.replace(/\s+/g, ' ');
    written +=
      target === undefined || words.trim() === ''
        ? plainPart(words, written)
        : linkPart(words, target);
  }
  return marker + written.replace(/ {2,}/g, ' ').trim();
}

function plainPart(words: string, before: string): string {
  return escapeText(words, {
    ...{ before: before.slice(-1), after: ' ', inLink: false, inTable: false, tildes: true },
    ...{ isLineStart: before === '', isLineEnd: false },
  });
}

function linkPart(words: string, target: string): string {
  const inner = words.trim();
  const [head, tail] = [words.startsWith(' ') ? ' ' : '', words.endsWith(' ') ? ' ' : ''];
  return `${head}[${linkText(inner)}](${target})${tail}`;
}

function afterChars(spans: readonly Span[], count: number): Span[] {
  const left: Span[] = [];
  let skip = count;
  for (const span of spans) {
    if (skip < span.text.length) left.push({ ...span, text: span.text.slice(skip) });
    skip = Math.max(0, skip - span.text.length);
  }
  return left.length > 0 ? left : [{ text: '', href: '' }];
}

function usualSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const line of lines)
    letters.set(line.size, (letters.get(line.size) ?? 0) + textOf(line).length);
  const [[size] = [0]] = [...letters].sort((a, b) => b[1] - a[1]);
  return size;
}

/** From the largest; sizes that differ by little are one. */
function headingSizes(lines: readonly Line[], textSize: number): number[] {
  const larger = new Set(lines.map(({ size }) => size).filter((size) => size > LARGER * textSize));
  const sizes: number[] = [];
  for (const size of [...larger].sort((a, b) => b - a)) {
    const last = sizes.at(-1);
    if (last === undefined || size < 0.95 * last) sizes.push(size);
  }
  return sizes;
}

/** 1 to LEVELS_MAX, or 0 for text. */
function levelOf(line: Line, textSize: number, sizes: readonly number[]): number {
  const text = textOf(line);
  if (line.size <= LARGER * textSize || text.length > HEADING_CHARS_MAX) return 0;
  // A figure or a letter on a cover is no heading, nor is a line of a table of contents.
  if (!/\p{L}{2}/u.test(text) || LEADER.test(text)) return 0;
  const at = sizes.findIndex((size) => line.size >= 0.95 * size);
  return Math.min(LEVELS_MAX, (at < 0 ? sizes.length : at) + 1);
}

/** The step from line to line that is met most. */
function usualStep(lines: readonly Line[]): number {
  const steps = new Map<number, number>();
  for (const [i, line] of lines.entries()) {
    const last = lines[i - 1];
    if (last === undefined || last.page !== line.page) continue;
    const step = Math.round((last.y - line.y) * 2) / 2;
    if (step > 0.5 * line.size) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [[step] = [0]] = [...steps].sort((a, b) => b[1] - a[1]);
  return step;
}

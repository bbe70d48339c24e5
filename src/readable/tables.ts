/**
 * Tables as GFM has them, one line a row; tables that only place things are looked through.
 *
 * A table is for data when it has rows and columns of lines: no other tables, headings or code
 * blocks in its cells, and no long texts unless it has a heading row. Spans leave empty cells.
 */
import { writeBlocks } from './blocks.ts';
import { gridRows, isGrid, type Row } from './grids.ts';
import { InlineRun } from './inline.ts';
import { type Item, putList, putTerms } from './lists.ts';
import { writeSpans } from './spans.ts';
import { termWith } from './terms.ts';
import { type HtmlElement, type HtmlNode, NO_HEADING } from './tree.ts';
import { type Block, isElement, NEST_MAX, type Writing } from './writing.ts';

const COLUMNS_MAX = 64;
const CELL_CHARS_MAX = 2_000;
const PLAIN_CELL_CHARS_MAX = 240;

export function writeTable(element: HtmlElement, writing: Writing, out: Block[]): void {
  const rows: Row[] = [];
  if (isGrid(element)) rows.push(...gridRows(element, writing.doubt));
  else gatherRows(element, writing, rows, out);
  const grid = isData(element, rows, writing.doubt) ? gridOf(rows) : undefined;
  if (grid === undefined) {
    writePlaced(rows, writing, out);
    return;
  }
  const lines = grid.map((cells) => cells.map((cell) => cellText(cell, writing)));
  if (lines.every((cells) => cells.every((text) => text === ''))) return;
  const width = Math.max(...lines.map((cells) => cells.length));
  const head = rows[0]?.isHead ? (lines.shift() as string[]) : [];
  while (head.length < width) head.push('');
  const rule = head.map((_, column) => alignment(grid, column));
  const text = [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  out.push({ kind: 'table', text });
}

/** A caption goes before; whatever else stands between rows, too. */
function gatherRows(from: HtmlElement, writing: Writing, rows: Row[], out: Block[]): void {
  for (const child of from.children) {
    if (!isElement(child)) {
      if (child.text.trim() !== '') writeBlocks([child], writing, out);
    } else if (child.doubt >= writing.doubt) continue;
    else if (child.tag === 'tr') {
      writeBlocks(child.children.filter(isStray), writing, out);
      rows.push(rowOf(child, from.tag === 'thead', writing.doubt));
    } else if (/^(?:thead|tbody|tfoot)$/.test(child.tag)) gatherRows(child, writing, rows, out);
    else if (/^t[dh]$/.test(child.tag)) rows.push({ cells: [child], isHead: false });
    else writeBlocks([child], writing, out);
  }
}

/** Text between cells; browsers show it before the table, too. */
function isStray(node: HtmlNode): boolean {
  return !isElement(node) && node.text.trim() !== '';
}

function rowOf(element: HtmlElement, inHead: boolean, doubt: number): Row {
  const cells = element.children.filter(
    (child): child is HtmlElement => isElement(child) && child.doubt < doubt,
  );
  return { cells, isHead: inHead || (cells.length > 0 && cells.every(({ tag }) => tag === 'th')) };
}

function isData(element: HtmlElement, rows: readonly Row[], doubt: number): boolean {
  if (/^(?:presentation|none)$/.test(element.get('role'))) return false;
  const cells = rows.flatMap((row) => row.cells);
  if (rows.length === 0 || !rows.some((row) => row.cells.length > 1)) return false;
  if (cells.some((cell) => cell.chars > CELL_CHARS_MAX || holdsMore(cell, doubt))) return false;
  if (rows[0]?.isHead || cells.some(({ tag }) => tag === 'th')) return true;
  return rows.length > 1 && cells.every(({ chars }) => chars <= PLAIN_CELL_CHARS_MAX);
}

/** Things that do not fit into a line. */
function holdsMore(element: HtmlElement, doubt: number): boolean {
  return element.children.some(
    (child) =>
      isElement(child) &&
      child.holdsBlock &&
      child.doubt < doubt &&
      (/^(?:table|pre|h[1-6]|blockquote|dl)$/.test(child.tag) || holdsMore(child, doubt)),
  );
}

type Cell = HtmlElement | undefined;

/** With spans spread out; undefined when it gets too wide. */
function gridOf(rows: readonly Row[]): Cell[][] | undefined {
  const below: number[] = [];
  const grid: Cell[][] = [];
  for (const { cells } of rows) {
    const line: Cell[] = [];
    const skip = () => {
      while ((below[line.length] ?? 0) > 0) {
        below[line.length] = (below[line.length] as number) - 1;
        line.push(undefined);
      }
    };
    for (const cell of cells) {
      skip();
      const [columns, lines] = [spanOf(cell, 'colspan', 16), spanOf(cell, 'rowspan', 1_000)];
      for (let i = 0; i < columns; i++) {
        below[line.length] = lines - 1;
        line.push(i === 0 ? cell : undefined);
      }
      if (line.length > COLUMNS_MAX) return undefined;
    }
    skip();
    if (line.length > 0) grid.push(line);
  }
  return grid;
}

function spanOf(cell: HtmlElement, name: string, most: number): number {
  const span = Number.parseInt(cell.get(name), 10);
  return span >= 1 ? Math.min(span, most) : 1;
}

function cellText(cell: Cell, writing: Writing): string {
  if (cell === undefined) return '';
  const run = new InlineRun({ inTable: true });
  writeSpans(cell.children, run, writing);
  return run.paragraphs().join(' ');
}

const ALIGNED: Readonly<Record<string, string>> = { left: ':---', center: ':---:', right: '---:' };

/** As the first cell of the column that says anything. */
function alignment(grid: readonly (readonly Cell[])[], column: number): string {
  const [first, second] = [grid[0]?.[column], grid[1]?.[column]];
  return ALIGNED[alignOf(first) || alignOf(second)] ?? '---';
}

function alignOf(cell: Cell): string {
  if (cell?.attributes === undefined) return '';
  const styled = /text-align\s*:\s*(left|center|right)/i.exec(cell.get('style'))?.[1];
  return (styled ?? cell.get('align')).toLowerCase();
}

/** Cell after cell, as blocks; a table of one column is a list. */
function writePlaced(rows: readonly Row[], writing: Writing, out: Block[]): void {
  if (isTerms(rows) && writing.nest < NEST_MAX) {
    writeAsTerms(rows, writing, out);
    return;
  }
  const isList = rows.length > 2 && rows.every(({ cells }) => cells.length === 1);
  const items: Item[] = [];
  for (const { cells } of rows) {
    for (const cell of cells) {
      const blocks: Block[] = [];
      writeBlocks(cell.children, writing, blocks);
      if (blocks.length === 0) continue;
      if (cell.tag === 'th') out.push(...boldOf(blocks));
      else if (!isList || writing.nest >= NEST_MAX) out.push(...blocks);
      else items.push({ number: undefined, blocks: inLines(blocks) });
    }
  }
  putList(items, out);
}

const TERM_CHARS_MAX = 100;

/** A short word on the left, and much about it on the right. */
function isTerms(rows: readonly Row[]): boolean {
  return (
    rows.length > 1 &&
    rows.every(({ cells: [term, meaning, more] }) => {
      if (term === undefined || meaning === undefined || more !== undefined) return false;
      return term.chars > 0 && term.chars <= TERM_CHARS_MAX && term.heading === NO_HEADING;
    })
  );
}

function writeAsTerms(rows: readonly Row[], writing: Writing, out: Block[]): void {
  const below = { ...writing, nest: writing.nest + 1 };
  const items: Item[] = [];
  for (const { cells } of rows) {
    const [term, meaning] = cells as [HtmlElement, HtmlElement];
    const blocks: Block[] = [];
    writeBlocks(meaning.children, below, blocks);
    items.push({ number: undefined, blocks: termWith(term, blocks, below) });
  }
  putTerms(items, out);
}

function inLines(blocks: Block[]): Block[] {
  if (!blocks.every(({ kind }) => kind === 'text')) return blocks;
  return [{ kind: 'text', text: blocks.map(({ text }) => text).join('\\\n') }];
}

/** What heads a column that is a list now. */
function boldOf(blocks: readonly Block[]): readonly Block[] {
  const isPlain = blocks.every(({ kind, text }) => kind === 'text' && !/[*\n]/.test(text));
  if (!isPlain) return blocks;
  return [{ kind: 'text', text: `**${blocks.map(({ text }) => text).join(' · ')}**` }];
}

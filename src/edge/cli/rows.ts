/**
 * Rows on their way out, in three forms: text for people, JSON lines, CSV.
 *
 * Rows are written in blocks, and the next block waits for room: a reader that is slow makes
 * us slow, never big. Columns say how a row looks; crawled text is made harmless here (Y3).
 */
import type { Settings } from '../../config/index.ts';
import { csvCell, jsonLine, safeText } from './format.ts';
import type { Output, World } from './world.ts';

/** Markdown is of pages alone (markdown.ts): other rows are then text. */
export type Format = Exclude<Settings['output']['format'], 'markdown'>;

export function plainFormat({ output }: Pick<Settings, 'output'>): Format {
  return output.format === 'markdown' ? 'text' : output.format;
}

export type Cell = string | number | boolean | undefined;

export interface RowShape<Row> {
  /** One line for people. */
  text(row: Row): string;
  json(row: Row): object;
  readonly columns: readonly string[];
  cells(row: Row): readonly Cell[];
}

const BLOCK_CHARACTERS = 32_768;
const LINE_LENGTH_MAX = 4_000;
const CELL_LENGTH_MAX = 32_000;

/** One row, with its line end. */
export function rowText<Row>(row: Row, shape: RowShape<Row>, format: Format): string {
  if (format === 'json') return jsonLine(shape.json(row));
  if (format === 'csv') return csvLine(shape.cells(row));
  return `${safeText(shape.text(row), LINE_LENGTH_MAX).trimEnd()}\n`;
}

/** What stands above the rows. */
export function headText<Row>(shape: RowShape<Row>, format: Format): string {
  return format === 'csv' ? csvLine(shape.columns) : '';
}

export function csvLine(cells: readonly Cell[]): string {
  const safe = cells.map((cell) =>
    csvCell(typeof cell === 'string' ? safeText(cell, CELL_LENGTH_MAX) : cell),
  );
  return `${safe.join(',')}\n`;
}

/** Answers how many rows were written. */
export async function printRows<Row>(
  rows: AsyncIterable<Row>,
  shape: RowShape<Row>,
  settings: Settings,
  world: World,
): Promise<number> {
  const format = plainFormat(settings);
  return withOutput(settings, world, async (output) => {
    let block = headText(shape, format);
    let count = 0;
    for await (const row of rows) {
      block += rowText(row, shape, format);
      count++;
      if (block.length < BLOCK_CHARACTERS) continue;
      await output.write(block);
      block = '';
    }
    if (block !== '') await output.write(block);
    return count;
  });
}

/** Hands `use` the file of `--output`, or stdout. */
export async function withOutput<T>(
  settings: Settings,
  world: World,
  use: (output: Output) => Promise<T>,
): Promise<T> {
  const path = settings.output.output;
  if (path === undefined || path === '-') return use(world.stdout);
  const file = await world.openFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** An instant as ISO text; undefined for 0, which means never. */
export function isoOf(at: number): string | undefined {
  return at > 0 ? new Date(at).toISOString() : undefined;
}

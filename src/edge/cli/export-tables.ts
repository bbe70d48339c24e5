/**
 * Tables: pages, hosts or links as JSON lines, CSV or Parquet. The rows are those that `--json`
 * prints; the columns are in ../../archive/tables.ts. Rows are written in blocks, one block is
 * in memory at a time.
 */
import {
  type Column,
  cellOf,
  ParquetFile,
  parquetValue,
  TABLES,
  type TableName,
} from '../../archive/index.ts';
import type { Answers } from '../../crawl/answers.ts';
import type { TableForm } from './export-forms.ts';
import { jsonLine } from './format.ts';
import { hostJson } from './host-json.ts';
import { LINK_ROW } from './link-row.ts';
import { PAGE_ROW } from './page-row.ts';
import { csvLine } from './rows.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface TableQuery {
  readonly host?: string;
}

export async function* tableRows(
  answers: Answers,
  what: TableName,
  query: TableQuery,
): AsyncIterable<Row> {
  if (what === 'pages') {
    for await (const page of answers.pages(query)) yield PAGE_ROW.json(page) as Row;
  } else if (what === 'hosts') {
    for await (const host of answers.hosts(query)) yield hostJson(host) as Row;
  } else {
    for await (const link of answers.links(query)) yield LINK_ROW.json(link) as Row;
  }
}

const BLOCK_BYTES = 64 << 10;

/** Answers how many rows were written. */
export async function writeTable(
  rows: AsyncIterable<Row>,
  form: TableEncoder,
  write: (bytes: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let block: Buffer[] = [form.begin()];
  let bytes = 0;
  let count = 0;
  for await (const row of rows) {
    signal.throwIfAborted();
    count++;
    const more = form.row(row);
    if (more === undefined) continue;
    block.push(more);
    bytes += more.length;
    if (bytes < BLOCK_BYTES) continue;
    await write(Buffer.concat(block));
    block = [];
    bytes = 0;
  }
  await write(Buffer.concat([...block, form.end()]));
  return count;
}

/** What stands before, for, and after the rows. */
export interface TableEncoder {
  begin(): Buffer;
  row(row: Row): Buffer | undefined;
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);

export function tableEncoder(form: TableForm, what: TableName, software: string): TableEncoder {
  const columns: readonly Column[] = TABLES[what];
  if (form === 'parquet') return parquetEncoder(columns, software);
  if (form === 'jsonl') return textEncoder('', jsonLine);
  const head = csvLine(columns.map(({ name }) => name));
  return textEncoder(head, (row) => csvLine(columns.map((column) => cellOf(row, column))));
}

function textEncoder(head: string, line: (row: Row) => string): TableEncoder {
  return {
    begin: () => Buffer.from(head),
    row: (row) => Buffer.from(line(row)),
    end: () => NOTHING,
  };
}

function parquetEncoder(columns: readonly Column[], software: string): TableEncoder {
  const plain = columns.map(({ name, kind }) => ({ name, kind: kind === 'names' ? 'text' : kind }));
  const file = new ParquetFile(plain as ConstructorParameters<typeof ParquetFile>[0], software);
  return {
    begin: () => file.begin(),
    row: (row) => file.add(columns.map((column) => parquetValue(row, column))),
    end: () => file.end(),
  };
}

/**
 * A Parquet file, written from front to back: groups of rows, column by column, and a footer that
 * says where everything is.
 *
 *   PAR1 ┌ url ┬ status ┬ … ┐ ┌ url ┬ status ┬ … ┐ …  footer, its length, PAR1
 *        └ 1st group        ┘ └ 2nd group        ┘
 *
 * Flat columns that may be null, plain values, gzip: what every reader can read. One group is
 * in memory at a time.
 */
import { type ColumnKind, type ColumnValue, columnPage, PLAIN, RLE } from './parquet-page.ts';
import { type ThriftStruct, type ThriftValue, thriftBytes } from './thrift.ts';

export interface ParquetColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

const MAGIC = Buffer.from('PAR1');
const GROUP_ROWS_MAX = 100_000;
const GROUP_BYTES_MAX = 16 << 20;
const GZIP = 2;
const OPTIONAL = 1;

export class ParquetFile {
  readonly #columns: readonly ParquetColumn[];
  readonly #software: string;
  readonly #groups: ThriftStruct[] = [];
  #values: ColumnValue[][];
  #rows = 0;
  #bytes = 0;
  #at = MAGIC.length;
  #allRows = 0;

  constructor(columns: readonly ParquetColumn[], software: string) {
    this.#columns = columns;
    this.#software = software;
    this.#values = columns.map(() => []);
  }

  /** The first bytes of the file. */
  begin(): Buffer {
    return MAGIC;
  }

  /** A group of rows, when this one fills it: the next bytes of the file. */
  add(row: readonly ColumnValue[]): Buffer | undefined {
    this.#values.forEach((column, i) => {
      const value = row[i];
      column.push(value);
      this.#bytes += typeof value === 'string' ? value.length + 4 : 8;
    });
    this.#rows++;
    const isFull = this.#rows >= GROUP_ROWS_MAX || this.#bytes >= GROUP_BYTES_MAX;
    return isFull ? this.#group() : undefined;
  }

  /** The last bytes of the file. */
  end(): Buffer {
    const last = this.#rows === 0 ? Buffer.alloc(0) : this.#group();
    const footer = thriftBytes(this.#footer());
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length, 0);
    return Buffer.concat([last, footer, length, MAGIC]);
  }

  #group(): Buffer {
    const pages = this.#columns.map((column, i) => this.#chunk(column, this.#values[i] ?? []));
    const rawBytes = pages.reduce((sum, page) => sum + page.rawBytes, 0);
    this.#groups.push([
      [1, { list: pages.map(({ meta }) => ({ struct: meta })) }],
      [2, { i64: rawBytes }],
      [3, { i64: this.#rows }],
    ]);
    this.#allRows += this.#rows;
    this.#rows = 0;
    this.#bytes = 0;
    this.#values = this.#columns.map(() => []);
    return Buffer.concat(pages.map(({ bytes }) => bytes));
  }

  #chunk({ name, kind }: ParquetColumn, values: readonly ColumnValue[]) {
    const { bytes, rawBytes } = columnPage(kind, values);
    const at = this.#at;
    this.#at += bytes.length;
    const column: ThriftStruct = [
      [1, { i32: PHYSICAL[kind] }],
      [2, { list: [{ i32: PLAIN }, { i32: RLE }] }],
      [3, { list: [{ text: name }] }],
      [4, { i32: GZIP }],
      [5, { i64: values.length }],
      [6, { i64: rawBytes }],
      [7, { i64: bytes.length }],
      [9, { i64: at }],
    ];
    const meta: ThriftStruct = [
      [2, { i64: at }],
      [3, { struct: column }],
    ];
    return { bytes, rawBytes, meta };
  }

  #footer(): ThriftStruct {
    return [
      [1, { i32: 1 }],
      [2, { list: this.#schema() }],
      [3, { i64: this.#allRows }],
      [4, { list: this.#groups.map((struct) => ({ struct })) }],
      [6, { text: this.#software }],
    ];
  }

  #schema(): ThriftValue[] {
    const root: ThriftStruct = [
      [4, { text: 'schema' }],
      [5, { i32: this.#columns.length }],
    ];
    return [{ struct: root }, ...this.#columns.map((column) => ({ struct: element(column) }))];
  }
}

/** Parquet's own numbers for what a value is made of, and what it means. */
const PHYSICAL = { flag: 0, whole: 2, time: 2, real: 5, text: 6 } as const;
const MEANING: Readonly<Partial<Record<ColumnKind, number>>> = { text: 0, time: 9 };

function element({ name, kind }: ParquetColumn): ThriftStruct {
  const meaning = MEANING[kind];
  return [
    [1, { i32: PHYSICAL[kind] }],
    [3, { i32: OPTIONAL }],
    [4, { text: name }],
    ...(meaning === undefined ? [] : [[6, { i32: meaning }] as const]),
  ];
}

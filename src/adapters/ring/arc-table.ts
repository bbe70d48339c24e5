/** The tables `i` and `k` of a ring's node: rows by arc, whose names are somebody else's. */
import { assert } from '../../base/assert.ts';
import {
  type ArcTable,
  TABLE_KEY_BYTES_MAX,
  type TableRow,
  VALUE_BYTES_MAX,
} from '../../ports/arc-table.ts';
import { after as afterAll, arcKey, TABLE } from '../embedded/keys.ts';
import type { RowOp } from './bodies.ts';
import type { RingRows } from './rows.ts';

const NAME_AT = 2;

export class LsmArcTable implements ArcTable {
  readonly #rows: RingRows;
  readonly #table: number;

  constructor(rows: RingRows, table: 'inbox' | 'book') {
    this.#rows = rows;
    this.#table = TABLE[table];
  }

  put(arc: number, rows: readonly TableRow[]): Promise<void> {
    return this.#rows.write(
      rows.map(({ key, value }): RowOp => {
        const isShort = key.length <= TABLE_KEY_BYTES_MAX && value.length <= VALUE_BYTES_MAX;
        assert(isShort, 'a row of an arc’s table fits into an entry');
        return { type: 'put', key: arcKey(this.#table, arc, key), value: Buffer.from(value) };
      }),
    );
  }

  remove(arc: number, keys: readonly Uint8Array[]): Promise<void> {
    return this.#rows.write(
      keys.map((key): RowOp => ({ type: 'del', key: arcKey(this.#table, arc, key) })),
    );
  }

  async rows(arc: number, after: Uint8Array | undefined, limit: number): Promise<TableRow[]> {
    const rows = await this.#rows.rows({ ...this.#from(arc, after), limit });
    return rows.map(([key, value]) => ({ key: key.subarray(NAME_AT), value }));
  }

  async count(arc: number, limit: number): Promise<number> {
    return (await this.#rows.keys({ ...this.#from(arc, undefined), limit })).length;
  }

  #from(arc: number, after: Uint8Array | undefined) {
    const prefix = arcKey(this.#table, arc);
    const from = after === undefined ? { gte: prefix } : { gt: arcKey(this.#table, arc, after) };
    return { ...from, lt: afterAll(prefix) };
  }
}

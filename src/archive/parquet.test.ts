/** What is written as Parquet is what DuckDB reads. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { ParquetFile } from './parquet.ts';
import type { ColumnValue } from './parquet-page.ts';

const COLUMNS = [
  { name: 'words', kind: 'text' },
  { name: 'count', kind: 'whole' },
  { name: 'share', kind: 'real' },
  { name: 'isNew', kind: 'flag' },
  { name: 'at', kind: 'time' },
] as const;

let folder: string;
let duck: DuckDBConnection;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbt-parquet-'));
  duck = await (await DuckDBInstance.create(':memory:')).connect();
});
after(async () => {
  duck.closeSync();
  await rm(folder, { recursive: true, force: true });
});

let files = 0;

/** Each under a name of its own: DuckDB keeps what it read of a name. */
async function written(rows: readonly (readonly ColumnValue[])[]): Promise<string> {
  const file = new ParquetFile(COLUMNS, 'Orbweaver/test');
  const groups = rows.flatMap((row) => file.add(row) ?? []);
  const path = join(folder, `${files++}.parquet`);
  await writeFile(path, Buffer.concat([file.begin(), ...groups, file.end()]));
  return path;
}

async function ask(sql: string): Promise<unknown[][]> {
  return (await duck.runAndReadAll(sql)).getRowsJS() as unknown[][];
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const rows = fc.array(
  fc.tuple(
    maybe(fc.string({ unit: 'grapheme' })),
    maybe(fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
    maybe(fc.double({ noNaN: true })),
    maybe(fc.boolean()),
    maybe(fc.integer({ min: 0, max: 4e12 })),
  ),
  { maxLength: 40 },
);

test('parquet: any values, and none, come back as they were', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const path = await written(given);
      const read = await ask(`select words, count, share, isNew, epoch_ms("at") from '${path}'`);
      const expected = given.map(([words, count, share, isNew, at]) => [
        words ?? null,
        count === undefined ? null : BigInt(count),
        share ?? null,
        isNew ?? null,
        at === undefined ? null : BigInt(at),
      ]);
      assert.deepEqual(read, expected);
    }),
    { numRuns: 40 },
  );
});

test('parquet: more rows than a group holds are all there, in their order', async () => {
  const count = 230_000;
  const path = await written(
    Array.from({ length: count }, (_, i) => [`row ${i}`, i, i / 2, i % 2 === 0, 1e12 + i]),
  );
  const [sums] = await ask(`select count(*), sum(count), max(words), max("at") from '${path}'`);
  assert.deepEqual(sums?.slice(0, 3), [230_000n, (230_000n * 229_999n) / 2n, 'row 99999']);
  const [groups] = await ask(
    `select count(distinct row_group_id) from parquet_metadata('${path}')`,
  );
  assert.deepEqual(groups, [3n]);
  const [order] = await ask(
    `select count(*) from (select count, row_number() over () - 1 as n from '${path}') where count <> n`,
  );
  assert.deepEqual(order, [0n]);
});

test('parquet: columns have the types that their kinds say', async () => {
  const path = await written([]);
  const types = await ask(`describe select * from '${path}'`);
  assert.deepEqual(
    types.map(([name, type]) => [name, type]),
    [
      ['words', 'VARCHAR'],
      ['count', 'BIGINT'],
      ['share', 'DOUBLE'],
      ['isNew', 'BOOLEAN'],
      ['at', 'TIMESTAMP'],
    ],
  );
});

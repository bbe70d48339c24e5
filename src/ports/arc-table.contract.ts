/** The promises of the `ArcTable` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ArcTable, VALUE_BYTES_MAX } from './arc-table.ts';
import { NotOurs } from './tenures.ts';

export interface ArcTableCase {
  readonly table: ArcTable;
  /** Another table of the same node. */
  readonly beside: ArcTable;
  /** From now on another node owns the arc; answers its table. */
  moveOn(arc: number): Promise<ArcTable>;
  close?(): Promise<void>;
}

function row(name: string, value = name) {
  return { key: Buffer.from(name), value: Buffer.from(value) };
}

async function namesIn(table: ArcTable, arc: number, after?: string, limit = 100) {
  const rows = await table.rows(arc, after === undefined ? after : Buffer.from(after), limit);
  return rows.map(({ key, value }) => `${Buffer.from(key)}=${Buffer.from(value)}`);
}

export function arcTableContract(name: string, open: () => Promise<ArcTableCase>): void {
  describe(`${name} arc-table`, () => {
    it('promise 2: the rows of one arc by their keys, and of no other, nor of another table', async () => {
      const { table, beside, close } = await open();
      await table.put(3, [row('b'), row('a'), row('c', 'x')]);
      await table.put(3, [row('c')]);
      await table.put(4, [row('z')]);
      await beside.put(3, [row('y')]);
      assert.deepEqual(await namesIn(table, 3), ['a=a', 'b=b', 'c=c']);
      assert.deepEqual(await namesIn(table, 3, 'a', 1), ['b=b']);
      assert.deepEqual(await namesIn(table, 3, 'c'), []);
      assert.deepEqual([await table.count(3, 100), await table.count(3, 2)], [3, 2]);
      await table.remove(3, [Buffer.from('b'), Buffer.from('none')]);
      assert.deepEqual(await namesIn(table, 3), ['a=a', 'c=c']);
      await close?.();
    });

    it('promises 1, 3: the arc moves: the next owner has it all, the last is refused', async () => {
      const { table, moveOn, close } = await open();
      const long = { key: Buffer.alloc(64, 1), value: Buffer.alloc(VALUE_BYTES_MAX, 7) };
      await table.put(5, [row('a'), row('gone'), long]);
      await table.remove(5, [Buffer.from('gone')]);
      const next = await moveOn(5);
      const kept = await next.rows(5, undefined, 10);
      assert.deepEqual(
        kept.map(({ value }) => value.length),
        [VALUE_BYTES_MAX, 1],
      );
      await assert.rejects(table.put(5, [row('b')]), NotOurs);
      await next.put(5, [row('b')]);
      assert.equal(await next.count(5, 10), 3);
      await close?.();
    });
  });
}

/** What a change of a copy comes to, as operations on rows that are there already. */
import { oldTraceKey, TABLE } from '../embedded/keys.ts';
import type { Lsm, LsmRows, Put } from '../embedded/lsm.ts';
import { encodePlace } from '../embedded/rows.ts';
import type { RowOp } from './bodies.ts';
import { asSent, withTraceOf } from './sent.ts';
import type { KeySpan } from './tables.ts';

const ROWS_PER_READ = 1_000;

/**
 * What makes these ranges hold the rows given and no others, but for those that are to be left as
 * they are.
 */
export async function replaceOps(
  lsm: Lsm,
  spans: readonly KeySpan[],
  rows: readonly Put[],
  left: ReadonlySet<string>,
): Promise<RowOp[]> {
  const wanted = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
  for (const name of left) wanted.delete(name);
  const ops: RowOp[] = [];
  const picture = lsm.picture();
  try {
    for (const span of spans) {
      for await (const run of picture.rowRuns(span, ROWS_PER_READ)) {
        for (const [key, value] of run) {
          const name = key.toString('latin1');
          if (left.has(name)) continue;
          const row = wanted.get(name);
          if (row === undefined) ops.push({ type: 'del', key });
          else if (asSent(key, value)?.equals(row.value)) wanted.delete(name);
        }
      }
    }
  } finally {
    await picture.close();
  }
  return [...ops, ...wanted.values()];
}

/** The same operations, with the traces that this node has of the visits they tell of. */
export async function keepTraces(lsm: LsmRows, ops: readonly RowOp[]): Promise<readonly RowOp[]> {
  const visited = ops.filter(({ key }) => key[0] === TABLE.visited);
  if (visited.length === 0) return ops;
  const rows = await lsm.getMany(visited.map(({ key }) => key));
  const before = new Map(visited.map(({ key }, i) => [key.toString('latin1'), rows[i]]));
  return ops.flatMap((op): RowOp[] => {
    if (op.key[0] !== TABLE.visited) return [op];
    const name = op.key.toString('latin1');
    const came = op.type === 'put' ? op.value : undefined;
    const { row, left } = withTraceOf(before.get(name), came);
    before.set(name, row);
    const own: RowOp = row === undefined ? op : { type: 'put', key: op.key, value: row };
    if (left === undefined) return [own];
    const key = oldTraceKey(op.key.subarray(1), left);
    return [own, { type: 'put', key, value: encodePlace(left) }];
  });
}

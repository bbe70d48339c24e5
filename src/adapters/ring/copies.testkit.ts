/**
 * Rows for the contract of copies: hosts, whose places follow from their names. As a program it
 * writes into a folder until it is killed:
 *
 *   node copies.testkit.ts FOLDER
 */
import { createHash } from 'node:crypto';
import { saveUntilKilled } from '../../ports/arc-copies.contract.ts';
import { blankHost, encodeHost } from '../../record/index.ts';
import { TABLE, tableKey } from '../embedded/keys.ts';
import { Lsm } from '../embedded/lsm.ts';
import { encodeOps, type RowOp } from './bodies.ts';
import { ArcQueue, LsmArcCopies } from './index.ts';

export function hostRows(
  arc: number,
  rows: Readonly<Record<string, string | undefined>>,
): Uint8Array {
  const ops = Object.entries(rows).map(([name, value]): RowOp => {
    const place = createHash('sha256').update(name).digest().subarray(0, 10);
    place[0] = (arc << 2) | ((place[0] as number) & 3);
    const key = tableKey(TABLE.host, place);
    if (value === undefined) return { type: 'del', key };
    return { type: 'put', key, value: encodeHost(blankHost(`${name}.${value}.example`)) };
  });
  return encodeOps(ops);
}

const [dir] = process.argv.slice(2);
if (import.meta.filename === process.argv[1] && dir !== undefined) {
  const lsm = await Lsm.open({ dir, syncAlways: false });
  await saveUntilKilled(new LsmArcCopies(lsm, new ArcQueue()), hostRows);
}

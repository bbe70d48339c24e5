/**
 * How far the traces reach that a commit knows of. A process that dies between writing a trace
 * and the commit that names it leaves headers and links that nobody finds, so that nobody could
 * erase them (G2): they are wiped at the next start.
 */
import { ByteReader } from '../../base/bytes.ts';
import type { PiecePlace } from '../folder/blocks.ts';
import type { Packs } from '../folder/pack.ts';
import type { LsmRows, Put } from './lsm.ts';
import { encodePlace, readPlace } from './rows.ts';

const TRACES_END_KEY = Buffer.from('mtraces');

/** To be part of the commit that names these traces. */
export function traceEndRow(places: readonly PiecePlace[]): Put[] {
  const last = places.at(-1);
  return last === undefined ? [] : [{ type: 'put', key: TRACES_END_KEY, value: encodePlace(last) }];
}

export async function wipeUnsettledTraces(lsm: LsmRows, traces: Packs): Promise<void> {
  const [row] = await lsm.getMany([TRACES_END_KEY]);
  if (row === undefined) return;
  const end = readPlace(new ByteReader(row));
  const isKnown = async (place: {
    readonly file: number;
    readonly at: number;
    readonly length: number;
  }) =>
    place.file < end.file ||
    (place.file === end.file && place.at <= end.at) ||
    traces.isMoved(place);
  // A disk that is read-only today is wiped when it can be written.
  await traces.wipeUnknown(isKnown).catch(() => 0);
}

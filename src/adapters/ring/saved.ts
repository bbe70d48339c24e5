/** What of an arc's state must be durable, as a row: version, flags, then the numbers in order. */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { SavedArc } from '../../ports/arc-copies.ts';
import { POSITION_BYTES, positionBytes, positionFrom, type Stamp } from '../../ring/index.ts';
import { arcKey, TABLE } from '../embedded/keys.ts';
import type { Put } from '../embedded/lsm.ts';

export interface SavedRow {
  readonly saved: SavedArc;
  /** Its rows are to go, and some may have gone already. */
  readonly isDropping: boolean;
}

const VERSION = 1;
const [CHARTERED, VOTED, DROPPING] = [1, 2, 4];
const writer = new ByteWriter();

export function savedRow(arc: number, saved: SavedArc, isDropping = false): Put {
  return { type: 'put', key: arcKey(TABLE.saved, arc), value: encode(saved, isDropping) };
}

function encode(saved: SavedArc, isDropping: boolean): Buffer {
  const { promised, votedFor, at, charter, isChartered } = saved;
  const voted = votedFor === undefined ? 0 : VOTED;
  writer.byte(VERSION).byte((isChartered ? CHARTERED : 0) | voted | (isDropping ? DROPPING : 0));
  writer.varint(promised).varint(at.epoch).varint(at.index);
  writer.varint(charter.at.epoch).varint(charter.at.index).byte(charter.seats.length);
  for (const seat of charter.seats) writer.raw(positionBytes(seat));
  if (votedFor !== undefined) writer.raw(positionBytes(votedFor));
  return writer.take();
}

export function decodeSaved(row: Buffer): SavedRow {
  const reader = new ByteReader(row);
  const version = reader.byte();
  if (version !== VERSION) throw new RangeError(`an arc's row of version ${version}`);
  const flags = reader.byte();
  const promised = reader.varint();
  const at = stampIn(reader);
  const chartered = stampIn(reader);
  const seats = Array.from({ length: reader.byte() }, () => placeIn(reader));
  const votedFor = (flags & VOTED) === 0 ? undefined : placeIn(reader);
  const isChartered = (flags & CHARTERED) !== 0;
  const charter = { at: chartered, seats };
  const saved = { promised, votedFor, at, charter, isChartered };
  return { saved, isDropping: (flags & DROPPING) !== 0 };
}

function stampIn(reader: ByteReader): Stamp {
  return { epoch: reader.varint(), index: reader.varint() };
}

function placeIn(reader: ByteReader) {
  return positionFrom(reader.raw(POSITION_BYTES));
}

/**
 * A URL's row: queued URLs say only where they wait, so that admission stays small; visited
 * ones carry their record and the place of their trace.
 */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { decodeUrlRecord, encodeUrlRecord, type UrlRecord } from '../../record/index.ts';
import type { Place } from '../folder/pack.ts';

const QUEUED = 0;
const VISITED = 1;
const VISITED_TRACED = 2;

export interface QueuedRow {
  readonly kind: 'queued';
  readonly rank: number;
  readonly port: number;
}

export interface VisitedRow {
  readonly kind: 'visited';
  readonly trace: Place | undefined;
  readonly record: UrlRecord;
}

const writer = new ByteWriter();

export function encodeQueued(rank: number, port: number): Buffer {
  const row = Buffer.allocUnsafe(7);
  row[0] = QUEUED;
  row.writeUInt32BE(rank, 1);
  row.writeUInt16BE(port, 5);
  return row;
}

export function encodeVisited(record: UrlRecord, trace: Place | undefined): Buffer {
  if (trace === undefined) writer.byte(VISITED);
  else writer.byte(VISITED_TRACED).varint(trace.file).varint(trace.at).varint(trace.length);
  return writer.raw(encodeUrlRecord(record)).take();
}

export function decodeUrlRow(row: Buffer): QueuedRow | VisitedRow {
  if (row[0] === QUEUED) {
    return { kind: 'queued', rank: row.readUInt32BE(1), port: row.readUInt16BE(5) };
  }
  const reader = new ByteReader(row, 1);
  const trace = row[0] === VISITED_TRACED ? readPlace(reader) : undefined;
  return { kind: 'visited', trace, record: decodeUrlRecord(reader.rest()) };
}

/** The place of the trace alone: a visit that brings none keeps the last. */
export function traceIn(row: Buffer | undefined): Place | undefined {
  return row === undefined || row[0] !== VISITED_TRACED
    ? undefined
    : readPlace(new ByteReader(row, 1));
}

export function encodePlace(place: Place): Buffer {
  return writer.varint(place.file).varint(place.at).varint(place.length).take();
}

export function readPlace(reader: ByteReader): Place {
  return { file: reader.varint(), at: reader.varint(), length: reader.varint() };
}

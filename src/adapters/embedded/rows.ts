/**
 * A URL's row: queued URLs say only where they wait, so that admission stays small; visited
 * ones carry their record and the place of their trace.
 */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { decodeUrlRecord, encodeUrlRecord, type UrlRecord } from '../../record/index.ts';
import type { PiecePlace } from '../folder/blocks.ts';

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
  readonly trace: PiecePlace | undefined;
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

export function encodeVisited(record: UrlRecord, trace: PiecePlace | undefined): Buffer {
  if (trace === undefined) writer.byte(VISITED);
  else writePlace(writer.byte(VISITED_TRACED), trace);
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
export function traceIn(row: Buffer | undefined): PiecePlace | undefined {
  return row === undefined || row[0] !== VISITED_TRACED
    ? undefined
    : readPlace(new ByteReader(row, 1));
}

export function encodePlace(place: PiecePlace): Buffer {
  return writePlace(writer, place).take();
}

export function readPlace(r: ByteReader): PiecePlace {
  return {
    file: r.varint(),
    at: r.varint(),
    length: r.varint(),
    from: r.varint(),
    bytes: r.varint(),
  };
}

function writePlace(to: ByteWriter, place: PiecePlace): ByteWriter {
  const { file, at, length, from, bytes } = place;
  return to.varint(file).varint(at).varint(length).varint(from).varint(bytes);
}

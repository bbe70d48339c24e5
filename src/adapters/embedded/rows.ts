/**
 * A URL has up to two rows. `u` is written once, when it is admitted: that it is known and
 * where it waits first. It stays small and never changes, because every mention of a URL that
 * is not recent is looked up there. `v` is written by visits: the record, and where the trace lies.
 */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { decodeUrlRecord, type UrlRecord, writeUrlRecord } from '../../record/index.ts';
import type { PiecePlace } from '../folder/blocks.ts';

const PLAIN = 0;
const TRACED = 1;

/** Where a URL waited first. */
export interface KnownRow {
  readonly rank: number;
  readonly port: number;
}

const writer = new ByteWriter();

export function encodeKnown(rank: number, port: number): Buffer {
  const row = Buffer.allocUnsafe(6);
  row.writeUInt32BE(rank, 0);
  row.writeUInt16BE(port, 4);
  return row;
}

export function decodeKnown(row: Buffer): KnownRow {
  return { rank: row.readUInt32BE(0), port: row.readUInt16BE(4) };
}

export function encodeVisited(record: UrlRecord, trace: PiecePlace | undefined): Buffer {
  if (trace === undefined) writer.byte(PLAIN);
  else writePlace(writer.byte(TRACED), trace);
  writeUrlRecord(writer, record);
  return writer.take();
}

export function decodeVisited(row: Buffer): UrlRecord {
  const reader = new ByteReader(row, 1);
  if (row[0] === TRACED) readPlace(reader);
  return decodeUrlRecord(reader.rest());
}

/** The place of the trace alone: a visit that brings none keeps the last. */
export function traceIn(row: Buffer | undefined): PiecePlace | undefined {
  return row === undefined || row[0] !== TRACED ? undefined : readPlace(new ByteReader(row, 1));
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

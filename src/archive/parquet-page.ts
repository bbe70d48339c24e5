/**
 * A column's values in one Parquet page: which rows have one, then the values one after the
 * other (encoding PLAIN), gzipped.
 *
 *   ┌ length ┬ runs of 'there' and 'not there' ┐┌ values ┐   → gzip → page header + bytes
 */
import { gzipSync } from 'node:zlib';
import type { ThriftStruct } from './thrift.ts';
import { thriftBytes } from './thrift.ts';

export type ColumnKind = 'text' | 'whole' | 'real' | 'flag' | 'time';
/** Instants are milliseconds since 1970; undefined is null. */
export type ColumnValue = string | number | boolean | undefined;

export interface ColumnPage {
  /** Header and compressed values. */
  readonly bytes: Buffer;
  readonly rawBytes: number;
}

const DATA_PAGE = 0;
export const PLAIN = 0;
export const RLE = 3;
const GZIP_LEVEL = 4;

export function columnPage(kind: ColumnKind, values: readonly ColumnValue[]): ColumnPage {
  const there = values.filter((value) => value !== undefined);
  const raw = Buffer.concat([levels(values), plain(kind, there)]);
  const packed = gzipSync(raw, { level: GZIP_LEVEL });
  const header = thriftBytes(pageHeader(values.length, raw.length, packed.length));
  return { bytes: Buffer.concat([header, packed]), rawBytes: header.length + raw.length };
}

function pageHeader(rows: number, rawBytes: number, packedBytes: number): ThriftStruct {
  const data: ThriftStruct = [
    [1, { i32: rows }],
    [2, { i32: PLAIN }],
    [3, { i32: RLE }],
    [4, { i32: RLE }],
  ];
  return [
    [1, { i32: DATA_PAGE }],
    [2, { i32: rawBytes }],
    [3, { i32: packedBytes }],
    [5, { struct: data }],
  ];
}

/** 1 where there is a value: as runs of the hybrid encoding, a byte wide. */
function levels(values: readonly ColumnValue[]): Buffer {
  const out: number[] = [0, 0, 0, 0];
  for (let at = 0; at < values.length; ) {
    const isThere = values[at] !== undefined;
    let end = at + 1;
    while (end < values.length && (values[end] !== undefined) === isThere) end++;
    varint(out, (end - at) * 2);
    out.push(isThere ? 1 : 0);
    at = end;
  }
  const bytes = Buffer.from(out);
  bytes.writeUInt32LE(bytes.length - 4, 0);
  return bytes;
}

function varint(out: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
  out.push(rest);
}

function plain(kind: ColumnKind, values: readonly ColumnValue[]): Buffer {
  if (kind === 'text') return texts(values as readonly string[]);
  if (kind === 'flag') return bits(values as readonly boolean[]);
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => {
    if (kind === 'real') bytes.writeDoubleLE(Number(value), i * 8);
    else bytes.writeBigInt64LE(BigInt(Math.round(Number(value))), i * 8);
  });
  return bytes;
}

function texts(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + length + 4, 0));
  let at = 0;
  values.forEach((value, i) => {
    at = bytes.writeUInt32LE(lengths[i] as number, at);
    at += bytes.write(value, at);
  });
  return bytes;
}

function bits(values: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8));
  values.forEach((value, i) => {
    if (value) bytes[i >> 3] = (bytes[i >> 3] as number) | (1 << (i & 7));
  });
  return bytes;
}

/**
 * Columns of a batch as PostgreSQL's binary arrays: one parameter a column, however many rows.
 *
 * As text, an array of bytes would be hex with two levels of escapes: three times the size, and
 * most of the time of a batch. The driver sends a Buffer as it is and marked as binary, so the
 * array is written here: dimensions, then each element after its length; -1 is null.
 */
const HEAD_BYTES = 20;
const NULL_LENGTH = -1;
const TYPES = { bytes: 17, text: 25, int4: 23, int8: 20, float8: 701 } as const;

export function bytesArray(values: readonly (Uint8Array | null)[]): Buffer {
  return arrayOf(TYPES.bytes, values);
}

export function textArray(values: readonly string[]): Buffer {
  return arrayOf(
    TYPES.text,
    values.map((text) => Buffer.from(text)),
  );
}

export function int4Array(values: readonly number[]): Buffer {
  return fixedArray(TYPES.int4, values, 4, (array, value, at) => array.writeInt32BE(value, at));
}

/** Whole numbers up to 2^53; instants are rounded to their millisecond. */
export function int8Array(values: readonly number[]): Buffer {
  return fixedArray(TYPES.int8, values, 8, (array, value, at) =>
    array.writeBigInt64BE(BigInt(Math.round(value)), at),
  );
}

/** Numbers of 64 bits, as they are; the server reads the highest bit as a sign. */
export function long8Array(values: readonly bigint[]): Buffer {
  return fixedArray(TYPES.int8, values, 8, (array, value, at) =>
    array.writeBigInt64BE(BigInt.asIntN(64, value), at),
  );
}

export function float8Array(values: readonly number[]): Buffer {
  return fixedArray(TYPES.float8, values, 8, (array, value, at) => array.writeDoubleBE(value, at));
}

function arrayOf(type: number, values: readonly (Uint8Array | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), HEAD_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  let at = writeHead(array, type, values.length, values.includes(null));
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? NULL_LENGTH, at);
    if (value === null) continue;
    array.set(value, at);
    at += value.length;
  }
  return array;
}

function fixedArray<T>(
  type: number,
  values: readonly T[],
  size: number,
  write: (array: Buffer, value: T, at: number) => number,
): Buffer {
  const array = Buffer.allocUnsafe(HEAD_BYTES + values.length * (4 + size));
  let at = writeHead(array, type, values.length, false);
  for (const value of values) at = write(array, value, array.writeInt32BE(size, at));
  return array;
}

function writeHead(array: Buffer, type: number, length: number, hasNull: boolean): number {
  const head = [1, hasNull ? 1 : 0, type, length, 1];
  return head.reduce((at, value) => array.writeInt32BE(value, at), 0);
}

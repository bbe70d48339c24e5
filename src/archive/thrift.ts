/**
 * Thrift's compact protocol, as much of it as Parquet's footer needs: a struct is a list of
 * fields, each with its number, its type and its value.
 */
export type ThriftValue =
  | { readonly i32: number }
  | { readonly i64: number }
  | { readonly text: string }
  | { readonly struct: ThriftStruct }
  | { readonly list: readonly ThriftValue[] };

/** Field numbers in rising order. */
export type ThriftStruct = readonly (readonly [field: number, value: ThriftValue])[];

const STOP = 0;

export function thriftBytes(struct: ThriftStruct): Buffer {
  const out: number[] = [];
  writeStruct(out, struct);
  return Buffer.from(out);
}

function writeStruct(out: number[], struct: ThriftStruct): void {
  let last = 0;
  for (const [field, value] of struct) {
    const step = field - last;
    if (step < 16) out.push((step << 4) | typeOf(value));
    else {
      out.push(typeOf(value));
      varint(out, BigInt(field) * 2n);
    }
    writeValue(out, value);
    last = field;
  }
  out.push(STOP);
}

function writeValue(out: number[], value: ThriftValue): void {
  if ('i32' in value) varint(out, zigzag(value.i32));
  else if ('i64' in value) varint(out, zigzag(value.i64));
  else if ('struct' in value) writeStruct(out, value.struct);
  else if ('text' in value) writeText(out, value.text);
  else writeList(out, value.list);
}

function writeText(out: number[], text: string): void {
  const bytes = Buffer.from(text);
  varint(out, BigInt(bytes.length));
  for (const byte of bytes) out.push(byte);
}

function writeList(out: number[], list: readonly ThriftValue[]): void {
  const [first] = list;
  const type = first === undefined ? TYPES.struct : typeOf(first);
  if (list.length < 15) out.push((list.length << 4) | type);
  else {
    out.push(0xf0 | type);
    varint(out, BigInt(list.length));
  }
  for (const item of list) writeValue(out, item);
}

const TYPES = { i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const;

function typeOf(value: ThriftValue): number {
  return TYPES[Object.keys(value)[0] as keyof typeof TYPES];
}

function zigzag(value: number): bigint {
  const big = BigInt(value);
  return big >= 0n ? big * 2n : big * -2n - 1n;
}

function varint(out: number[], value: bigint): void {
  let rest = value;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  out.push(Number(rest));
}

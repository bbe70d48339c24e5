import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from './bytes.ts';

const whole = fc.oneof(fc.nat(300), fc.maxSafeNat());
const field = fc.oneof(
  whole.map((value) => ['varint', value] as const),
  fc.nat(255).map((value) => ['byte', value] as const),
  fc.double().map((value) => ['float', value] as const),
  fc.string({ unit: 'binary' }).map((value) => ['text', value] as const),
  fc.uint8Array({ maxLength: 9_000 }).map((value) => ['bytes', value] as const),
);

test('bytes: a row gives back what was written into it', () => {
  const writer = new ByteWriter();
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      for (const [kind, value] of fields) (writer[kind] as (v: unknown) => void)(value);
      const reader = new ByteReader(writer.take());
      for (const [kind, value] of fields) {
        const read = reader[kind]();
        if (kind === 'bytes') assert.deepEqual(Uint8Array.from(read as Uint8Array), value);
        else assert.ok(Object.is(read, value), `${kind} ${String(value)} came back as ${read}`);
      }
      assert.ok(reader.done);
    }),
  );
});

test('bytes: a row that was cut anywhere is refused, not half read', () => {
  const row = new ByteWriter()
    .varint(2 ** 50)
    .text('twelve chars')
    .bytes(new Uint8Array(9))
    .take();
  for (let length = 0; length < row.length; length++) {
    const reader = new ByteReader(row.subarray(0, length));
    assert.throws(() => [reader.varint(), reader.text(), reader.bytes()], RangeError);
  }
});

test('bytes: a row taken stays as it is when the writer goes on', () => {
  const writer = new ByteWriter();
  const first = writer.text('first').take();
  writer.text('other').take();
  assert.equal(new ByteReader(first).text(), 'first');
});

test('bytes: numbers that no row can hold are refused before they are written', () => {
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => new ByteWriter().varint(value), /a varint is whole/);
  }
});

test('bytes: a number that never ends is refused', () => {
  const longest = new ByteWriter().varint(Number.MAX_SAFE_INTEGER).take();
  assert.equal(new ByteReader(longest).varint(), Number.MAX_SAFE_INTEGER);
  for (const bytes of [9, 200, 10_000]) {
    const row = new Uint8Array(bytes).fill(0x80);
    assert.throws(() => new ByteReader(row).varint(), RangeError);
    assert.throws(() => new ByteReader(row).text(), RangeError);
  }
});

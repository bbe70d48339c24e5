/** The parts of a ZIP file, read back field by field as the format's own document has them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ZipEntry, zipDirectory, zipLocalHead } from './zip.ts';

const AT = Date.UTC(2026, 0, 31, 12, 34, 56);
const GIB = 2 ** 30;

function entry(more: Partial<ZipEntry> = {}): ZipEntry {
  return { name: 'archive/ü.warc.gz', at: 0, bytes: 1_234, crc32: 0xdeadbeef, ...more };
}

test('zip: a local head is as long before its entry is known as after, however large that is', () => {
  const lengths = [0, 1_234, 5 * GIB].map((bytes) => zipLocalHead(entry({ bytes }), AT).length);
  assert.equal(new Set(lengths).size, 1);
});

test('zip: a small entry says its size in the old fields, a large one in those of ZIP64', () => {
  const small = zipLocalHead(entry(), AT);
  assert.deepEqual([small.readUInt32LE(18), small.readUInt32LE(22)], [1_234, 1_234]);
  assert.equal(small.readUInt32LE(14), 0xdeadbeef);
  const large = zipLocalHead(entry({ bytes: 5 * GIB }), AT);
  assert.deepEqual([large.readUInt32LE(18), large.readUInt16LE(4)], [0xffffffff, 45]);
  const extra = 30 + large.readUInt16LE(26);
  assert.deepEqual([large.readUInt16LE(extra), large.readUInt16LE(extra + 2)], [1, 16]);
  assert.equal(Number(large.readBigUInt64LE(extra + 4)), 5 * GIB);
});

test('zip: a directory names each entry with its place, as far away as it may be', () => {
  const entries = [entry(), entry({ name: 'b', at: 6 * GIB, bytes: 5 * GIB })];
  const start = 12 * GIB;
  const bytes = zipDirectory(entries, start, AT);
  assert.equal(bytes.readUInt32LE(0), 0x02014b50);
  const second = bytes.indexOf(Buffer.from('PK\x01\x02'), 4);
  const extra = second + 46 + 1;
  assert.deepEqual([bytes.readUInt16LE(extra), bytes.readUInt16LE(extra + 2)], [1, 24]);
  const wide = [4, 12, 20].map((at) => Number(bytes.readBigUInt64LE(extra + at)));
  assert.deepEqual(wide, [5 * GIB, 5 * GIB, 6 * GIB]);
  const end64 = bytes.indexOf(Buffer.from('PK\x06\x06'));
  assert.equal(Number(bytes.readBigUInt64LE(end64 + 32)), 2, 'entries');
  assert.equal(Number(bytes.readBigUInt64LE(end64 + 48)), start);
  const locator = bytes.indexOf(Buffer.from('PK\x06\x07'));
  assert.equal(Number(bytes.readBigUInt64LE(locator + 8)), start + end64);
  const end = bytes.indexOf(Buffer.from('PK\x05\x06'));
  assert.equal(end, bytes.length - 22);
});

test('zip: more entries than the old count can hold are counted in the new one', () => {
  const many = Array.from({ length: 65_536 }, (_, i) => entry({ name: String(i) }));
  const bytes = zipDirectory(many, 0, AT);
  const end64 = bytes.length - 22 - 20 - 56;
  assert.equal(bytes.readUInt32LE(end64), 0x06064b50);
  assert.equal(Number(bytes.readBigUInt64LE(end64 + 32)), 65_536);
});

test('zip: a file without large things has no ZIP64 in it', () => {
  const bytes = zipDirectory([entry()], 5_000, AT);
  assert.equal(bytes.indexOf(Buffer.from('PK\x06\x06')), -1);
  assert.equal(bytes.readUInt32LE(bytes.length - 6), 5_000);
});

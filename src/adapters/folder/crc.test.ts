import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { crc32, crc32ByTable } from './crc.ts';

it('crc: the check value of the standard: cbf43926', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
  assert.equal(crc32ByTable(Buffer.from('123456789')), 0xcbf43926);
});

it('crc: any bytes, cut anywhere: by table as by Node', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(20), (bytes, cut) => {
      const inTwo = crc32ByTable(bytes.subarray(cut), crc32ByTable(bytes.subarray(0, cut)));
      assert.equal(inTwo, crc32(bytes));
    }),
  );
});

import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { it } from 'node:test';
import fc from 'fast-check';
import { isInNetwork, parseIp, parseNetwork } from './ip.ts';

it('the same texts are addresses here and for Node', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.'), maxLength: 42 });
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), soup), (text) => {
      assert.equal(parseIp(text) !== undefined, isIP(text) !== 0, text);
    }),
    { numRuns: 2_000 },
  );
});

it('forms of one address: one value', () => {
  const forms = ['::ffff:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:FFFF:0102:0304', '1.2.3.4'];
  for (const form of forms) assert.deepEqual(parseIp(form), [0, 0, 0xffff, 0x01020304], form);
  assert.deepEqual(parseIp('1:2:3:4:5:6:7:8'), [0x10002, 0x30004, 0x50006, 0x70008]);
  assert.deepEqual(parseIp('1::8'), [0x10000, 0, 0, 8]);
});

it('a network: holds its first and last address, and not the ones beside it', () => {
  const network = parseNetwork('172.16.0.0/12');
  assert.ok(network);
  const holds = (text: string) => isInNetwork(parseIp(text) ?? [0, 0, 0, 0], network);
  assert.deepEqual(['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'].map(holds), [
    false,
    true,
    true,
    false,
  ]);
});

it('what is no network: undefined', () => {
  for (const text of ['10.0.0.0/33', '::/129', '10/8', '10.0.0.0/', '10.0.0.0/-1', 'a/8', '/8']) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});

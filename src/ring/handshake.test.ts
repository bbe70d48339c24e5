import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SignKey } from '../sign/index.ts';
import { HELLO_BYTES_MAX, heardHello, helloOf, type Introduction } from './handshake.ts';
import { placeOf } from './id.ts';
import { type Certified, certifiedBy, certify, type Membership } from './identity.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const nodeKey = new SignKey(Buffer.alloc(32, 1));
const ringKey = new SignKey(Buffer.alloc(32, 2));
const otherKey = new SignKey(Buffer.alloc(32, 3));
const binding = Buffer.alloc(32, 9);
const node = nodeKey.publicJwk.x;
const ring = ringKey.publicJwk.x;
const certified: Certified = { node, name: 'n', from: NOW - HOUR_MS, until: NOW + HOUR_MS };
const membership: Membership = {
  kind: 'certificate',
  ring,
  certificate: certify(ringKey, certified),
};
const me: Introduction = {
  key: nodeKey,
  at: '127.0.0.1:7400',
  life: Buffer.alloc(8, 5),
  membership,
};
const hello = helloOf(me, 'dialer', binding);
const heard = (bytes: Uint8Array) => heardHello(bytes, 'dialer', binding, membership, NOW);

test('hello: whoever proves its key is known by it, and stands where the key says', () => {
  assert.deepEqual(heard(hello), {
    kind: 'known',
    peer: { id: node, place: placeOf(Buffer.from(node, 'base64url')), at: '127.0.0.1:7400' },
    life: '0505050505050505',
  });
});

test('hello: said on another connection, or by the other end, it proves nothing', () => {
  const elsewhere = Buffer.alloc(32, 8);
  assert.equal(heardHello(hello, 'dialer', elsewhere, membership, NOW).kind, 'refused');
  assert.equal(heardHello(hello, 'listener', binding, membership, NOW).kind, 'refused');
});

test('hello: no byte of it can be changed, and nothing cut off or added', () => {
  for (let at = 0; at < hello.length; at++) {
    const changed = Buffer.from(hello);
    changed[at] = (changed[at] as number) ^ (1 << (at & 7));
    assert.equal(heard(changed).kind, 'refused', `byte ${at}`);
  }
  for (let length = 0; length < hello.length; length++) {
    assert.equal(heard(hello.subarray(0, length)).kind, 'refused', `${length} bytes`);
  }
  assert.equal(heard(Buffer.concat([hello, Buffer.alloc(1)])).kind, 'refused');
});

test('hello: any bytes at all are refused without a throw', () => {
  const start = fc.constantFrom(Buffer.alloc(0), Buffer.from('ORBR'), Buffer.from('ORBR\0\x01'));
  const bytes = fc.uint8Array({ maxLength: HELLO_BYTES_MAX + 10 });
  fc.assert(
    fc.property(start, bytes, (from, rest) => {
      assert.equal(heard(Buffer.concat([from, rest])).kind, 'refused');
    }),
  );
});

test('hello: another version is told from a stranger, whatever else it has in it', () => {
  const newer = helloOf({ ...me, version: 7 }, 'dialer', binding).subarray(0, 9);
  assert.deepEqual(heard(newer), { kind: 'refused', why: 'version', version: 7 });
});

test('certificate: of another key, for another node, early, over or changed: none', () => {
  const at = (text: string, now = NOW) => certifiedBy(ring, text, node, now);
  const good = certify(ringKey, certified);
  assert.deepEqual(at(good), certified);
  assert.equal(at(certify(otherKey, certified)), undefined);
  assert.equal(at(certify(ringKey, { ...certified, node: otherKey.publicJwk.x })), undefined);
  assert.equal(at(good, NOW - 2 * HOUR_MS), undefined);
  assert.equal(at(good, NOW + 2 * HOUR_MS), undefined);
  assert.deepEqual(at(good, NOW + HOUR_MS + 60_000), certified, 'clocks differ by minutes');
  assert.equal(at(`${good}.`), undefined);
  assert.equal(at(''), undefined);
  const [, signature] = good.split('.');
  const longer = Buffer.from(JSON.stringify({ ...certified, until: NOW * 2 }));
  assert.equal(at(`${longer.toString('base64url')}.${signature}`, NOW * 1.5), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hamming, simhash } from './simhash.ts';

test('hamming: counts the bits that differ, in 64', () => {
  assert.equal(hamming(0xdeadbeefdeadbeefn, 0x2152411021524110n), 64);
  assert.equal(hamming(0n, 0n), 0);
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.nat(63), (bits, at) => {
      assert.equal(hamming(bits, bits ^ (1n << BigInt(at))), 1);
    }),
  );
});

test('simhash: the same words give the same bits, whatever their case and spacing', () => {
  assert.equal(simhash('Small rabbit was  very sad'), simhash('small RABBIT was very\nsad.'));
  assert.equal(simhash(''), 0n);
});

test('simhash: a word changed in a long text moves few bits, another text moves many', () => {
  const words = Array.from({ length: 400 }, (_, i) => `word${(i * 7919) % 1009}`);
  const page = words.join(' ');
  const edited = [...words.slice(0, 200), 'changed', ...words.slice(201)].join(' ');
  const other = words.map((word) => `${word}x`).join(' ');
  assert.ok(hamming(simhash(page), simhash(edited)) <= 6);
  assert.ok(hamming(simhash(page), simhash(other)) >= 16);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../base/random.ts';
import { Bloom } from './bloom.ts';
import { BLOCK_BITS, blockedRate, bloomSize } from './bloom-size.ts';

const HASH_BYTES = 16;

/** Fills a buffer with hashes that no other seed gives. */
function drawHashes(seed: string): (into: Buffer) => Buffer {
  const random = seededRandom(seed);
  return (into) => {
    for (let at = 0; at < HASH_BYTES; at += 4) into.writeUInt32LE(random.next() * 2 ** 32, at);
    return into;
  };
}

function filled(keys: number, target: number, seed: string): Bloom {
  const bloom = new Bloom(bloomSize(keys, target));
  const draw = drawHashes(seed);
  const hash = Buffer.alloc(HASH_BYTES);
  for (let i = 0; i < keys; i++) bloom.checkAndAdd(draw(hash), 0);
  return bloom;
}

function measuredRate(bloom: Bloom, asks: number, seed: string): number {
  const draw = drawHashes(seed);
  const hash = Buffer.alloc(HASH_BYTES);
  let maybe = 0;
  for (let i = 0; i < asks; i++) if (bloom.has(draw(hash), 0)) maybe++;
  return maybe / asks;
}

describe('bloom: full to the expected keys', () => {
  /** Enough asks for a hundred false positives or more. */
  const cases: [target: number, keys: number, asks: number][] = [
    [0.01, 100_000, 200_000],
    [0.001, 100_000, 500_000],
    [0.0001, 100_000, 2_000_000],
  ];
  for (const [target, keys, asks] of cases) {
    it(`target ${target}: the rate is met when counted, and not by waste of room`, () => {
      const bloom = filled(keys, target, 'in');
      const measured = measuredRate(bloom, asks, 'out');
      const spread = 3 * Math.sqrt(target / asks);
      assert.ok(measured <= target + spread, `measured ${measured}`);
      assert.ok(measured >= target * 0.85 - spread, `measured ${measured}: too many bits`);
    });

    it(`target ${target}: the estimate from the set bits is close to what is counted`, () => {
      const bloom = filled(keys, target, 'in');
      const estimate = bloom.falsePositiveRate();
      const measured = measuredRate(bloom, asks, 'out');
      assert.ok(Math.abs(estimate / measured - 1) < 0.3, `${estimate} against ${measured}`);
    });
  }
});

it('bloom: keys that were added: always there, and none of them counted twice', () => {
  const bloom = filled(5_000, 0.01, 'in');
  const before = bloom.added;
  const draw = drawHashes('in');
  const hash = Buffer.alloc(HASH_BYTES);
  for (let i = 0; i < 5_000; i++) {
    draw(hash);
    assert.ok(bloom.has(hash, 0));
    assert.ok(bloom.checkAndAdd(hash, 0));
  }
  assert.equal(bloom.added, before);
  assert.ok(before > 4_950 && before <= 5_000, `${before} counted`);
});

it('bloom: an empty filter: nothing is there, and its rate is 0', () => {
  const bloom = new Bloom(bloomSize(1_000, 0.01));
  assert.equal(measuredRate(bloom, 1_000, 'any'), 0);
  assert.equal(bloom.falsePositiveRate(), 0);
});

it('bloom: the blocks: filled evenly, first and last included', () => {
  const bloom = new Bloom({ bits: 16 * BLOCK_BITS, probes: 1 });
  const counts = new Array<number>(16).fill(0);
  const hash = Buffer.alloc(HASH_BYTES);
  const draw = drawHashes('blocks');
  for (let i = 0; i < 16_000; i++) {
    bloom.words.fill(0);
    bloom.checkAndAdd(draw(hash), 0);
    const word = bloom.words.findIndex((bits) => bits !== 0);
    counts[Math.floor(word / 16)] = (counts[Math.floor(word / 16)] ?? 0) + 1;
  }
  for (const [block, count] of counts.entries()) {
    assert.ok(count > 850 && count < 1_150, `block ${block}: ${count}`);
  }
});

it('bloom: hashes of ones only: inside the last block', () => {
  const bloom = new Bloom(bloomSize(1_000, 0.001));
  assert.equal(bloom.checkAndAdd(Buffer.alloc(HASH_BYTES, 0xff), 0), false);
  assert.ok(bloom.words.subarray(-16).some((bits) => bits !== 0));
});

it('bloom size: the smallest for its target, in whole blocks', () => {
  for (const target of [0.01, 0.001, 0.0001]) {
    const { bits, probes } = bloomSize(1_000_000, target);
    assert.equal(bits % BLOCK_BITS, 0);
    const perKey = bits / 1_000_000;
    assert.ok(blockedRate(perKey, probes) <= target);
    for (const other of [probes - 1, probes + 1]) {
      assert.ok(blockedRate(perKey, other) > blockedRate(perKey, probes) * 0.999);
    }
    const textbook = -Math.log(target) / Math.LN2 ** 2;
    assert.ok(perKey > textbook && perKey < textbook * 1.2, `${perKey} bits a key`);
  }
});

it('bloom size: no keys at all, or one: a block', () => {
  assert.equal(bloomSize(0, 0.01).bits, BLOCK_BITS);
  assert.equal(bloomSize(1, 0.01).bits, BLOCK_BITS);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../base/random.ts';
import { URL_KEY_BYTES } from '../record/index.ts';
import { Generations } from './generations.ts';

/** `count` url keys one after the other; all on one host, as in a crawl of one site. */
function drawKeys(seed: string, count: number): Buffer {
  const random = seededRandom(seed);
  const keys = Buffer.alloc(count * URL_KEY_BYTES, 0xab);
  for (let at = 0; at < keys.length; at += URL_KEY_BYTES) {
    for (let i = 8; i < URL_KEY_BYTES; i += 4) keys.writeUInt32LE(random.next() * 2 ** 32, at + i);
  }
  return keys;
}

/** Adds them all; which part was called seen? */
function addAll(generations: Generations, keys: Buffer): number {
  let maybe = 0;
  for (let at = 0; at < keys.length; at += URL_KEY_BYTES) {
    if (generations.checkAndAdd(keys, at)) maybe++;
  }
  return maybe / (keys.length / URL_KEY_BYTES);
}

for (const target of [0.01, 0.001, 0.0001]) {
  it(`generations: ${target}, full to the expected keys: one generation, half the target`, () => {
    const generations = new Generations(200_000, target);
    addAll(generations, drawKeys('in', 200_000));
    assert.equal(generations.count, 1);
    const estimate = generations.falsePositiveRate();
    assert.ok(estimate < target * 0.6, `estimate ${estimate}`);
  });

  it(`generations: ${target}, 31 times the expected keys: the counted rate stays below`, () => {
    const generations = new Generations(10_000, target);
    addAll(generations, drawKeys('in', 280_000));
    const measured = addAll(generations, drawKeys('more', 29_000));
    assert.ok(generations.count >= 5, `${generations.count} generations`);
    assert.ok(measured <= target + 3 * Math.sqrt(target / 29_000), `measured ${measured}`);
    assert.ok(generations.falsePositiveRate() <= target, 'by estimate');
  });
}

it('generations: keys of every generation: still there after the next ones opened', () => {
  const generations = new Generations(500, 0.001);
  const keys = drawKeys('in', 10_000);
  addAll(generations, keys);
  assert.ok(generations.count >= 4);
  const { keys: counted } = generations;
  assert.equal(addAll(generations, keys), 1);
  assert.equal(generations.keys, counted, 'repeats are not counted');
});

it('generations: kept and restored: the same answers, and it grows on', () => {
  const before = new Generations(1_000, 0.01);
  const known = drawKeys('in', 3_500);
  addAll(before, known);
  const after = Generations.restore(0.01, before.states());
  assert.equal(after.count, before.count);
  assert.equal(after.keys, before.keys);
  assert.equal(after.bytes, before.bytes);
  assert.equal(addAll(after, known), 1);
  addAll(after, drawKeys('more', 10_000));
  assert.ok(after.count > 2);
});

/**
 * The promises of the `NearIndex` port, proved of any adapter against a scan of everything.
 *
 *   nearIndexContract('memory', async () => ({ index: new MemoryNearIndex() }))
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../base/random.ts';
import { urlKeyOf } from '../record/index.ts';
import { stepUntilKilled } from './crash.contract.ts';
import type { Fingerprint, NearIndex } from './near-index.ts';

export interface NearIndexEngine {
  readonly index: NearIndex;
  /**
   * Runs `writeUntilKilled` in a process of its own, kills it, and opens what it left; how many
   * writes it had reported by then. Left out where nothing is kept.
   */
  readonly killed?: () => Promise<{ readonly index: NearIndex; readonly writes: number }>;
}

type Open = () => Promise<NearIndexEngine>;

const random = seededRandom('near');
const PAIRS = 0x0123456789abcdefn;

export function nearIndexContract(name: string, open: Open): void {
  describe(`${name} near-index`, () => {
    findsTheNearest(open);
    neverItself(open);
    withinOneAsk(open);
    removes(open);
    survives(open);
  });
}

function draw(): bigint {
  const word = () => BigInt(Math.floor(random.next() * 2 ** 32));
  return (word() << 32n) | word() || 1n;
}

function page(name: string | number, simhash: bigint, pairs = PAIRS): Fingerprint {
  return { key: urlKeyOf(`https://near.test/${name}`), simhash, pairs };
}

/** With that many bits the other way. */
function apart(simhash: bigint, bits: readonly number[]): bigint {
  return bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), simhash) || 1n;
}

function keyOf(found: Fingerprint | undefined): string | undefined {
  return found?.key.toString('hex');
}

async function findOne(index: NearIndex, asked: Fingerprint): Promise<Fingerprint | undefined> {
  const [found] = await index.find([asked]);
  return found;
}

const bitSets = (min: number, max: number) =>
  fc.uniqueArray(fc.nat(63), { minLength: min, maxLength: max });

function findsTheNearest(open: Open): void {
  it('promise 1: up to three bits apart, anywhere: found; four and more: not', async () => {
    const { index } = await open();
    const original = page('original', draw());
    await index.write([original, ...Array.from({ length: 500 }, (_, i) => page(i, draw()))], []);
    await fc.assert(
      fc.asyncProperty(bitSets(0, 8), async (bits) => {
        const found = await findOne(index, page('asked', apart(original.simhash, bits)));
        assert.equal(keyOf(found), bits.length <= 3 ? keyOf(original) : undefined);
      }),
      { numRuns: 300 },
    );
    await index.close();
  });

  it('promise 1: several within three bits: the nearest, with its own fingerprint', async () => {
    const { index } = await open();
    const asked = draw();
    const near = [[1, 40], [9], [2, 33, 60]].map((bits, i) => page(i, apart(asked, bits)));
    await index.write(near, []);
    const found = await findOne(index, page('asked', asked));
    assert.equal(keyOf(found), keyOf(near[1]));
    assert.equal(found?.simhash, near[1]?.simhash);
    await index.close();
  });

  it('promise 1: near, but its pairs of words are others: not found; a further one is', async () => {
    const { index } = await open();
    const asked = page('asked', draw());
    const alike = page('alike', asked.simhash, ~PAIRS & 0xffffffffffffffffn);
    await index.write([alike], []);
    assert.equal(await findOne(index, asked), undefined);
    const same = page('same', apart(asked.simhash, [0, 40]), PAIRS ^ 0b1011n);
    await index.write([same], []);
    const found = await findOne(index, asked);
    assert.deepEqual([keyOf(found), found?.pairs], [keyOf(same), same.pairs]);
    await index.close();
  });

  it('promise 1: originals written in any order: the same answers', async () => {
    const base = draw();
    const crowd = Array.from({ length: 40 }, (_, i) => page(i, apart(base, [i, (i * 7) % 64])));
    const asked = Array.from({ length: 20 }, (_, i) => page(`asked${i}`, apart(base, [i, 63 - i])));
    const answers: (string | undefined)[][] = [];
    for (const order of [crowd, [...crowd].reverse()]) {
      const { index } = await open();
      for (const original of order) await index.write([original], []);
      answers.push((await Promise.all(asked.map((one) => findOne(index, one)))).map(keyOf));
      await index.close();
    }
    assert.deepEqual(answers[0], answers[1]);
  });

  it('promise 1: a hundred originals that share a half: found among them', async () => {
    const { index } = await open();
    const half = draw() & 0xffffffff_00000000n;
    const crowd = Array.from({ length: 100 }, (_, i) => page(i, half | (draw() & 0xffffffffn)));
    await index.write(crowd, []);
    const original = crowd[70] as Fingerprint;
    const found = await findOne(index, page('asked', apart(original.simhash, [33, 34])));
    assert.equal(keyOf(found), keyOf(original));
    await index.close();
  });
}

function neverItself(open: Open): void {
  it('promise 2: a page asked again: not its own original, whatever else is near', async () => {
    const { index } = await open();
    const first = page('first', draw());
    const near = page('near', apart(first.simhash, [3]));
    await index.write([first, near], []);
    assert.equal(await findOne(index, first), undefined);
    const changed = page('first', apart(first.simhash, [5, 6]));
    assert.equal(keyOf(await findOne(index, changed)), keyOf(near));
    await index.close();
  });
}

function withinOneAsk(open: Open): void {
  it('promise 3: copies in one ask: the first is the original of the others', async () => {
    const { index } = await open();
    const first = page('first', draw());
    const others = [[1], [2, 50], [3, 4, 5]].map((bits, i) => page(i, apart(first.simhash, bits)));
    const answers = await index.find([first, ...others]);
    assert.deepEqual(answers.map(keyOf), [undefined, ...others.map(() => keyOf(first))]);
    await index.close();
  });

  it('promise 3: an original that is asked after its copy: stays the original', async () => {
    const { index } = await open();
    const original = page('original', draw());
    await index.write([original], []);
    const copy = page('copy', apart(original.simhash, [7]));
    assert.deepEqual((await index.find([copy, original])).map(keyOf), [keyOf(original), undefined]);
    await index.close();
  });

  it('promise 3: an original that is another text in this ask: no original of what it was', async () => {
    const { index } = await open();
    const original = page('original', draw());
    await index.write([original], []);
    const copy = page('copy', original.simhash);
    assert.deepEqual(await index.find([copy, page('original', draw())]), [undefined, undefined]);
    await index.close();
  });

  it('no pages: no answers', async () => {
    const { index } = await open();
    assert.deepEqual(await index.find([]), []);
    await index.write([], []);
    await index.close();
  });
}

function removes(open: Open): void {
  it('promise 4: removed: not found; the same fingerprint of another page stays', async () => {
    const { index } = await open();
    const [one, two] = [page('one', draw()), page('two', draw())];
    await index.write([one, two], []);
    await index.write([], [page('another', two.simhash), one]);
    assert.equal(await findOne(index, page('asked', one.simhash)), undefined);
    assert.equal(keyOf(await findOne(index, page('asked', two.simhash))), keyOf(two));
    await index.write([], [one]);
    await index.close();
  });

  it('promise 4: removed and added in one write, and added twice: found once, removable', async () => {
    const { index } = await open();
    const one = page('one', draw());
    await index.write([one], [one]);
    await index.write([one], []);
    assert.equal(keyOf(await findOne(index, page('asked', one.simhash))), keyOf(one));
    await index.write([], [one]);
    assert.equal(await findOne(index, page('asked', one.simhash)), undefined);
    await index.close();
  });

  it('promises 1, 4: any history: answers as a scan of everything would', async () => {
    const base = draw();
    const step = fc.record({ name: fc.nat(5), bits: bitSets(0, 6), isGone: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), bitSets(0, 3), async (steps, asked) => {
        const { index } = await open();
        const kept = new Map<string, bigint>();
        for (const { name, bits, isGone } of steps) {
          const one = page(`${name}-${bits}`, apart(base, bits));
          await index.write(isGone ? [] : [one], isGone ? [one] : []);
          if (isGone) kept.delete(`${name}-${bits}`);
          else kept.set(`${name}-${bits}`, one.simhash);
        }
        const simhash = apart(base, asked);
        const distances = [...kept.values()].map((other) => distance(other, simhash));
        const nearest = Math.min(...distances, 4);
        const answer = await findOne(index, page('asked', simhash));
        const told = answer === undefined ? 4 : distance(answer.simhash, simhash);
        assert.equal(told, nearest);
        await index.close();
      }),
      { numRuns: 40 },
    );
  });
}

function distance(a: bigint, b: bigint): number {
  return [...(a ^ b).toString(2)].filter((bit) => bit === '1').length;
}

/** The nth original of the process that is killed; every third is removed again. */
function nthOriginal(nth: number): Fingerprint {
  const high = BigInt(Math.imul(nth + 1, 0x9e3779b1) >>> 0);
  return page(`killed${nth}`, (high << 32n) | BigInt(Math.imul(nth + 1, 0x85ebca6b) >>> 0));
}

export function writeUntilKilled(index: NearIndex): Promise<never> {
  return stepUntilKilled(async (nth) => {
    await index.write([nthOriginal(nth)], nth % 3 === 2 ? [nthOriginal(nth - 1)] : []);
  });
}

function survives(open: Open): void {
  it('promise 5: killed while it writes: everything that was written is found', async (t) => {
    const { index: first, killed } = await open();
    await first.close();
    if (killed === undefined) return t.skip('this engine keeps nothing over a stop');
    const { index, writes } = await killed();
    for (let nth = 0; nth < writes; nth++) {
      const one = nthOriginal(nth);
      const found = await findOne(index, page('asked', apart(one.simhash, [nth % 64])));
      const isGone = nth % 3 === 1 && nth + 1 < writes;
      if (isGone || nth + 1 < writes || nth % 3 !== 1) {
        assert.equal(keyOf(found), isGone ? undefined : keyOf(one), `original ${nth}`);
      }
    }
    await index.close();
  });
}

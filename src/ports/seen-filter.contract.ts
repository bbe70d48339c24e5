/**
 * The promises of the `SeenFilter` port, proved of any adapter.
 *
 *   seenFilterContract('memory', { open: openMemoryFilter })
 *
 * Keys are drawn from a fixed seed, so a rate that holds once holds always.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../base/random.ts';
import { URL_KEY_BYTES, type UrlKey } from '../record/index.ts';
import type { SeenFilter } from './seen-filter.ts';

export interface SeenFilterOptions {
  readonly expectedKeys: number;
  readonly falsePositiveRate: number;
  readonly complete: boolean;
}

export interface SeenFilterEngine {
  open(options: SeenFilterOptions): SeenFilter | Promise<SeenFilter>;
}

const COMPLETE: SeenFilterOptions = {
  expectedKeys: 20_000,
  falsePositiveRate: 0.01,
  complete: true,
};
const KEYS_PER_ASK = 1_000;
/** How far above a rate a fair draw may be measured. */
const LUCK = 1.1;

export function seenFilterContract(name: string, engine: SeenFilterEngine): void {
  describe(`${name} seen-filter`, () => {
    neverNewAgain(engine);
    oneNew(engine);
    failsOpen(engine);
    rate(engine);
  });
}

function* drawKeys(seed: string): Generator<UrlKey, never> {
  const random = seededRandom(seed);
  for (;;) {
    const key = Buffer.allocUnsafe(URL_KEY_BYTES);
    for (let at = 0; at < URL_KEY_BYTES; at += 4) key.writeUInt32LE(random.next() * 2 ** 32, at);
    yield key;
  }
}

function take(keys: Generator<UrlKey, never>, count: number): UrlKey[] {
  return Array.from({ length: count }, () => keys.next().value);
}

/** Adds keys that were never added, and answers which part of them was called 'maybe'. */
async function addNew(
  filter: SeenFilter,
  keys: Generator<UrlKey, never>,
  count: number,
): Promise<number> {
  let maybe = 0;
  for (let left = count; left > 0; left -= KEYS_PER_ASK) {
    const answers = await filter.checkAndAdd(take(keys, Math.min(left, KEYS_PER_ASK)));
    for (const answer of answers) maybe += answer;
  }
  return maybe / count;
}

function neverNewAgain(engine: SeenFilterEngine): void {
  it('promise 1: keys added before: never called new, over several generations', async () => {
    const filter = await engine.open({ ...COMPLETE, expectedKeys: 2_000 });
    await addNew(filter, drawKeys('again'), 20_000);
    assert.ok(filter.stats().generations > 1, 'the filter never opened a generation');
    assert.equal(await addNew(filter, drawKeys('again'), 20_000), 1);
    await filter.close();
  });

  it('promise 1: any history of asking: a key is new at most the first time', async () => {
    const some = take(drawKeys('history'), 12);
    const histories = fc.array(fc.array(fc.nat(some.length - 1), { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(histories, async (asks) => {
        const filter = await engine.open({ ...COMPLETE, expectedKeys: 4 });
        const asked = new Set<number>();
        for (const ask of asks) {
          const answers = await filter.checkAndAdd(ask.map((i) => some[i] as UrlKey));
          for (const [nth, i] of ask.entries()) {
            if (asked.has(i)) assert.equal(answers[nth], 1);
            asked.add(i);
          }
        }
        await filter.close();
      }),
    );
  });
}

function oneNew(engine: SeenFilterEngine): void {
  it('promise 2: two askers with one key: one is told new', async () => {
    const filter = await engine.open(COMPLETE);
    for (const key of take(drawKeys('two'), 200)) {
      const answers = await Promise.all([filter.checkAndAdd([key]), filter.checkAndAdd([key])]);
      assert.equal(answers.filter(([maybe]) => maybe === 0).length, 1);
    }
    await filter.close();
  });

  it('promise 2: a key twice in one ask: the first is new', async () => {
    const filter = await engine.open(COMPLETE);
    const [key, other] = take(drawKeys('twice'), 2) as [UrlKey, UrlKey];
    const answers = await filter.checkAndAdd([key, other, key, key]);
    assert.deepEqual([...answers], [0, 0, 1, 1]);
    await filter.close();
  });

  it('no keys: no answers', async () => {
    const filter = await engine.open(COMPLETE);
    assert.equal((await filter.checkAndAdd([])).length, 0);
    await filter.close();
  });
}

function failsOpen(engine: SeenFilterEngine): void {
  it('promise 3: incomplete: everything is maybe, and it says so', async () => {
    const filter = await engine.open({ ...COMPLETE, complete: false });
    assert.equal(filter.stats().complete, false);
    assert.equal(await addNew(filter, drawKeys('open'), 5_000), 1);
    assert.ok(filter.stats().keys > 4_900, 'the keys were not added');
    await filter.close();
  });
}

function rate(engine: SeenFilterEngine): void {
  for (const target of [0.01, 0.001]) {
    it(`promise 4: ${target} up to the expected keys: needless maybes stay below it`, async () => {
      const filter = await engine.open({ ...COMPLETE, falsePositiveRate: target });
      const keys = drawKeys('rate');
      await addNew(filter, keys, COMPLETE.expectedKeys - KEYS_PER_ASK);
      assert.ok((await addNew(filter, keys, KEYS_PER_ASK)) <= target * LUCK + 2 / KEYS_PER_ASK);
      assert.ok(filter.stats().falsePositiveRate <= target, 'by its own estimate');
      await filter.close();
    });
  }

  it('promise 4: eight times the expected keys: the rate holds, by counting and by estimate', async () => {
    const target = 0.01;
    const filter = await engine.open({ ...COMPLETE, expectedKeys: 5_000 });
    const keys = drawKeys('beyond');
    await addNew(filter, keys, 35_000);
    const measured = await addNew(filter, keys, 10_000);
    const { falsePositiveRate: estimate, generations } = filter.stats();
    assert.ok(generations >= 3, `${generations} generations`);
    assert.ok(measured <= target * LUCK, `measured ${measured}`);
    assert.ok(estimate <= target * LUCK, `estimated ${estimate}`);
    await filter.close();
  });
}

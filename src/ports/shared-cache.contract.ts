/**
 * The promises of the `SharedCache` port, proved of any adapter.
 *
 *   sharedCacheContract('memory', openForTest)
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CACHE_VALUE_BYTES_MAX, type CacheKind, type SharedCache } from './shared-cache.ts';

export interface SharedCacheCase {
  readonly cache: SharedCache;
  /** Another node's way to the same. */
  readonly other: SharedCache;
  /** Lets time go by. */
  pass(ms: number): Promise<void>;
}

export function sharedCacheContract(name: string, open: () => Promise<SharedCacheCase>): void {
  describe(`${name} shared-cache`, () => {
    givesBack(open);
    ends(open);
    likeMap(open);
  });
}

const LONG_MS = 3_600_000;

function entry(name: string, text: string, lifeMs = LONG_MS) {
  return { name, value: Buffer.from(text), lifeMs };
}

async function texts(cache: SharedCache, kind: CacheKind, names: readonly string[]) {
  const values = await cache.get(kind, names);
  return values.map((value) => value && Buffer.from(value).toString());
}

async function closeBoth({ cache, other }: SharedCacheCase): Promise<void> {
  await cache.close();
  await other.close();
}

function givesBack(open: () => Promise<SharedCacheCase>): void {
  it('promise 1: put by one node: read by another, each name and each kind by itself', async () => {
    const opened = await open();
    const { cache, other } = opened;
    await cache.put('robots', [entry('a.test', 'rules a'), entry('b.test', 'rules b')]);
    await cache.put('address', [entry('a.test', '127.0.0.9')]);
    assert.deepEqual(await texts(other, 'robots', ['b.test', 'no.test', 'a.test']), [
      ...['rules b', undefined, 'rules a'],
    ]);
    assert.deepEqual(await texts(other, 'address', ['a.test', 'b.test']), ['127.0.0.9', undefined]);
    await closeBoth(opened);
  });

  it('promise 1: put again: the last value counts; no names: no answers', async () => {
    const opened = await open();
    const { cache, other } = opened;
    await cache.put('robots', [entry('a.test', 'old')]);
    await other.put('robots', [entry('a.test', 'new')]);
    assert.deepEqual(await texts(cache, 'robots', ['a.test', 'a.test']), ['new', 'new']);
    assert.deepEqual(await cache.get('robots', []), []);
    await cache.put('robots', []);
    await closeBoth(opened);
  });

  it('promise 1: bytes of every kind, the largest value and names that are long: as given', async () => {
    const opened = await open();
    const { cache, other } = opened;
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const large = Buffer.alloc(CACHE_VALUE_BYTES_MAX, 'User-agent: *\n');
    const long = `${'a'.repeat(5_000)}.test`;
    const names = ['bytes', 'empty', 'large', long, `${long}:8080`, '{a}.test', 'ü.test\n'];
    const values = [all, Buffer.alloc(0), large, all, large, all, all];
    await cache.put(
      'robots',
      names.map((name, i) => ({ name, value: values[i] as Buffer, lifeMs: LONG_MS })),
    );
    const got = await other.get('robots', names);
    for (const [i, value] of values.entries()) {
      assert.equal(Buffer.compare(got[i] ?? Buffer.from('none'), value), 0, names[i]?.slice(0, 9));
    }
    await closeBoth(opened);
  });
}

function ends(open: () => Promise<SharedCacheCase>): void {
  it('promise 1: when its life has ended: unknown, and the others are not', async () => {
    const opened = await open();
    const { cache, other, pass } = opened;
    await cache.put('address', [entry('short', '1', 40), entry('long', '2')]);
    await pass(120);
    assert.deepEqual(await texts(other, 'address', ['short', 'long']), [undefined, '2']);
    await closeBoth(opened);
  });

  it('promise 2: too large, or without a life: not kept, and what was there is gone', async () => {
    const opened = await open();
    const { cache, other } = opened;
    await cache.put('robots', [entry('large', 'before'), entry('dead', 'before')]);
    const value = Buffer.alloc(CACHE_VALUE_BYTES_MAX + 1);
    await cache.put('robots', [
      { name: 'large', value, lifeMs: LONG_MS },
      entry('dead', 'now', 0),
      entry('never', 'now', -5),
      entry('fine', 'now'),
    ]);
    const names = ['large', 'dead', 'never', 'fine'];
    assert.deepEqual(await texts(other, 'robots', names), [undefined, undefined, undefined, 'now']);
    await closeBoth(opened);
  });

  it('promise 3: forgotten: unknown in that kind, and counted as no hit', async () => {
    const opened = await open();
    const { cache, other } = opened;
    for (const kind of ['robots', 'address'] as const) await cache.put(kind, [entry('a', kind)]);
    await other.forget('robots', ['a', 'never']);
    assert.deepEqual(await texts(cache, 'robots', ['a']), [undefined]);
    assert.deepEqual(await texts(cache, 'address', ['a']), ['address']);
    assert.deepEqual(cache.stats(), { asked: 2, hits: 1 });
    await closeBoth(opened);
  });
}

function likeMap(open: () => Promise<SharedCacheCase>): void {
  it('promises 1 to 3: any history of two nodes: as one map would answer', async () => {
    const step = fc.record({
      by: fc.boolean(),
      name: fc.constantFrom('a', 'b', 'c'),
      text: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const opened = await open();
        const known = new Map<string, string>();
        for (const { by, name, text } of steps) {
          const node = by ? opened.cache : opened.other;
          if (text === undefined) await node.forget('robots', [name]);
          else await node.put('robots', [entry(name, text)]);
          if (text === undefined) known.delete(name);
          else known.set(name, text);
          const names = ['a', 'b', 'c'];
          assert.deepEqual(
            await texts(by ? opened.other : opened.cache, 'robots', names),
            names.map((one) => known.get(one)),
          );
        }
        await closeBoth(opened);
      }),
      { numRuns: 30 },
    );
  });
}

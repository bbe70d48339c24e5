import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedCacheContract } from '../../ports/shared-cache.contract.ts';
import { MemorySharedCache } from './shared-cache.ts';

function clockAt(start: number) {
  let now = start;
  const pass = async (ms: number) => {
    now += ms;
  };
  return { clock: { now: () => now, sleepUntil: async () => undefined }, pass };
}

sharedCacheContract('memory', async () => {
  const { clock, pass } = clockAt(1_000);
  const cache = new MemorySharedCache(clock);
  return { cache, other: cache, pass };
});

it('memory shared-cache: more than it holds: the first ones put are gone', async () => {
  const cache = new MemorySharedCache(clockAt(0).clock, 3);
  const value = Buffer.from('x');
  for (const name of ['a', 'b', 'c', 'a', 'd']) {
    await cache.put('address', [{ name, value, lifeMs: 1_000 }]);
  }
  const got = await cache.get('address', ['a', 'b', 'c', 'd']);
  assert.deepEqual(
    got.map((one) => one !== undefined),
    [true, false, true, true],
  );
});

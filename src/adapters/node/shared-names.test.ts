import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemorySharedCache } from '../memory/shared-cache.ts';
import { systemClock } from './clock.ts';
import type { Ask } from './resolver-ask.ts';
import { sharedAsk } from './shared-names.ts';

test('names: what one node has asked, the next finds; what is no address is asked again', async () => {
  const cache = new MemorySharedCache(systemClock());
  const asked: string[] = [];
  const ask: Ask = async (hostname) => {
    asked.push(hostname);
    if (hostname === 'gone.example') return { kind: 'failed', detail: 'no such name' };
    return { kind: 'found', addresses: ['192.0.2.7', '2001:db8::7'] };
  };
  const [one, another] = [sharedAsk(ask, cache), sharedAsk(ask, cache)];
  const first = await one('a.example');
  assert.deepEqual(await another('a.example'), first);
  assert.equal((await one('gone.example')).kind, 'failed');
  assert.equal((await another('gone.example')).kind, 'failed');
  const value = Buffer.from('not an address');
  await cache.put('address', [{ name: 'b.example', value, lifeMs: 60_000 }]);
  await one('b.example');
  assert.deepEqual(asked, ['a.example', 'gone.example', 'gone.example', 'b.example']);
});

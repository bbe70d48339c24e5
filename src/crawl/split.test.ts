/** What an operator is told who splits a shard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryTenures } from '../adapters/memory/tenures.ts';
import { splitArc } from './split.ts';

test('split: twice is as far as it goes, and why not is told (F8)', async () => {
  const tenures = new MemoryTenures(() => 0);
  const refusal = async (arc: number) => {
    const split = await splitArc(tenures, arc);
    return 'refused' in split ? split.refused : '';
  };
  assert.deepEqual(await splitArc(tenures, 5), { parts: [138, 139] });
  assert.match(await refusal(5), /what it covers is in 138, 139/);
  assert.deepEqual(await splitArc(tenures, 138), { parts: [276, 277] });
  assert.match(await refusal(276), /quarter of an arc, and is not split further/);
  assert.match(await refusal(140), /what it covers is in 6\./);
  assert.match(await refusal(64), /no shard 64/);
  assert.match(JSON.stringify(await splitArc(undefined, 5)), /one node/);
});

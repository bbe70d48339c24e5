import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BEHIND, keepMainFirst, threads } from './main-first.ts';

const skip = threads().length === 0 && 'this system does not tell a process about its threads';

test('main first: all other threads stand behind the one that answers', { skip }, async () => {
  const before = getPriority();
  await promisify(gzip)(Buffer.alloc(1_000));
  keepMainFirst().stop();
  assert.equal(getPriority(process.pid), before);
  const others = threads().filter((thread) => thread !== process.pid);
  assert.ok(others.length > 0);
  for (const thread of others) assert.equal(getPriority(thread), BEHIND);
});

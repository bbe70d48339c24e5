import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WishAnswer } from '../ports/renderer.ts';
import { RenderCache } from './render-cache.ts';

let time = 0;
const now = () => time;

function server(headers: Readonly<Record<string, string>> = {}, bytes = 10) {
  let asked = 0;
  const ask = async (): Promise<WishAnswer> => {
    asked++;
    return { kind: 'answered', status: 200, headers, body: Buffer.alloc(bytes) };
  };
  return { ask, count: () => asked };
}

test('cache: a script is asked for once, also by pages that want it at the same time', async () => {
  const cache = new RenderCache();
  const { ask, count } = server();
  await Promise.all([1, 2, 3].map(() => cache.get('http://a/x.js', 'script', now, ask)));
  await cache.get('http://a/x.js', 'script', now, ask);
  assert.equal(count(), 1);
  time += 86_400_000;
  await cache.get('http://a/x.js', 'script', now, ask);
  assert.equal(count(), 2, 'until it is too old');
});

test('cache: data is asked for each time, unless its server says how long it holds', async () => {
  const cache = new RenderCache();
  const [plain, dated] = [server(), server({ 'cache-control': 'max-age=60' })];
  for (let n = 0; n < 3; n++) {
    await cache.get('http://a/1', 'data', now, plain.ask);
    await cache.get('http://a/2', 'data', now, dated.ask);
  }
  assert.deepEqual([plain.count(), dated.count()], [3, 1]);
});

test('cache: what is refused is asked again; what is too much pushes out what was used long ago', async () => {
  const cache = new RenderCache();
  let refusals = 0;
  const no = async (): Promise<WishAnswer> => {
    refusals++;
    return { kind: 'refused', reason: 'no' };
  };
  for (let n = 0; n < 2; n++) await cache.get('http://a/no.js', 'script', now, no);
  assert.equal(refusals, 2);
  const { ask, count } = server({}, 15 << 20);
  for (const n of [1, 2, 3, 4, 1, 5]) await cache.get(`http://a/${n}.js`, 'script', now, ask);
  assert.equal(count(), 5);
  await cache.get('http://a/1.js', 'script', now, ask);
  assert.equal(count(), 5, 'the first was used in between');
  await cache.get('http://a/2.js', 'script', now, ask);
  assert.equal(count(), 6, 'the second went');
});

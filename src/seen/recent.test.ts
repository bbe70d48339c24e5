import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Recent } from './recent.ts';

it('recent: added or met within half its size: known; never added: never known', () => {
  const urls = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 });
  fc.assert(
    fc.property(urls, (history) => {
      const recent = new Recent(10);
      const added = new Set<number>();
      for (const [i, url] of history.entries()) {
        const isKnown = recent.has(String(url));
        if (isKnown) assert.ok(added.has(url));
        if (new Set(history.slice(Math.max(0, i - 5), i)).has(url)) assert.ok(isKnown);
        if (!isKnown) recent.add(String(url));
        added.add(url);
      }
    }),
  );
});

it('recent: more URLs than it holds: the oldest are forgotten', () => {
  const recent = new Recent(100);
  for (let i = 0; i < 1_000; i++) recent.add(String(i));
  const known = Array.from({ length: 1_000 }, (_, i) => recent.has(String(i)));
  assert.ok(known[999]);
  assert.ok(!known[0]);
  assert.ok(known.filter(Boolean).length <= 100);
});

it('recent: a vote counts for what is known, is kept as it grows old, and makes nothing known', () => {
  const recent = new Recent(10);
  assert.equal(recent.vote('a'), false);
  assert.equal(recent.has('a'), false);
  recent.add('a');
  recent.add('b');
  assert.equal(recent.vote('a'), true);
  for (const url of ['c', 'd', 'e', 'f']) recent.add(url);
  assert.equal(recent.vote('a'), true, 'old by now');
  assert.deepEqual([recent.votesFor('a'), recent.votesFor('b'), recent.votesFor('x')], [3, 1, 0]);
  assert.deepEqual([...recent.voted()], ['a']);
});

it('recent: several votes at once count as many, none makes it no less known', () => {
  const recent = new Recent(10);
  recent.add('a');
  assert.deepEqual(
    [recent.vote('a', 3), recent.vote('a', 0), recent.vote('b', 0)],
    [true, true, false],
  );
  for (const url of ['c', 'd', 'e', 'f', 'g']) recent.add(url);
  assert.equal(recent.vote('a', 2), true, 'old by now');
  assert.equal(recent.votesFor('a'), 6);
});

it('recent: what is forgotten is new again, young or old, and takes nobody else’s votes', () => {
  const recent = new Recent(10);
  for (const url of ['a', 'b', 'c', 'd', 'e']) recent.add(url);
  recent.forget('a');
  recent.add('f');
  recent.forget('b');
  recent.forget('x');
  assert.deepEqual(
    ['a', 'b', 'c', 'x'].map((url) => recent.has(url)),
    [false, false, true, false],
  );
  assert.equal(recent.vote('a'), false);
  recent.add('a');
  recent.vote('a');
  assert.deepEqual([recent.votesFor('a'), recent.votesFor('f'), recent.votesFor('b')], [2, 1, 0]);
});

/** What the live numbers are made of: events out of a stream in pieces, rates out of counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Progress } from './api-types.ts';
import { EventReader } from './event-stream.ts';
import { hostAddress, routeOf, urlAddress } from './route.ts';
import { added, curve, ratesOf, type Sample } from './samples.ts';

const STREAM =
  'retry: 3000\n\nid: 1\nevent: progress\ndata: {"pages":1}\n\nevent: page\ndata: {}\n\n';

test('event stream: cut anywhere, it gives the same events', () => {
  const whole = new EventReader().read(STREAM);
  assert.deepEqual(whole, [
    { event: 'progress', data: '{"pages":1}' },
    { event: 'page', data: '{}' },
  ]);
  for (let cut = 0; cut < STREAM.length; cut++) {
    const reader = new EventReader();
    const pieces = [STREAM.slice(0, cut), STREAM.slice(cut)].flatMap((text) => reader.read(text));
    assert.deepEqual(pieces, whole, `cut at ${cut}`);
  }
});

test('event stream: an event without an end is given up', () => {
  const reader = new EventReader();
  assert.throws(() => reader.read('x'.repeat(1_000_001)), RangeError);
});

function after(samples: readonly Sample[], seconds: number, pages: number): readonly Sample[] {
  const now = new Date(1e12 + seconds * 1_000).toISOString();
  return added(samples, { now, pages, bytes: pages * 100 } as Progress);
}

test('rates: a service that was started again begins a new curve', () => {
  const before = after(after([], 0, 10), 1, 30);
  assert.deepEqual(ratesOf(before), { pages: 20, bytes: 2_000 });
  assert.deepEqual(curve(before, 'pages')[1], [20]);
  const again = after(before, 2, 5);
  assert.equal(again.length, 1);
  assert.deepEqual(ratesOf(again), { pages: 0, bytes: 0 });
});

test('addresses: any host and any URL come back as they went in', () => {
  for (const text of ['a.test:80', 'http://x/?a=b#c/%2F"><', 'ünï/ ☃', '%']) {
    assert.deepEqual(routeOf(hostAddress(text)), { page: 'host', host: text });
    assert.deepEqual(routeOf(urlAddress(text)), { page: 'url', url: text });
  }
  assert.deepEqual(routeOf('#/url/%'), { page: 'url', url: '%' });
  assert.deepEqual(routeOf('#/nowhere'), { page: 'unknown' });
  assert.deepEqual(routeOf(''), { page: 'overview' });
});

/** The feed of events (A5) under the test's own clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECOND_MS } from '../../base/instant.ts';
import { blankRecord } from '../../record/index.ts';
import { FakeClock } from '../cli/fake-world.test.ts';
import { Feed } from './feed.ts';

function listener(takes = Number.POSITIVE_INFINITY) {
  const heard: string[] = [];
  const write = (text: string) => heard.push(text) <= takes;
  const events = () => heard.flatMap((text) => /^event: (\w+)$/m.exec(text)?.[1] ?? []);
  return { sink: { write, end: () => void heard.push('end') }, heard, events };
}

test('feed: progress at once and every second, at most ten pages of it', async () => {
  const clock = new FakeClock();
  const feed = new Feed(clock, () => ({ pages: 1 }));
  const { sink, events } = listener();
  feed.join(sink);
  assert.deepEqual(events(), ['progress']);
  for (let i = 0; i < 25; i++) feed.notePage(blankRecord(`http://a.test/${i}`, 1));
  await clock.pass(SECOND_MS);
  assert.deepEqual(events(), ['progress', 'progress', ...Array(10).fill('page')]);
  await clock.pass(SECOND_MS);
  assert.equal(events().length, 13);
});

test('feed: who is cut off is forgotten, the others go on', async () => {
  const clock = new FakeClock();
  const feed = new Feed(clock, () => ({}));
  const [deaf, good] = [listener(2), listener()];
  feed.join(deaf.sink);
  feed.join(good.sink);
  await clock.pass(SECOND_MS);
  assert.equal(feed.listeners, 1);
  await clock.pass(SECOND_MS);
  assert.equal(good.events().length, 3);
  feed.close();
  assert.deepEqual([feed.listeners, good.heard.at(-1)], [0, 'end']);
});

test('feed: while nobody listens nothing is kept', async () => {
  const clock = new FakeClock();
  const feed = new Feed(clock, () => ({}));
  feed.notePage(blankRecord('http://a.test/', 1));
  const { sink, events } = listener();
  const leave = feed.join(sink);
  await clock.pass(SECOND_MS);
  leave();
  await clock.pass(SECOND_MS);
  assert.deepEqual(events(), ['progress', 'progress']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchEvent } from '../events/index.ts';
import type { EventSearch } from '../ports/event-search.ts';
import { timelineOf, versionsOf } from './survey-history.ts';

function event(nth: number, startedAt: number, more: Partial<FetchEvent> = {}): FetchEvent {
  return {
    ...{ v: 1, id: String(nth), kind: 'page', url: 'http://a.test/', host: 'a.test' },
    ...{ address: '', startedAt, answeredAt: startedAt, endedAt: startedAt + 5, delayMs: 100 },
    ...{ status: 200, bytes: 10, urlHash: '', ...more },
  };
}

/** A log of which the search is right; the folder's own is tested beside it. */
function logOf(events: readonly FetchEvent[]): EventSearch {
  return {
    async search(mention, _bytes, take) {
      for (const one of events) if (JSON.stringify(one).includes(mention)) take(one);
      return { since: events[0]?.startedAt, isWhole: true };
    },
  };
}

test('timeline: requests of an hour: at most 61 steps that add up, failures and pauses apart', async () => {
  const hour = 3_600_000;
  const events = Array.from({ length: 500 }, (_, nth) =>
    event(nth, 1e12 + (nth * hour) / 500, nth % 10 === 0 ? { status: 503, delayMs: 9_000 } : {}),
  );
  const told = await timelineOf(logOf(events), 'a.test', 1e12 + hour);
  assert.ok(told.steps.length <= 61 && told.steps.length > 50);
  const sum = (of: 'fetched' | 'failed' | 'bytes') =>
    told.steps.reduce((all, step) => all + step[of], 0);
  assert.deepEqual([sum('fetched'), sum('failed'), sum('bytes')], [450, 50, 5_000]);
  assert.equal(Math.max(...told.steps.map(({ pauseMsMax }) => pauseMsMax)), 9_000);
  assert.equal(told.events.length, 30);
  assert.equal(told.events[0]?.id, '499');
});

test('timeline: a host that the log has not, or a clock that went back: no step is lost', async () => {
  assert.deepEqual((await timelineOf(logOf([]), 'a.test', 1e12)).steps, []);
  const ahead = await timelineOf(logOf([event(1, 2e12)]), 'a.test', 1e12);
  assert.equal(
    ahead.steps.reduce((all, { fetched }) => all + fetched, 0),
    1,
  );
});

test('versions: a URL told twice, a robots.txt, a longer URL: each visit once, newest first', async () => {
  const events = [
    event(1, 1),
    event(2, 2),
    event(2, 2),
    event(3, 3, { kind: 'robots' }),
    event(4, 4, { url: 'http://a.test/longer' }),
    event(5, 5, { redirectTo: 'http://a.test/' }),
  ];
  const { events: found } = await versionsOf(logOf(events), 'http://a.test/');
  assert.deepEqual(
    found.map(({ id }) => id),
    ['5', '2', '1'],
  );
});

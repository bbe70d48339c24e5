import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/instant.ts';
import { HOST_CLASSES, HOST_FLAGS, type HostClass } from '../record/index.ts';
import {
  type KnownPage,
  type NextVisit,
  POLICIES,
  Recrawl,
  type RecrawlPolicy,
  type SeenHost,
} from './index.ts';

const NOW = Date.UTC(2030, 0, 1);

function policy(more: Partial<RecrawlPolicy> = {}): RecrawlPolicy {
  return { name: 'halving', budget: undefined, classes: new Map(), ...more };
}

function aHost(more: Partial<SeenHost> = {}): SeenHost {
  const unknown = { hostClass: 'unknown', changeMs: 0, watchedMs: 0, flags: 0 } as const;
  return { host: 'a.example', quality: 0.5, ...unknown, ...more };
}

/** Visits one page at the instants that the policy names; answers the pauses between them. */
function follow(
  recrawl: Recrawl,
  host: SeenHost,
  priority: number,
  visits: number,
  changes: (visit: number) => boolean,
): { pauses: number[]; last: KnownPage } {
  let now = NOW;
  let before: KnownPage | undefined;
  const pauses: number[] = [];
  for (let visit = 0; visit < visits; visit++) {
    const changed = before === undefined ? undefined : changes(visit);
    const next = recrawl.next({ now, host, priority, before, changed });
    before = pageAfter(next, priority, now, visit + 1);
    pauses.push(next.nextCrawlAt - now);
    now = next.nextCrawlAt;
  }
  return { pauses, last: before as KnownPage };
}

function pageAfter(next: NextVisit, priority: number, lastFetchedAt: number, visits: number) {
  const { intervalMs, rateShape, rateMs } = next;
  return { priority, lastFetchedAt, intervalMs, visits, rateShape, rateMs };
}

test('halving: a page that never changes is given half as long again, up to 30 days', () => {
  const host = aHost({ changeMs: 10 * DAY_MS, watchedMs: 1e15 });
  const { pauses } = follow(new Recrawl(policy()), host, 0.3, 8, () => false);
  const days = pauses.map((ms) => ms / DAY_MS);
  assert.deepEqual(days, [7, 10.5, 15.75, 23.625, 30, 30, 30, 30]);
});

test('halving: a page that always changes is halved down to its floor', () => {
  const host = aHost({ changeMs: 10 * DAY_MS, watchedMs: 1e15 });
  const { pauses } = follow(new Recrawl(policy()), host, 0.5, 12, () => true);
  assert.equal(pauses[0], 7 * DAY_MS);
  assert.equal(pauses[11], 23 * HOUR_MS, 'it changes often enough for tier 2');
});

test('halving: a top page is visited within 24 hours whatever it does, and within the hour if quick', () => {
  const sleepy = aHost({ hostClass: 'dormant', changeMs: 200 * DAY_MS, watchedMs: 1e15 });
  const still = follow(new Recrawl(policy()), sleepy, 0.9, 20, () => false);
  assert.ok(still.pauses.every((ms) => ms <= DAY_MS));
  const busy = aHost({ hostClass: 'news', changeMs: HOUR_MS, watchedMs: 1e15 });
  const quick = follow(new Recrawl(policy()), busy, 0.9, 20, () => true);
  assert.ok(quick.pauses.slice(10).every((ms) => ms <= HOUR_MS));
});

test('classes: a host whose pages change all the time becomes news, a still one dormant', () => {
  const news = aHost();
  const still = aHost();
  for (let page = 0; page < 20; page++) {
    follow(new Recrawl(policy()), news, 0.5, 30, () => true);
    follow(new Recrawl(policy()), still, 0.3, 30, () => false);
  }
  assert.equal(news.hostClass, 'news');
  assert.equal(still.hostClass, 'dormant');
  for (let page = 0; page < 200; page++) {
    follow(new Recrawl(policy()), news, 0.3, 30, () => false);
  }
  assert.notEqual(news.hostClass, 'news', 'what was learned can be unlearned');
});

test('classes: an operator’s word holds as long as it stands, and is learned over afterwards', () => {
  const host = aHost({ changeMs: 10 * DAY_MS, watchedMs: DAY_MS });
  const classes = new Map<string, HostClass>([['a.example', 'news']]);
  const { pauses } = follow(new Recrawl(policy({ classes })), host, 0.3, 10, () => false);
  assert.equal(host.hostClass, 'news');
  assert.ok((host.flags & HOST_FLAGS.class_set) !== 0);
  assert.ok(pauses.every((ms) => ms >= 10 * MINUTE_MS && ms <= 6 * HOUR_MS));
  follow(new Recrawl(policy()), host, 0.3, 2, () => false);
  assert.equal(host.hostClass, 'generic');
  assert.equal(host.flags & HOST_FLAGS.class_set, 0);
});

test('budget: what a policy asks for a day comes to what it is given', () => {
  for (const name of ['halving', 'optimal', 'uniform'] as const) {
    const recrawl = new Recrawl(policy({ name, budget: { perDay: 100 } }));
    const host = aHost({ changeMs: DAY_MS, watchedMs: 1e15 });
    const pages: KnownPage[] = [];
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n < 1_000; n++) {
        const before = pages[n];
        const now = before === undefined ? NOW : before.lastFetchedAt + DAY_MS;
        const priority = 0.05 + (n % 10) / 20;
        const changed = before === undefined ? undefined : (n + round) % 3 === 0;
        const next = recrawl.next({ now, host, priority, before, changed });
        pages[n] = pageAfter(next, priority, now, round + 1);
      }
    }
    const { pages: counted, perDay } = recrawl.demand;
    assert.equal(counted, 1_000, `${name} counts each page once`);
    if (name !== 'halving') assert.ok(perDay <= 125 && perDay >= 80, `${name}: ${perDay} of 100`);
  }
});

test('intervals: never in the past and never for ever, whatever clock, record and host say', () => {
  const instant = fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.constant(Date.UTC(3000, 0, 1)));
  const odd = fc.oneof(fc.nat(), fc.constant(0), fc.double({ min: 0, max: 1e15, noNaN: true }));
  const known = fc.record({
    ...{ priority: fc.double({ min: 0, max: 1, noNaN: true }), lastFetchedAt: instant },
    ...{ intervalMs: odd, visits: fc.nat(), rateShape: odd, rateMs: odd },
  });
  const hosts = fc.record({
    ...{ host: fc.constant('a.example'), quality: fc.double({ min: 0, max: 1, noNaN: true }) },
    ...{ hostClass: fc.constantFrom(...HOST_CLASSES), changeMs: odd, watchedMs: odd },
    flags: fc.nat(31),
  });
  const visits = fc.array(fc.record({ now: instant, changed: fc.option(fc.boolean()) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...POLICIES),
      fc.option(fc.integer({ min: 1, max: 1e6 })),
      known,
      hosts,
      visits,
      (name, perDay, page, host, seen) => {
        const budget = perDay === null ? undefined : { perDay };
        const recrawl = new Recrawl(policy({ name, budget }));
        let before: KnownPage = page;
        for (const { now, changed } of seen) {
          const known = changed ?? undefined;
          const next = recrawl.next({ now, host, priority: 0.5, before, changed: known });
          const pauseMs = next.nextCrawlAt - now;
          assert.ok(pauseMs >= 10 * MINUTE_MS - 1 && pauseMs <= 366 * DAY_MS, `${pauseMs} ms`);
          assert.ok(next.rateShape >= 0 && Number.isFinite(next.rateShape));
          assert.ok(next.rateMs >= 0 && Number.isFinite(next.rateMs));
          assert.ok(next.intervalMs > 0 && Number.isFinite(next.intervalMs));
          before = pageAfter(next, 0.5, now, before.visits + 1);
        }
      },
    ),
  );
});

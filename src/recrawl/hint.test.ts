import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import { Allowance, bestFirst, isSameButNoise, nextLookAtDead, pulledForward } from './index.ts';

const NOW = Date.UTC(2030, 0, 1);
const KNOWN = { lastFetchedAt: NOW - 10 * DAY_MS, nextCrawlAt: NOW + 20 * DAY_MS };

test('lastmod: a page that changed since its last visit is due at once', () => {
  assert.equal(pulledForward(KNOWN, NOW - DAY_MS, 3, NOW), NOW);
});

test('lastmod: one that tells nothing new, or of the year 3000, changes nothing', () => {
  assert.equal(pulledForward(KNOWN, NOW - 11 * DAY_MS, 3, NOW), undefined);
  assert.equal(pulledForward(KNOWN, Date.UTC(3000, 0, 1), 3, NOW), undefined);
  assert.equal(pulledForward(KNOWN, Number.NaN, 3, NOW), undefined);
  assert.equal(pulledForward({ ...KNOWN, nextCrawlAt: 0 }, NOW, 3, NOW), undefined);
});

test('lastmod: a sitemap that always says now costs no more than the tier', () => {
  for (const [tier, pauseMs] of [
    [1, HOUR_MS],
    [2, DAY_MS],
    [3, 7 * DAY_MS],
  ] as const) {
    let [visits, lastFetchedAt, nextCrawlAt] = [0, NOW, NOW + 30 * DAY_MS];
    for (let now = NOW; now < NOW + 60 * DAY_MS; now += HOUR_MS / 4) {
      if (now >= nextCrawlAt) {
        visits++;
        [lastFetchedAt, nextCrawlAt] = [now, now + 30 * DAY_MS];
      }
      nextCrawlAt = pulledForward({ lastFetchedAt, nextCrawlAt }, now, tier, now) ?? nextCrawlAt;
    }
    assert.ok(visits <= (1.1 * 60 * DAY_MS) / pauseMs, `tier ${tier}: ${visits} visits`);
    assert.ok(visits >= (0.8 * 60 * DAY_MS) / pauseMs, `tier ${tier}: ${visits} visits`);
  }
});

test('lastmod: never pulled into the past, nor pushed back', () => {
  const instant = fc.integer({ min: 1, max: 4e13 });
  fc.assert(
    fc.property(instant, instant, instant, instant, (lastFetchedAt, nextCrawlAt, lastmod, now) => {
      const at = pulledForward({ lastFetchedAt, nextCrawlAt }, lastmod, 2, now);
      if (at !== undefined) assert.ok(at >= now && at < nextCrawlAt);
    }),
  );
});

test('dead: looked at less and less for 30 days, once on the last, then never (F8)', () => {
  const looks: number[] = [];
  let [now, intervalMs] = [NOW, 0];
  for (;;) {
    const next = nextLookAtDead(NOW, intervalMs, now);
    if (next.nextCrawlAt === 0) break;
    assert.ok(next.nextCrawlAt > now);
    looks.push((next.nextCrawlAt - NOW) / DAY_MS);
    [now, intervalMs] = [next.nextCrawlAt, next.intervalMs];
  }
  assert.equal(looks[0], 1);
  assert.equal(looks.at(-1), 30);
  assert.ok(looks.length <= 8, `${looks.length} looks`);
});

test('dead: a death in the future, by a clock that went backwards, begins today', () => {
  const { nextCrawlAt } = nextLookAtDead(NOW + 1_000 * DAY_MS, 0, NOW);
  assert.equal(nextCrawlAt, NOW + DAY_MS);
});

test('allowance: a day has its visits and no more, however they are asked for', () => {
  for (const perDay of [10, 1_000, 100_000]) {
    const allowance = new Allowance();
    let spent = 0;
    for (let now = NOW; now < NOW + 10 * DAY_MS; now += 7 * 60_000) {
      const some = Math.min(allowance.left(now, perDay), 500);
      allowance.spend(some);
      spent += some;
    }
    const max = Math.min(perDay * 10, 500 * 10 * 206);
    assert.ok(spent <= max * 1.01 + 1 && spent >= max * 0.95, `${spent} of ${max}`);
  }
});

test('allowance: what was not spent is kept for an hour; a clock that goes back gives nothing', () => {
  const allowance = new Allowance();
  allowance.left(NOW, 2_400);
  assert.equal(allowance.left(NOW + 9 * DAY_MS, 2_400), 100);
  allowance.spend(100);
  assert.equal(allowance.left(NOW, 2_400), 0);
  assert.equal(allowance.left(NOW + HOUR_MS / 2, 2_400), 50);
});

test('allowance: top pages go into debt, up to a bound, and the others pay it', () => {
  const allowance = new Allowance();
  assert.equal(allowance.left(NOW, 24), 1);
  const tops = allowance.leftForTop(NOW, 24);
  assert.ok(tops >= 10 && tops <= 12, `${tops}`);
  allowance.spend(tops);
  assert.equal(allowance.left(NOW, 24), 0);
  assert.equal(allowance.leftForTop(NOW, 24), 0);
  assert.equal(allowance.left(NOW + 8 * HOUR_MS, 24), 0, 'still in debt');
  assert.equal(allowance.left(NOW + 12 * HOUR_MS, 24), 1);
});

test('over budget: the urgent first, then who has waited longest', () => {
  const rows = [
    { urgency: 3, dueAt: 1 },
    { urgency: 1, dueAt: 9 },
    { urgency: 2, dueAt: 5 },
    { urgency: 2, dueAt: 4 },
  ];
  assert.deepEqual(
    bestFirst(rows).map(({ dueAt }) => dueAt),
    [9, 4, 5, 1],
  );
});

test('noise: a few words are noise, a sentence is a change, and no fingerprint says nothing', () => {
  const prints = (simhash: bigint, pairs: bigint) => ({ simhash, pairs });
  assert.equal(isSameButNoise(prints(0b1111n, 3n), prints(0b1000n, 0n)), true);
  assert.equal(isSameButNoise(prints(0b11111n, 7n), prints(0b10000n, 7n)), false);
  assert.equal(isSameButNoise(prints(1n, 7n), prints(1n, 0n)), false);
  assert.equal(isSameButNoise(prints(0n, 0n), prints(0n, 0n)), false);
});

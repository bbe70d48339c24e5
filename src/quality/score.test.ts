import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../base/instant.ts';
import { claimOf, freshnessOf, type LinkFacts, priorityOf, SEED_PRIORITY } from './score.ts';

const part = fc.double({ min: 0, max: 1, noNaN: true });
const links: fc.Arbitrary<LinkFacts> = fc.record({
  context: fc.nat(255),
  parentPriority: part,
  depth: fc.nat(20),
  ageMs: fc.option(fc.double({ min: 0, max: 3_000 * DAY_MS, noNaN: true }), { nil: undefined }),
});
const rated = fc.double({ min: 0.004, max: 1, noNaN: true });
const PERFECT: LinkFacts = { context: 255, depth: 0, parentPriority: 1 };

/** What F2 says, without the two bytes in between. */
function plain(link: LinkFacts, authority: number, votes = 1): number {
  const context = (0.4 * link.context) / 255 + 0.6 * (1 - 1 / Math.sqrt(votes));
  const sum = 0.4 * authority + 0.3 * freshnessOf(link.ageMs) + 0.3 * context;
  return sum * 0.92 ** link.depth * (0.6 + 0.4 * link.parentPriority) * (link.suspicion ?? 1);
}

test('score: a claim gives the priority of F2 for any authority, to within half a step', () => {
  fc.assert(
    fc.property(links, rated, fc.integer({ min: 1, max: 1_000 }), (link, authority, votes) => {
      const scored = priorityOf(claimOf(link), authority, votes);
      assert.ok(scored >= 0 && scored <= 1);
      assert.ok(Math.abs(scored - plain(link, authority, votes)) < 0.004);
    }),
  );
});

test('score: nothing gains by a worse host, a worse place, more depth or a worse parent', () => {
  fc.assert(
    fc.property(links, part, part, (link, authority, less) => {
      const own = priorityOf(claimOf(link), authority);
      assert.ok(priorityOf(claimOf(link), authority * less) <= own);
      const worse: Partial<LinkFacts>[] = [
        { depth: link.depth + 1 },
        { context: Math.floor(link.context * less) },
        { parentPriority: link.parentPriority * less },
        { ageMs: (link.ageMs ?? 0) + DAY_MS },
      ];
      for (const change of worse) {
        assert.ok(priorityOf(claimOf({ ...link, ...change }), authority) <= own);
      }
    }),
  );
});

test('score: perfect links from a thousand pages are worth nearly as much as the best seed', () => {
  assert.ok(priorityOf(claimOf(PERFECT), 1, 1_000) > 0.99 * SEED_PRIORITY.high);
  assert.ok(priorityOf(claimOf(PERFECT), 1, 1_000_000) <= SEED_PRIORITY.high);
});

test('score: unknown and single votes are alike, and more votes are never worth less', () => {
  const of = (votes: number) => priorityOf(claimOf(PERFECT), 0.5, votes);
  assert.equal(of(0), of(1));
  for (let votes = 1; votes < 300; votes++) assert.ok(of(votes + 1) > of(votes));
});

test('score: a URL that looks like a trap is worth a tenth', () => {
  const own = priorityOf(claimOf(PERFECT), 0.5);
  const trap = priorityOf(claimOf({ ...PERFECT, suspicion: 0.1 }), 0.5);
  assert.ok(Math.abs(trap - own / 10) < 0.004);
});

test('score: a starved host gets a tenth of what its links say, and nothing for itself', () => {
  const merit = priorityOf(claimOf(PERFECT), 0.004) - 0.4 * 0.004;
  assert.ok(Math.abs(priorityOf(claimOf(PERFECT), 0) - merit / 10) < 0.001);
});

test('score: the worst link there is still has a claim, so that a rating can move it', () => {
  const worst = { context: 0, depth: 10_000, parentPriority: 0, suspicion: 0.1, ageMs: Infinity };
  assert.notEqual(claimOf(worst), 0);
});

test('score: freshness halves in 180 days, and a clock that ran backwards means new', () => {
  assert.equal(freshnessOf(undefined), 1);
  assert.equal(freshnessOf(-5), 1);
  assert.equal(freshnessOf(180 * DAY_MS), 0.5);
  assert.equal(freshnessOf(Infinity), 0);
});

const AT_HALF: readonly (readonly [situation: string, link: LinkFacts, priority: number])[] = [
  ['a link in the text of a seed', { context: 255, depth: 1, parentPriority: 0.8 }, 0.525],
  ['a link in its navigation', { context: 82, depth: 1, parentPriority: 0.8 }, 0.455],
  ['four links from a seed', { context: 255, depth: 4, parentPriority: 0.55 }, 0.365],
];

for (const [situation, link, priority] of AT_HALF) {
  test(`score: ${situation} to an unrated host: ${priority}`, () => {
    assert.ok(Math.abs(priorityOf(claimOf(link), 0.5) - priority) < 0.01);
  });
}

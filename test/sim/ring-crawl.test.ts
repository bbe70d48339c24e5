/**
 * Whole crawls on a ring in trouble (ring-crawl.ts): a few seeds of those that
 * `npm run sim -- ring-crawl --seeds 1000` runs, and each planted bug, noticed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ringCrawl } from './ring-crawl.ts';
import { BUGS } from './ring-crawl-bugs.ts';

for (const seed of ['1', '2', '28']) {
  test(`ring crawl, seed ${seed}: K − 1 failures at once lose nothing and hurry nobody`, () => {
    const { world, faults, isOver } = ringCrawl({ nodes: 10, seed, mode: 'sync-on-accept' });
    const { checks } = world;
    assert.equal(isOver, true, 'it comes to an end');
    assert.deepEqual(checks.notes, []);
    assert.equal(checks.coverage, 1);
    assert.ok(checks.duplicates < 0.1 * world.web.pages, `${checks.duplicates} asked twice`);
    assert.ok(faults.crashes + faults.freezes + faults.cuts > 2, 'and it was not spared');
  });
}

test('ring crawl: the same seed, the same crawl', () => {
  const figures = () => {
    const { world } = ringCrawl({ nodes: 6, seed: '5', mode: 'full', blows: 2 });
    return [world.net.now, world.net.messages, world.net.bytes, world.checks.takeovers];
  };
  assert.deepEqual(figures(), figures());
});

const CAUGHT: Readonly<Record<string, { readonly seed: string; readonly by: string }>> = {
  'epoch-check-off': { seed: '5', by: 'rivals' },
  'early-ack': { seed: '4', by: 'forgotten' },
  'lost-hand-over': { seed: '1', by: 'forgotten' },
  'early-promotion': { seed: '1', by: 'rivals' },
  'turn-forgotten': { seed: '1', by: 'early' },
};

for (const [name, bug] of Object.entries(BUGS)) {
  test(`ring crawl: a planted bug is noticed: ${bug.what}`, () => {
    const { seed, by } = CAUGHT[name] as (typeof CAUGHT)[string];
    const { checks } = ringCrawl({ nodes: 12, seed, mode: 'sync-on-accept', bug }).world;
    const { early, rivals, forgotten } = checks;
    assert.ok({ early, rivals, forgotten }[by], `${by}: ${checks.notes.join('; ')}`);
  });
}

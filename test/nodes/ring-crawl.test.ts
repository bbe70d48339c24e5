/**
 * A ring of three `orb ring` processes crawls the test web, and one of them is killed on the way
 * (D4, D7, P5): seeds by `orb crawl --ring`, which ends when nothing is left to do anywhere.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOrb, waitForRequests } from '../kit/index.ts';
import { RingCrawl } from '../kit/ring-crawl.ts';

const WEB = { hosts: 10, pages: 100, delayMs: 150 };
const KILLED_AT = 40;
/** What the killed node had fetched and not yet told: a second of its hosts, and what was under way. */
const AGAIN_MAX = 100;

test('ring: one of three nodes is killed as they crawl: everything is found, no host before its turn', async (t) => {
  const crawl = await RingCrawl.begin(t, { nodes: 3, ...WEB, flags: ['--ring-term', '3s'] });
  const { web, ring, first } = crawl;
  const seeding = ['crawl', web.start, '--scope', 'any', '--ring', `${first.at}/`, '--json'];
  const run = startOrb(t, seeding);
  assert.ok(await waitForRequests(web, KILLED_AT, () => run.isOver), run.stderr);
  const victim = ring.nodes.at(-1);
  assert.ok(victim);
  await ring.kill(victim);
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  ring.assertAlive();
  const { state, waiting } = JSON.parse(stdout) as { state: string; waiting: number };
  assert.deepEqual([state, waiting], ['done', 0]);
  t.diagnostic(crawl.verify(AGAIN_MAX));
});

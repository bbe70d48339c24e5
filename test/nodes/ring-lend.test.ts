/**
 * A node that owns half of the circle and has few hands lends requests to its replicas (D6): three
 * `orb ring` processes, a hot host beside small ones, slow answers, and the web's own log as the
 * witness that no host is asked before its turn, whoever is killed on the way (P5).
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startOrb, waitForRequests } from '../kit/index.ts';
import type { RingNode } from '../kit/ring.ts';
import { RingCrawl } from '../kit/ring-crawl.ts';

const WEB = { hosts: 16, pages: 80, hot: 10, delayMs: 200, latencyMs: 400 };
const HANDS = [2, 24, 24];
/** The first owns from 0x00 to 0x80. */
const PLACES = [0x83, 0xc0, 0xff];
const KILLED_AT = 40;
/** A second of what was fetched and not yet told, what was under way, and what was lent. */
const AGAIN_MAX = 60;

async function crawlWith(t: TestContext, victim: (nodes: readonly RingNode[]) => RingNode) {
  const livesOf = (nth: number) => ({
    place: PLACES[nth - 1] as number,
    flags: ['--concurrency', `${HANDS[nth - 1]}`],
  });
  const flags = ['--ring-term', '6s'];
  const crawl = await RingCrawl.begin(t, { nodes: 3, ...WEB, flags, livesOf });
  const { web, ring, first } = crawl;
  const seeding = ['crawl', web.start, '--scope', 'any', '--json'];
  const killed = victim(ring.nodes);
  const other = ring.nodes.find((node) => node !== killed && node !== first) as RingNode;
  const run = startOrb(t, [...seeding, '--ring', `${other.at}/`]);
  assert.ok(await waitForRequests(web, KILLED_AT, () => run.isOver), run.stderr);
  await ring.watch();
  const lent = ring.counted('orb_ring_lent_total');
  await ring.kill(killed);
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  ring.assertAlive();
  await ring.watch();
  const { state, waiting } = JSON.parse(stdout) as { state: string; waiting: number };
  assert.deepEqual([state, waiting], ['done', 0]);
  const told = ['lent', 'borrowed'].map(
    (what) => `${what} ${ring.counted(`orb_ring_${what}_total`)}`,
  );
  t.diagnostic(`${crawl.verify(AGAIN_MAX)}; ${told.join(', ')}, ${lent} before the kill`);
  assert.ok(lent > 0, 'a replica fetched for the owner');
  return ring;
}

test('lent on a ring: a replica is killed with what it borrowed: everything is found, every turn kept', async (t) => {
  const ring = await crawlWith(t, ([, , third]) => third as RingNode);
  assert.ok(ring.counted('orb_ring_lent_ends_total', { end: 'settled' }) > 5);
});

test('lent on a ring: the owner is killed with loans out: everything is found, every turn kept', async (t) => {
  await crawlWith(t, ([owner]) => owner as RingNode);
});

/**
 * What helpers bring to an owner that is hot (D6): it owns half of the circle, all the hosts that
 * are crawled are there, and it has four hands. First it is alone; then two nodes join that get none of
 * these hosts, and are lent their turns. Answers take a second, so hands are what is short.
 *
 *   npm run test:full -- ring-lend
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import { hostKeyOf } from '../../src/record/index.ts';
import { arcOf, hostOf } from '../../src/url/index.ts';
import { judgeTurns } from '../kit/judged.ts';
import { RingCrawl } from '../kit/ring-crawl.ts';

const WEB = { hosts: 96, pages: 2_900, delayMs: 100, latencyMs: 1_000 };
const HANDS = [4, 64, 64];
/** The first keeps what is below 0x80. */
const PLACES = [0x83, 0xc0, 0xff];
const WINDOW_MS = 15_000;
const READY_MS_MAX = 240_000;

it('ring-lend: an owner with few hands is as fast as its hosts allow, with replicas that help', async (t) => {
  const livesOf = (nth: number) => ({
    place: PLACES[nth - 1] as number,
    flags: ['--concurrency', `${HANDS[nth - 1]}`],
  });
  const crawl = await RingCrawl.begin(t, { nodes: 1, ...WEB, livesOf });
  const { web, ring, first } = crawl;
  const all = web.web.hosts.map((_, nth) => web.web.urlOf(nth, 0));
  const urls = all.filter((url) => arcOf(hostKeyOf(hostOf(url))) < 32);
  await first.ask('/crawl/seeds', { urls, scope: 'host' });
  await until('it crawls', async () => crawl.requests > 2 * urls.length);
  const alone = await rateOf(crawl);
  while (ring.nodes.length < HANDS.length) await ring.join();
  await until('it lends', async () => {
    await ring.watch();
    return ring.counted('orb_ring_lent_total') > 2 * urls.length;
  });
  const before = ring.counted('orb_ring_lent_total');
  const helped = await rateOf(crawl);
  await ring.watch();
  const lent = (ring.counted('orb_ring_lent_total') - before) / (WINDOW_MS / 1_000);
  const lost = ring.counted('orb_ring_lent_ends_total', { end: 'lost' });
  t.diagnostic(
    `${urls.length} hosts: ${alone.toFixed(1)} requests/s alone, ${helped.toFixed(1)} with two replicas`,
  );
  t.diagnostic(`${lent.toFixed(1)} lent a second, ${lost} lost; ${judgeTurns(web, WEB.delayMs)}`);
  assert.ok(helped > 2 * alone);
});

async function rateOf(crawl: RingCrawl): Promise<number> {
  const [from, began] = [crawl.requests, performance.now()];
  await pass(WINDOW_MS);
  return (1_000 * (crawl.requests - from)) / (performance.now() - began);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const last = Date.now() + READY_MS_MAX;
  for (; !(await isSo()); await pass(500)) assert.ok(Date.now() < last, `not so: ${what}`);
}

/**
 * A ring of processes crawls while it is beaten: kill -9 of two nodes every 20 s and fresh joins,
 * one stopped for a minute that returns, a partition (D4, D5, D7, P5). Judged by the web's own log:
 * nothing is lost, no host is asked before its turn or by two at once, whoever asks.
 *
 *   npm run test:full -- ring-crawl [--pages 20000 --hosts 400 --nodes 8 --minutes 5 --seed N]
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { RingCrawl, stateOf } from '../kit/ring-crawl.ts';
import { blowsOn } from '../kit/ring-faults.ts';
import { choice } from './choice.ts';

const { isSmall, size, seed, nodes } = choice;
const minutes = choice.minutes ?? (isSmall ? 2 : 5);
const SLOT_MS = 20_000;
const SLOTS = Math.round((minutes * 60_000) / SLOT_MS);
/** So slow that pages are left until the last blow: one host's, one after the other. */
const DELAY_MS = Math.round((1.1 * minutes * 60_000) / (size.pages / size.hosts));
/** Requests of a node that nobody else can know of when it dies. */
const UNDER_WAY = 64;

it(`ring-crawl: ${nodes} nodes beaten for ${minutes} minutes find all, in turn`, async (t) => {
  const chance = seededRandom(seed);
  const crawl = await RingCrawl.begin(t, { ...size, nodes, delayMs: DELAY_MS });
  const { ring } = crawl;
  const began = Date.now();
  const tell = (line: string) => {
    const at = ((Date.now() - began) / 1_000).toFixed(0);
    process.stderr.write(`  ${at} s, ${percent(crawl.share)}: ${line}\n`);
  };
  await crawl.seed();
  const watching = setInterval(
    () => void watch(crawl, tell).catch((error: Error) => tell(error.message)),
    WATCH_MS,
  );
  t.after(() => clearInterval(watching));
  // Beaten from its first page on, a crawl only begins when that is over.
  await crawl.after(0.02);
  const plan = { slots: SLOTS, slotMs: SLOT_MS, chance: () => chance.next(), tell };
  const blows = await blowsOn(ring, plan);
  const done = percent(crawl.share);
  t.diagnostic(`blows: ${JSON.stringify(blows)}, until ${done} of the crawl; seed ${seed}`);
  await crawl.finish(tell);
  await ring.watch();
  const stale = (side: string) => ring.counted('orb_ring_stale_writes_total', { side });
  t.diagnostic(`stale writes refused: ${stale('refused')}, told so: ${stale('told')}`);
  const [owners, losses] = ['elections', 'losses'].map((of) =>
    ring.counted(`orb_ring_${of}_total`),
  );
  t.diagnostic(`owners of arcs: ${owners}, those that lost the right: ${losses}`);
  const againMax = UNDER_WAY * (blows.killed + blows.stopped) + size.hosts;
  t.diagnostic(`${crawl.verify(againMax)}, pause ${DELAY_MS} ms`);
  t.diagnostic(`${((Date.now() - began) / 1_000).toFixed(0)} s in all`);
  const isRefused = stale('refused') + stale('told') > 0;
  assert.ok(blows.stopped === 0 || isRefused, 'who returned was refused');
});

const WATCH_MS = 5_000;

/** What nodes have counted is asked for as they live. */
async function watch(crawl: RingCrawl, tell: (line: string) => void): Promise<void> {
  await crawl.ring.watch();
  const state = stateOf(await crawl.ring.seen(crawl.ring.nodes.at(-1)));
  tell(`${crawl.requests} requests, ${JSON.stringify(state)}`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}

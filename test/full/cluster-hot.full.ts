/**
 * A hot host beside small ones on three nodes, and its arc is split in halves and quarters while it is
 * crawled, by the API as an operator does it: nothing is lost, doubled or asked too soon, and the small
 * hosts are done long before it (F8, K4).
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { arcOf, hostKey } from '../../src/url/index.ts';
import { ClusterCrawl } from '../kit/cluster-crawl.ts';
import { ownEngines } from '../kit/cluster-own.ts';
import { choice } from './choice.ts';

const { size, hot } = choice;
const PLAN = { ...size, pages: Math.min(size.pages, 20 * size.hosts), skew: 0, hot };
const PACE = { delayMs: 20, termMs: 15_000 };

/** When the last page of a small host, and of all, was asked, in seconds. */
function endsOf({ web: { server } }: ClusterCrawl): {
  readonly small: number;
  readonly all: number;
} {
  const { host, at, count } = server.log.columns();
  const ends = { small: 0, all: 0 };
  for (let row = 0; row < count; row++) {
    const second = ((at[row] as number) - (at[0] as number)) / 1_000;
    ends.all = Math.max(ends.all, second);
    if (host[row] !== 0) ends.small = Math.max(ends.small, second);
  }
  return ends;
}

it('cluster-hot: a hot host holds nobody up, and its arc is split meanwhile', async (t) => {
  const crawl = await ClusterCrawl.begin(t, { ...PLAN, ...PACE }, await ownEngines(t, 'postgres'));
  const arc = arcOf(hostKey(crawl.web.web.hosts[0]?.name ?? ''));
  const parts: number[] = [];
  const split = async (one: number) => {
    const answer = await crawl.first.ask(`/shards/${one}/split`, null);
    assert.equal(answer.parts.length, 2, JSON.stringify(answer));
    parts.push(...answer.parts);
    return answer.parts as number[];
  };
  await crawl.after(0.2);
  const halves = await split(arc);
  await crawl.after(0.4);
  for (const half of halves) await split(half);
  await crawl.finish();
  const { small, all } = endsOf(crawl);
  t.diagnostic(`arc ${arc} was split into ${parts.join(', ')}`);
  t.diagnostic(`small hosts were done after ${small.toFixed(0)} s, all after ${all.toFixed(0)} s`);
  t.diagnostic(crawl.verify());
  assert.ok(small < all / 2, 'the small hosts did not wait for the hot one');
});

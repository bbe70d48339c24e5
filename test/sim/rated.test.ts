/** Hosts are rated while a crawl goes on: the order changes, what is fetched does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryRunFiles } from '../../src/adapters/memory/run-files.ts';
import { MemoryShardStore } from '../../src/adapters/memory/shard-store.ts';
import { type CrawlNode, crawlingDesk, Ranking } from '../../src/crawl/index.ts';
import { gaps, judge, openWeb } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { simulate } from './local-crawl.ts';
import { heldBy, ordersOf } from './priority.ts';
import { waits } from './waiting.ts';

const SIZE = { hosts: 40, pages: 900, skew: 0.4, bodyBytes: 2_000 } as const;
const SCOPE = { scope: 'any' } as const;
const PAGES_PER_JOB = 60;

for (const rate of ['1', 'max'] as const) {
  test(`rated: a job every ${PAGES_PER_JOB} pages at rate ${rate}: each page once, no turn too soon`, async () => {
    const web = openWeb({ seed: 51, ...SIZE });
    const clock = new VirtualClock();
    const store = new MemoryShardStore();
    let ranking: Ranking | undefined;
    let pages = 0;
    const moved: Promise<number>[] = [];
    const { log, end } = await simulate({
      ...{ web, clock, store },
      options: { ...SCOPE, rate, allowPrivate: true },
      onNode: (node: CrawlNode) => {
        const desk = crawlingDesk(node.frontier, node.settling, node.recent, clock);
        const ports = { store, records: store, files: new MemoryRunFiles(), clock };
        const rules = () => ({ denies: false, trusted: new Set<string>() });
        ranking = new Ranking(ports, desk, { rules, everyMs: 1, share: 0.5 });
      },
      onPage: () => {
        const job = ++pages % PAGES_PER_JOB === 0 ? ranking?.run({}, pages) : undefined;
        if (job !== undefined) moved.push(job.then((report) => report.moved));
        return undefined;
      },
    });
    assert.equal(end, 'done');
    const sum = (await Promise.all(moved)).reduce((all, one) => all + one, 0);
    assert.ok(sum > 200, `${sum} URLs moved`);
    const verdict = judge(web, log, web.truth(SCOPE));
    assert.deepEqual([verdict.missing, verdict.stray, verdict.duplicates], [[], [], []]);
    assert.equal((await store.totals()).waiting, 0);
    if (rate === '1') for (const { smallestMs } of gaps(log)) assert.ok(smallestMs >= 1_000);
  });
}

test('priority: the first 10% and 30% of fetches hold at least 1.2 × what breadth-first holds', async (t) => {
  const orders = await ordersOf({ hosts: 60, pages: 4_000, seed: 4 });
  for (const share of [0.1, 0.3]) {
    const [plain, ours] = [heldBy(orders, 'breadth-first', share), heldBy(orders, 'ours', share)];
    t.diagnostic(`${share * 100}%: ${plain.toFixed(3)} and ${ours.toFixed(3)}`);
    assert.ok(ours >= 1.2 * plain, `${share}: ${ours} of ${plain}`);
    assert.ok(ours <= heldBy(orders, 'ideal', share), 'nothing beats the ideal order');
  }
  for (const urls of Object.values(orders.byName)) {
    assert.equal(new Set(urls).size, orders.importance.size, 'every order fetches all of it');
  }
});

test('waiting: beside more good URLs than can be fetched, the bad ones come within their bound', () => {
  const all = waits(400);
  assert.equal(all.length, 3 * 19 + 60);
  for (const { url, waitedDays, boundDays } of all) {
    assert.ok(waitedDays <= boundDays, `${url}: ${waitedDays} days of ${boundDays}`);
  }
  const waited = all.filter(({ priority }) => priority === 0.3).map((wait) => wait.waitedDays);
  assert.ok(Math.min(...waited) > 30, 'there was something to wait for');
});

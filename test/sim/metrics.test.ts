/** Metrics that take days to move, in virtual time: leases that end, pages that are overdue (O1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/base/instant.ts';
import { Scrape } from '../kit/index.ts';
import { type LittlePage, LittleWeb } from './little-web.ts';

const HOME = 'http://a.example/';
const BODY = '<title>a</title><p>words of a page<a href="/b">b</a><a href="/c">c</a>';

const page: LittlePage = () => ({ body: BODY });
const read = (web: LittleWeb): Scrape => new Scrape(web.metrics?.text() ?? '');

test('lease expiries: an answer that comes after its lease has ended counts once', async () => {
  let asked = 0;
  const stuck: LittlePage = () => ({ body: BODY, afterMs: asked++ === 0 ? 10 * MINUTE_MS : 5 });
  const web = new LittleWeb({ [HOME]: page, 'http://a.example/b': stuck });
  assert.equal(await web.crawl([HOME]), 'done');
  assert.equal(asked, 2, 'it was asked again');
  assert.equal(read(web).value('orb_lease_expiries_total'), 1);
  assert.equal(read(web).value('orb_fetches_total'), web.requests.length);
});

test('lease expiries: a crawl whose answers come in time has none', async () => {
  const web = new LittleWeb({ [HOME]: page });
  await web.crawl([HOME]);
  assert.equal(read(web).value('orb_lease_expiries_total'), 0);
});

test('recrawl lag: as long as the page that is most overdue, and gone once all are taken', async () => {
  const web = new LittleWeb({ [HOME]: page, 'http://a.example/b': page });
  await web.crawl([HOME]);
  const ended = web.clock.now();
  await web.clock.sleepUntil(ended + 60 * DAY_MS);
  const { nextCrawlAt } = await web.record(HOME);
  let late = 0;
  await web.crawl([HOME], { keepFresh: true, maxTime: '1h' }, async () => {
    await web.clock.sleepUntil(web.clock.now() + 10);
    late = read(web).value('orb_recrawl_lag_seconds');
    const overdue = (web.clock.now() - nextCrawlAt) / SECOND_MS;
    assert.ok(Math.abs(late - overdue) < 1, `${late} s, and it was due ${overdue} s ago`);
    await web.clock.sleepUntil(web.clock.now() + MINUTE_MS);
    assert.equal(read(web).value('orb_recrawl_lag_seconds'), 0);
  });
  assert.ok(late > 50 * (DAY_MS / SECOND_MS));
  const { count, sum } = read(web).histogram('orb_requeue_late_seconds');
  assert.equal(count, read(web).value('orb_requeued_total'));
  assert.ok(count >= 2 && sum >= late, `${count} were ${sum} s late together`);
});

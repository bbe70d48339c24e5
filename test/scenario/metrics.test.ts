/**
 * Metrics of a real crawl (O1): busy hosts, robots, redirects, copies, a trap and a soft 404, read
 * again and again while it runs by a Prometheus parser, and held against the servers' own log.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openCrawl } from '../../src/compose.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { MeasuredSession } from '../../src/crawl/index.ts';
import { browserPath, openWebFor, Scrape, scratch, type TestWeb } from '../kit/index.ts';

const FEATURES = ['redirects', 'robots', 'errors', 'busy', 'copies', 'sitemaps'] as const;
const QUARTERS = { calendar: {}, 'soft-404': {} } as const;
const PACE = [
  '--target-rate',
  '250',
  '--allow-private',
  '--rate',
  'max',
  '--backoff',
  '50ms',
  '--depth',
  '10000',
];

/** What O1 asks for, by the metrics that answer it. */
const O1: Readonly<Record<string, readonly string[]>> = {
  fetches_per_sec: ['orb_fetches_total'],
  frontier_size_per_shard: ['orb_frontier_urls'],
  host_quota_used: ['orb_host_quota_used_ratio', 'orb_hosts_quota_used'],
  robots_disallow_rate: ['orb_robots_disallowed_total', 'orb_robots_asked_total'],
  dedup_false_positive_rate: ['orb_seen_filter_false_total', 'orb_seen_filter_asked_total'],
  content_dedup_rate: ['orb_duplicate_pages_total', 'orb_pages_total'],
  outlinks_per_page: ['orb_outlinks_per_page'],
  fetch_status_breakdown: ['orb_fetches_total', 'orb_busy_answers_total'],
  frontier_lease_expiry_rate: ['orb_lease_expiries_total'],
  recrawl_scheduler_lag: ['orb_recrawl_lag_seconds'],
  dns_cache_hit_rate: ['orb_dns_cache_hits_total', 'orb_dns_cache_misses_total'],
  js_render_queue_depth: ['orb_js_render_queue_depth'],
  complaint_count: ['orb_complaints_total'],
};

function open(web: TestWeb, dir: string, flags: readonly string[], onPage?: () => void) {
  const argv = [web.start, ...web.flags, '--scope', 'any', ...flags];
  const resolved = resolveSettings({ argv });
  if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
  const { settings, seeds } = resolved;
  const listening = onPage && { onPage: () => onPage() as undefined };
  return openCrawl({ settings, seeds, dir, ...listening });
}

async function crawlRead(t: TestContext) {
  const web = await openWebFor(t, {
    ...{ seed: 21, hosts: 10, pages: 250, bodyBytes: 1_000, patienceSec: 0 },
    ...{ features: FEATURES, quarters: QUARTERS },
  });
  const texts: string[] = [];
  let pages = 0;
  const read = () => void (++pages % 40 === 0 && texts.push(session.metrics.text()));
  const session = await open(web, join(await scratch(t), 'crawl'), PACE, read);
  texts.push(session.metrics.text());
  const { end, progress } = await session.run();
  texts.push(session.metrics.text({ complaints: 2, version: '1.2.3' }));
  await session.close();
  assert.equal(end, 'done');
  return { web, progress, texts, scrapes: texts.map((text) => new Scrape(text)) };
}

test('metrics: a crawl that meets everything is told in numbers that a reader can trust', async (t) => {
  const { web, progress, texts, scrapes } = await crawlRead(t);
  const first = scrapes[0]!;
  const last = scrapes.at(-1)!;
  assert.ok(scrapes.length > 8, `${scrapes.length} scrapes`);

  await t.test('names: one prefix, help and type for each, and all that O1 asks for', () => {
    for (const { name, help, type, metrics } of last.families.values()) {
      assert.match(name, /^orb_[a-z0-9_]+$/);
      assert.ok(help.length > 5 && metrics.length > 0, name);
      assert.equal(name.endsWith('_total'), type === 'COUNTER', name);
      assert.doesNotMatch(name, /_(?:ms|milliseconds|kb|percent)(?:_|$)/);
    }
    for (const [what, names] of Object.entries(O1)) {
      for (const name of names) assert.ok(last.families.has(name), `${what}: ${name}`);
    }
  });

  await t.test('labels: none is of the web, and their number never grows', () => {
    const series = (text: string) => text.split('\n').map((line) => line.replace(/ \S+$/, ''));
    const all = new Set(series(texts.at(-1)!));
    const late = series(texts[2]!).filter((one) => !all.has(one) && !one.startsWith('orb_build'));
    assert.deepEqual(late, [], 'every series is there from the beginning to the end');
    assert.equal(series(texts[2]!).length, series(texts.at(-1)!).length);
    for (const host of web.web.hosts) assert.ok(!texts.at(-1)!.includes(host.name));
  });

  await t.test('counters: none ever falls', () => {
    let before = new Map(first.rising());
    for (const scrape of scrapes.slice(1)) {
      const now = new Map(scrape.rising());
      for (const [name, value] of before) {
        assert.ok(now.get(name)! >= value, `${name}: ${value}, then ${now.get(name)}`);
      }
      before = now;
    }
  });

  await t.test('fetches: as many as the servers have seen, by the status that they gave', () => {
    const rows = [...web.server.log.requests()];
    assert.equal(first.value('orb_fetches_total'), 0);
    assert.equal(last.value('orb_fetches_total'), rows.length);
    const given = (test: (status: number) => boolean) =>
      rows.filter(({ status }) => test(status)).length;
    for (const digit of [2, 3, 4, 5]) {
      const told = last.value('orb_fetches_total', { class: `${digit}xx` });
      assert.equal(
        told,
        given((status) => Math.floor(status / 100) === digit),
      );
    }
    for (const busy of [429, 503]) {
      const told = last.value('orb_busy_answers_total', { status: String(busy) });
      assert.equal(
        told,
        given((status) => status === busy),
      );
    }
    assert.ok(given((status) => status === 429) > 0, 'somebody was busy');
    assert.equal(last.histogram('orb_fetch_duration_seconds').count, rows.length);
    assert.equal(last.value('orb_fetch_failures_total'), 0);
    assert.equal(last.value('orb_fetches_in_flight'), 0);
    const hosts = new Set(rows.map(({ host }) => host)).size;
    assert.equal(last.value('orb_dns_cache_misses_total'), hosts, 'each name was asked for once');
    assert.equal(last.value('orb_dns_cache_hits_total'), rows.length - hosts);
    assert.ok(last.value('orb_received_bytes_total') >= progress.bytes);
  });

  await t.test('pages: visits, copies, links, robots and traps are those of the crawl', () => {
    const { fetched, failed, skipped, copies, nearDuplicates, soft404s, known } = progress.totals;
    const visits = (state: string) => last.value('orb_visits_total', { state });
    assert.equal(visits('indexed'), fetched);
    assert.equal(visits('dead') + visits('failed'), failed);
    assert.equal(visits('skipped'), skipped);
    assert.ok(visits('retrying') > 0, 'the busy ones were asked again');
    assert.equal(last.value('orb_requeued_total'), visits('retrying'));
    assert.equal(last.value('orb_urls_admitted_total'), known);
    const twins = (kind: string) => last.value('orb_duplicate_pages_total', { kind });
    assert.deepEqual([twins('exact'), twins('near')], [copies, nearDuplicates]);
    assert.ok(copies > 0 && nearDuplicates > 0);
    assert.equal(last.value('orb_soft404_pages_total'), soft404s);
    assert.ok(soft404s > 0);
    const { count, sum, buckets } = last.histogram('orb_outlinks_per_page');
    assert.ok(count > 200 && count <= last.value('orb_pages_total'), `${count} pages`);
    assert.ok(sum / count > 2 && buckets['+Inf'] === count);
    const truth = web.web.truth({ scope: 'any' });
    const denied = last.value('orb_robots_disallowed_total');
    assert.equal(denied, truth.count('forbidden'));
    assert.ok(denied > 0 && denied < last.value('orb_robots_asked_total'));
    assert.equal(denied + last.value('orb_trap_urls_skipped_total'), skipped);
    assert.ok(last.value('orb_traps_found_total') >= 1);
    assert.equal(last.value('orb_hosts_flagged', { flag: 'trap' }), 1);
    assert.equal(last.value('orb_hosts_flagged', { flag: 'soft_404' }), 1);
  });

  await t.test('gauges: what waits rises and falls, and is nothing in the end', () => {
    const waiting = scrapes.map((scrape) => scrape.value('orb_urls', { state: 'waiting' }));
    assert.ok(Math.max(...waiting) > waiting[0]! && waiting.at(-1) === 0, waiting.join(' '));
    assert.equal(last.value('orb_frontier_urls'), 0);
    assert.equal(last.families.get('orb_frontier_urls')?.metrics.length, 64);
    assert.ok(scrapes.some((scrape) => scrape.value('orb_visits_open') > 0));
    assert.equal(last.value('orb_hosts'), progress.totals.hosts);
    assert.ok(last.value('orb_process_cpu_seconds_total') > 0);
    assert.ok(last.value('orb_process_resident_memory_bytes') > 1e6);
    assert.ok(last.histogram('orb_commit_duration_seconds').count > 5);
    assert.equal(last.value('orb_complaints_total'), 2);
    assert.equal(last.value('orb_fetches_target_per_second'), 250);
    assert.equal(last.value('orb_build_info', { version: '1.2.3' }), 1);
  });
});

test('metrics: what waits is counted by shard, also in a folder that is taken up again', async (t) => {
  const web = await openWebFor(t, {
    ...{ seed: 4, hosts: 20, pages: 200, bodyBytes: 1_000, features: 'plain' },
  });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--allow-private', '--rate', 'max'];
  const begun = await open(web, dir, [...flags, '--limit', '60']);
  begun.metrics.text();
  await begun.run();
  const before = new Scrape(begun.metrics.text());
  await begun.close();
  const waiting = before.value('orb_urls', { state: 'waiting' });
  assert.ok(waiting > 20, `${waiting} wait`);
  assert.equal(before.value('orb_frontier_urls'), waiting);

  const resumed = await open(web, dir, [...flags, '--limit', '200']);
  assert.ok(!new Scrape(resumed.metrics.text()).families.has('orb_frontier_urls'), 'not yet known');
  const after = await countedScrape(resumed);
  const sizes = (scrape: Scrape) => scrape.families.get('orb_frontier_urls')?.metrics;
  assert.deepEqual(sizes(after), sizes(before));
  await resumed.run();
  const end = new Scrape(resumed.metrics.text());
  assert.equal(end.value('orb_frontier_urls'), end.value('orb_urls', { state: 'waiting' }));
  await resumed.close();
});

/** Counting goes on between turns of the event loop; a crawl that never ends it fails the test. */
async function countedScrape({ metrics }: MeasuredSession): Promise<Scrape> {
  for (let turns = 0; turns < 1_000; turns++) {
    const scrape = new Scrape(metrics.text());
    if (scrape.families.has('orb_frontier_urls')) return scrape;
    await new Promise((soon) => setImmediate(soon));
  }
  throw new Error('the shards were never counted');
}

test('metrics: the quota that hosts have used shows by its largest share, and by how many', async (t) => {
  const web = await openWebFor(t, { seed: 3, hosts: 2, pages: 12, skew: 0, features: 'plain' });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--allow-private', '--rate', '200', '--host-quota-per-day', '5'];
  const session = await open(web, dir, [...flags, '--patience', '1s']);
  const { end } = await session.run();
  const read = new Scrape(session.metrics.text());
  await session.close();
  assert.equal(end, 'patience');
  assert.equal(read.value('orb_host_quota_used_ratio'), 1);
  assert.equal(read.value('orb_hosts_quota_used', { at_least: '1' }), 2);
});

test('metrics: pages that wait for a browser and those it rendered are counted as they go', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const options = { seed: 62, hosts: 3, pages: 20, bodyBytes: 2_000, features: 'plain' } as const;
  const web = await openWebFor(t, { ...options, quarters: { app: { hosts: 2, pages: 2 } } });
  const pace = ['--allow-private', '--delay', '5ms', '--ip-rate', '1000', '--render-pages', '1'];
  const flags = ['--render', 'auto', '--chromium', chromium, ...pace];
  let session: MeasuredSession | undefined;
  const depths: number[] = [];
  const read = () => {
    const scrape = session && new Scrape(session.metrics.text());
    if (scrape) depths.push(scrape.value('orb_js_render_queue_depth'));
  };
  session = await open(web, join(await scratch(t), 'crawl'), flags, read);
  assert.equal((await session.run()).end, 'done');
  const last = new Scrape(session.metrics.text());
  await session.close();
  const rendered = last.value('orb_renders_total');
  const scripted = [...web.server.log.requests()].filter(({ url }) => {
    return web.web.labelOf(url)?.scripted === true;
  });
  assert.ok(rendered >= 0.95 * new Set(scripted.map(({ url }) => url)).size, `${rendered}`);
  assert.ok(Math.max(...depths) >= 1, 'somebody waited');
  assert.equal(last.value('orb_js_render_queue_depth'), 0);
  assert.equal(last.value('orb_renders_open'), 0);
  assert.ok(last.value('orb_render_seconds_total') > 0);
});

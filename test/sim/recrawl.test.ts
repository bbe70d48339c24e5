/** Coming back to pages in virtual time: conditional requests, due pages, budgets, dead URLs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/base/instant.ts';
import { urlKeyOf } from '../../src/record/index.ts';
import { type LittlePage, LittleWeb } from './little-web.ts';

const HOME = 'http://a.example/';
const START = Date.UTC(2030, 0, 1);

function text(word: string, links: readonly string[] = []): string {
  const words = Array.from({ length: 60 }, (_, n) => `${word}${n * 7}`).join(' ');
  return `<title>${word}</title><p>${words}</p>${links.map((to) => `<a href="${to}">x</a>`).join('')}`;
}

const still = (word: string, links: readonly string[] = []): LittlePage => {
  const body = text(word, links);
  return () => ({ body });
};
const marked = (word: string, links: readonly string[] = []): LittlePage => {
  const body = text(word, links);
  return () => ({ body, headers: { etag: `"${word}"` } });
};
const dated = (word: string): LittlePage => {
  const body = text(word);
  return () => ({ body, headers: { 'last-modified': 'Tue, 01 Jan 2019 00:00:00 GMT' } });
};

test('second pass: what has not changed is a 304 or the same hash, and no body is written', async () => {
  const web = new LittleWeb({
    [HOME]: marked('home', ['/etag', '/date', '/bare']),
    'http://a.example/etag': marked('etag'),
    'http://a.example/date': dated('date'),
    'http://a.example/bare': still('bare'),
  });
  assert.equal(await web.crawl([HOME]), 'done');
  assert.equal(web.asked().length, 4);
  const before = await web.record('http://a.example/bare');
  const marked304 = await web.record('http://a.example/etag');
  assert.deepEqual([before.visits, before.changes], [1, 0]);
  const bodies = web.blobs.size;

  await web.clock.sleepUntil(web.clock.now() + 60 * DAY_MS);
  assert.equal(await web.crawl([HOME]), 'done');
  const second = web.asked().slice(4);
  assert.equal(second.length, 4, 'all were due');
  const statuses = Object.fromEntries(second.map(({ url, status }) => [url.slice(17), status]));
  assert.deepEqual(statuses, { '': 304, etag: 304, date: 304, bare: 200 });
  assert.equal(web.blobs.size, bodies, 'no body was written');
  for (const [url, known] of [
    ['http://a.example/bare', before],
    ['http://a.example/etag', marked304],
  ] as const) {
    const after = await web.record(url);
    assert.ok(after.lastFetchedAt > known.lastFetchedAt);
    assert.equal(after.lastChangedAt, known.lastChangedAt);
    assert.deepEqual([after.visits, after.changes, after.httpStatus], [2, 0, 200]);
    assert.deepEqual(after.contentHash, known.contentHash);
    assert.equal(after.title, known.title);
    assert.ok(after.intervalMs > known.intervalMs || after.intervalMs === 23 * HOUR_MS);
    assert.ok(after.nextCrawlAt > web.clock.now());
  }
});

test('second run: a finished folder is asked for nothing that is not due', async () => {
  const web = new LittleWeb({ [HOME]: still('home', ['/b']), 'http://a.example/b': still('b') });
  await web.crawl([HOME]);
  const asked = web.asked().length;
  assert.equal(await web.crawl([HOME], { patience: '30d' }), 'done');
  assert.equal(web.asked().length, asked);
  await web.clock.sleepUntil(web.clock.now() + DAY_MS);
  await web.crawl([HOME]);
  assert.deepEqual(
    web
      .asked()
      .slice(asked)
      .map(({ url }) => url),
    [HOME],
    'the seed is a top page, due within a day; the other is not',
  );
});

test('an error in between forgets neither the page nor its validators', async () => {
  let isBroken = false;
  const web = new LittleWeb({
    [HOME]: () => (isBroken ? { status: 500, body: 'oops' } : marked('home')(0)),
  });
  await web.crawl([HOME]);
  const before = await web.record(HOME);
  isBroken = true;
  await web.clock.sleepUntil(web.clock.now() + 2 * DAY_MS);
  await web.crawl([HOME], { retries: 0 });
  const broken = await web.record(HOME);
  assert.equal(broken.state, 'failed');
  assert.deepEqual(
    [broken.contentHash, broken.etag, broken.title],
    [before.contentHash, before.etag, before.title],
  );
  assert.ok(broken.nextCrawlAt > web.clock.now(), 'it is tried again');
  isBroken = false;
  await web.clock.sleepUntil(broken.nextCrawlAt + HOUR_MS);
  await web.crawl([HOME]);
  assert.equal(web.asked(HOME).at(-1)?.status, 304);
  const after = await web.record(HOME);
  assert.deepEqual([after.state, after.httpStatus, after.changes], ['indexed', 200, 0]);
});

test('noise: a page that prints the time on every visit counts as unchanged', async () => {
  const long = Array.from({ length: 400 }, (_, n) => `word${n}`).join(' ');
  const web = new LittleWeb({
    [HOME]: (at) => ({ body: `<title>t</title><p>${long}</p><p>It is ${at} now</p>` }),
  });
  await web.crawl([HOME], { keepFresh: true, maxTime: '40d' });
  const record = await web.record(HOME);
  assert.ok(record.visits > 20);
  assert.equal(record.changes, 0);
  assert.ok(record.lastChangedAt < START + DAY_MS, 'it has not changed since it was found');
});

test('keep fresh: the top page within 24 hours, every page again, and it ends only when told', async () => {
  const pages: Record<string, LittlePage> = { [HOME]: still('home', paths(30)) };
  for (const path of paths(30)) pages[`http://a.example${path}`] = still(path.slice(1));
  const web = new LittleWeb(pages, START);
  assert.equal(await web.crawl([HOME], { keepFresh: true, maxTime: '60d' }), 'time');
  const home = web.asked(HOME).map(({ at }) => at);
  const pauses = home.slice(1).map((at, i) => at - (home[i] as number));
  assert.ok(home.length >= 60, `${home.length} visits`);
  assert.ok(Math.max(...pauses) <= DAY_MS, `${Math.max(...pauses) / HOUR_MS} h`);
  for (const path of paths(30)) {
    const visits = web.asked(`http://a.example${path}`).length;
    assert.ok(visits >= 3 && visits <= 9, `${path}: ${visits} visits in 60 days`);
  }
});

test('keep fresh: a budget is kept, and the top page is not the one that pays', async () => {
  const pages: Record<string, LittlePage> = { [HOME]: still('home', paths(100)) };
  for (const path of paths(100)) {
    pages[`http://a.example${path}`] = (at) => ({
      body: text(`${path.slice(1)}v${Math.floor(at / DAY_MS)}`),
    });
  }
  for (const recrawlPolicy of ['halving', 'optimal', 'uniform'] as const) {
    const web = new LittleWeb(pages, START);
    const options = {
      keepFresh: true,
      maxTime: '40d',
      recrawlPolicy,
      recrawlBudget: '10',
    } as const;
    await web.crawl([HOME], options);
    const again = web.asked().length - 101;
    assert.ok(again <= 405, `${recrawlPolicy}: ${again} visits of 400`);
    assert.ok(again >= 250, `${recrawlPolicy}: ${again} visits of 400`);
    if (recrawlPolicy === 'uniform') continue;
    const home = web.asked(HOME).map(({ at }) => at);
    const pauses = home.slice(2).map((at, i) => at - (home[i + 1] as number));
    assert.ok(
      Math.max(...pauses) <= 25 * HOUR_MS,
      `${recrawlPolicy}: ${Math.max(...pauses) / HOUR_MS} h`,
    );
  }
});

test('limits: a page that is visited again is one page of its host still', async () => {
  const web = new LittleWeb({ [HOME]: still('home') }, START);
  await web.crawl([HOME], { keepFresh: true, maxTime: '10d', maxPagesPerHost: 2 });
  assert.ok(web.asked(HOME).length >= 10, `${web.asked(HOME).length} visits`);
});

test('dead: a page that is gone is looked at for 30 days and then leaves (F8)', async () => {
  let isGone = false;
  const gone = 'http://a.example/gone';
  const web = new LittleWeb({
    [HOME]: still('home', ['/gone']),
    [gone]: () => (isGone ? { status: 410 } : { body: text('gone') }),
  });
  await web.crawl([HOME]);
  isGone = true;
  const wentAt = web.clock.now();
  await web.crawl([HOME], { keepFresh: true, maxTime: '90d' });
  const record = await web.record(gone);
  assert.equal(record.state, 'dead');
  assert.equal(record.nextCrawlAt, 0);
  assert.match(record.reason, /30 days/);
  assert.ok(record.contentHash.length > 0, 'what it was is still known');
  const looks = web.asked(gone).filter(({ status }) => status === 410);
  assert.ok(looks.length >= 4 && looks.length <= 9, `${looks.length} looks`);
  const lastMs = (looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0);
  assert.ok(Math.abs(lastMs - 30 * DAY_MS) < DAY_MS, `${lastMs / DAY_MS} days`);
  const due = await web.store.due(wentAt + 400 * DAY_MS, 100);
  assert.ok(due.every(({ key }) => !key.equals(urlKeyOf(record.url))));
});

test('lastmod: a sitemap brings a page forward, once for each change, and the year 3000 nothing', async () => {
  const map = 'http://a.example/sitemap.xml';
  let lastmods: readonly [string, string][] = [];
  const sitemap: LittlePage = () => ({
    headers: { 'content-type': 'application/xml' },
    body: `<urlset>${lastmods
      .map(([path, at]) => `<url><loc>http://a.example${path}</loc><lastmod>${at}</lastmod></url>`)
      .join('')}</urlset>`,
  });
  const web = new LittleWeb(
    {
      'http://a.example/robots.txt': () => ({ body: `Sitemap: ${map}` }),
      [map]: sitemap,
      [HOME]: still('home', ['/told', '/liar']),
      'http://a.example/told': still('told'),
      'http://a.example/liar': still('liar'),
    },
    START,
  );
  lastmods = [
    ['/told', '2020-01-01'],
    ['/liar', '3000-01-01'],
  ];
  await web.crawl([HOME]);
  const planned = await web.record('http://a.example/told');
  assert.ok(planned.nextCrawlAt >= START + 6.9 * DAY_MS);
  lastmods = [
    ['/told', '2030-01-02T12:00:00Z'],
    ['/liar', '3000-01-01'],
  ];
  await web.clock.sleepUntil(START + 2 * DAY_MS);
  await web.node?.comeback.askAgain([
    { at: (await web.record(map)).nextCrawlAt, key: urlKeyOf(map) },
  ]);
  await web.crawl([HOME]);
  const told = await web.record('http://a.example/told');
  const liar = await web.record('http://a.example/liar');
  assert.ok(told.nextCrawlAt <= planned.nextCrawlAt, 'as soon as its tier allows');
  assert.equal(told.nextCrawlAt, told.lastFetchedAt + 7 * DAY_MS);
  assert.ok(liar.nextCrawlAt >= START + 6.9 * DAY_MS);
});

test('feed: an entry that is newer than the last visit brings its page forward (T3)', async () => {
  const feed = 'http://a.example/feed';
  let date = 'some day';
  const web = new LittleWeb(
    {
      [HOME]: still('home', ['/feed', '/told']),
      [feed]: () => ({
        headers: { 'content-type': 'application/rss+xml' },
        body: `<rss><channel><item><link>/told</link><pubDate>${date}</pubDate></item></channel></rss>`,
      }),
      'http://a.example/told': still('told'),
    },
    START,
  );
  await web.crawl([HOME]);
  await web.clock.sleepUntil(START + 8 * DAY_MS);
  await web.crawl([HOME]);
  const planned = await web.record('http://a.example/told');
  assert.equal(planned.visits, 2);
  assert.ok(planned.nextCrawlAt > planned.lastFetchedAt + 8 * DAY_MS, 'unchanged: a longer pause');
  date = new Date(START + 9 * DAY_MS).toUTCString();
  await web.clock.sleepUntil(START + 10 * DAY_MS);
  const due = { at: (await web.record(feed)).nextCrawlAt, key: urlKeyOf(feed) };
  await web.node?.comeback.askAgain([due]);
  await web.crawl([HOME]);
  const told = await web.record('http://a.example/told');
  assert.equal(told.visits, 2);
  assert.equal(told.nextCrawlAt, told.lastFetchedAt + 7 * DAY_MS, 'as soon as its tier allows');
});

test('asked again: due at once, first in the queue, also while the crawl runs (T4)', async () => {
  const pages: Record<string, LittlePage> = { [HOME]: still('home', paths(50)) };
  for (const path of paths(50)) pages[`http://a.example${path}`] = still(path.slice(1));
  const web = new LittleWeb(pages);
  let askedAt = 0;
  await web.crawl([HOME], {}, async (node) => {
    while (web.asked().length < 10) await web.clock.sleepUntil(web.clock.now() + 100);
    askedAt = web.asked().length;
    const { nextCrawlAt: at } = await web.record(HOME);
    await node.comeback.askAgain([{ at, key: urlKeyOf(HOME) }]);
    await node.comeback.askAgain([{ at, key: urlKeyOf(HOME) }]);
  });
  const visits = web.asked().flatMap(({ url }, nth) => (url === HOME ? [nth] : []));
  assert.equal(visits.length, 2, 'once more, though asked for twice');
  assert.ok((visits[1] as number) <= askedAt + 3, `visit ${visits[1]}, asked at ${askedAt}`);
  assert.equal(web.asked().length, 52);
  const { waiting, fetched, known } = await web.store.totals();
  assert.deepEqual([waiting, fetched, known], [0, 51, 51]);
});

test('clock: a folder written in the year 3000 is crawled today, host and pages', async () => {
  const web = new LittleWeb({ [HOME]: still('home') }, Date.UTC(3000, 0, 1));
  await web.crawl([HOME]);
  const today = new LittleWeb({ [HOME]: still('home') }, START);
  Object.assign(today, { store: web.store });
  await today.crawl([HOME], { keepFresh: true, maxTime: '3d' });
  assert.ok(today.asked(HOME).length >= 3, `${today.asked(HOME).length} visits`);
  const { nextCrawlAt } = await today.record(HOME);
  assert.ok(nextCrawlAt < START + 5 * DAY_MS);
});

function paths(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/p${n}`);
}

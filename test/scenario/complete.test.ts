/**
 * Complete and exact: a web over real HTTP, crawled by the command line, judged by the web's own
 * truth and its own log (S6, F5, F7, F10, L2, R1).
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { gaps, judge, type TruthQuestion } from '../../testweb/index.ts';
import {
  asked,
  openWebFor,
  orb,
  pageRequests,
  scaled,
  scratch,
  type TestWeb,
  walkWeb,
} from '../kit/index.ts';

const SIZE = scaled({ hosts: 40, pages: 800 }, { hosts: 500, pages: 50_000 });
const LIMIT = scaled(123, 1_234);
const FAST = ['--allow-private', '--rate', 'max', '--backoff', '200ms'];
const SMALL = { seed: 11, hosts: 12, pages: 150, bodyBytes: 2_000 } as const;

/** Crawls from the web's start unless told; answers how it ended. */
async function crawl(t: TestContext, web: TestWeb, dir: string, ...flags: string[]) {
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags]);
  return { ...end, said: `exit ${end.code}\n${end.stderr}` };
}

function mustMatch(web: TestWeb, question: TruthQuestion = {}): void {
  const truth = web.web.truth({ scope: 'any', ...question });
  const verdict = judge(web.web, web.server.log, truth);
  const { missing, stray, trespass, duplicates } = verdict;
  const wrong = { missing, stray, trespass, duplicates: duplicates.map((twice) => twice.url) };
  for (const [what, urls] of Object.entries(wrong)) {
    assert.equal(urls.length, 0, `${urls.length} ${what}: ${urls.slice(0, 3).join(' ')}`);
  }
  assert.equal(verdict.fetched, verdict.expected);
  assert.equal(pageRequests(web).length, truth.expectedFetches);
}

describe('complete and exact', { concurrency: 3 }, () => {
  test(`complete: ${SIZE.pages} pages on ${SIZE.hosts} hosts, each allowed one once, then nothing more`, async (t) => {
    const web = await openWebFor(t, { seed: 3, ...SIZE });
    const dir = join(await scratch(t), 'crawl');
    const first = await crawl(t, web, dir, '--scope', 'any', ...FAST);
    assert.equal(first.code, 0, first.said);
    mustMatch(web);
    for (const row of web.server.log.requests()) assert.ok(row.named, `${row.url}: user agent`);

    web.server.reset();
    const second = await crawl(t, web, dir, '--scope', 'any', ...FAST);
    assert.equal(second.code, 0, second.said);
    assert.equal(web.server.log.length, 0, 'a finished crawl asks for nothing');
  });

  test(`limit: ${LIMIT} means ${LIMIT} requests for pages; the same folder goes on to the whole`, async (t) => {
    const web = await openWebFor(t, { seed: 5, ...scaled({ hosts: 30, pages: 300 }, SIZE) });
    const dir = join(await scratch(t), 'crawl');
    const first = await crawl(t, web, dir, '--scope', 'any', '--limit', String(LIMIT), ...FAST);
    assert.equal(first.code, 0, first.said);
    assert.match(first.stderr, /Stopped at the limit/);
    assert.equal(pageRequests(web).length, LIMIT);

    const again = await crawl(t, web, dir, '--scope', 'any', '--limit', String(LIMIT), ...FAST);
    assert.equal(again.code, 0, again.said);
    assert.equal(pageRequests(web).length, LIMIT, 'the limit is on the crawl, not on the run');

    const rest = await crawl(t, web, dir, '--scope', 'any', ...FAST);
    assert.equal(rest.code, 0, rest.said);
    mustMatch(web);
  });

  test('limit: exact at any number, also when hosts are few and lanes many', async (t) => {
    const web = await openWebFor(t, { ...SMALL, hosts: 3 });
    const parent = await scratch(t);
    for (const limit of [1, 50]) {
      web.server.reset();
      const flags = ['--scope', 'any', '--limit', String(limit), ...FAST];
      const end = await crawl(t, web, join(parent, String(limit)), ...flags);
      assert.equal(end.code, 0, end.said);
      assert.equal(pageRequests(web).length, limit);
    }
  });

  test('polite: a small pause between requests changes nothing but the time', async (t) => {
    const delayMs = 60;
    const web = await openWebFor(t, { ...SMALL, hosts: 24, skew: 0.2 });
    const dir = join(await scratch(t), 'crawl');
    const pace = ['--delay', `${delayMs}ms`, '--ip-rate', '1000', '--backoff', '200ms'];
    const end = await crawl(t, web, dir, '--scope', 'any', ...pace);
    assert.equal(end.code, 0, end.said);
    mustMatch(web);
    const [closest] = gaps(web.server.log);
    assert.ok(
      closest && closest.smallestMs >= delayMs,
      `${closest?.of}: ${closest?.smallestMs} ms`,
    );
    assert.equal(Math.max(...gaps(web.server.log).map((gap) => gap.overlaps)), 0);
  });

  for (const depth of [0, 1, 2]) {
    test(`depth: ${depth} follows ${depth} links and no more`, async (t) => {
      const web = await openWebFor(t, { ...SMALL, features: ['robots', 'errors', 'charsets'] });
      const dir = join(await scratch(t), 'crawl');
      const end = await crawl(t, web, dir, '--scope', 'any', '--depth', String(depth), ...FAST);
      assert.equal(end.code, 0, end.said);
      mustMatch(web, { depth });
    });
  }

  for (const scope of ['host', 'domain', 'any'] as const) {
    test(`scope: ${scope} is kept, from two seeds`, async (t) => {
      const web = await openWebFor(t, { ...SMALL, hosts: 30 });
      const seeds = [web.web.urlOf(0, 0), web.web.urlOf(2, 0)];
      const dir = join(await scratch(t), 'crawl');
      const flags = ['--dir', dir, '--scope', scope, ...web.flags, ...FAST];
      const end = await orb(t, ['crawl', ...seeds, ...flags]);
      assert.equal(end.code, 0, end.stderr);
      mustMatch(web, { seeds, scope });
    });
  }

  test('filters: include and exclude decide what is followed, exclude wins, seeds always count', async (t) => {
    const web = await openWebFor(t, { ...SMALL, features: ['redirects'] });
    const include = /h000[0-5]\./;
    const exclude = /[37]$/;
    const expected = walkWeb(web.web, [web.start], {
      follows: (url) => include.test(url) && !exclude.test(url),
    });
    assert.ok(expected.size > 20, `${expected.size} URLs are a test`);
    const dir = join(await scratch(t), 'crawl');
    const flags = ['--scope', 'any', '--include', include.source, '--exclude', exclude.source];
    const end = await crawl(t, web, dir, ...flags, ...FAST);
    assert.equal(end.code, 0, end.said);
    assert.deepEqual([...asked(web)].sort(), [...expected].sort());
  });

  test('sitemaps: pages that only a sitemap names are found; with never they are not', async (t) => {
    const web = await openWebFor(t, { ...SMALL, seed: 14, hosts: 4, features: ['sitemaps'] });
    const withMaps = web.web.truth({ scope: 'any' }).count('page');
    const without = web.web.truth({ scope: 'any', sitemaps: false }).count('page');
    assert.ok(withMaps > without, 'the web has orphans');
    const parent = await scratch(t);
    const auto = await crawl(t, web, join(parent, 'auto'), '--scope', 'any', ...FAST);
    assert.equal(auto.code, 0, auto.said);
    mustMatch(web);
    web.server.reset();
    const never = ['--scope', 'any', '--sitemap', 'never', ...FAST];
    assert.equal((await crawl(t, web, join(parent, 'never'), ...never)).code, 0);
    mustMatch(web, { sitemaps: false });
  });

  test('sitemaps: one given by URL is a seed like any other', async (t) => {
    const web = await openWebFor(t, { ...SMALL, hosts: 2, features: ['sitemaps'] });
    const { origin } = web.web.hosts[0]!;
    const dir = join(await scratch(t), 'crawl');
    const end = await crawl(t, web, dir, '--sitemap', `${origin}/sitemap.xml`, ...FAST);
    assert.equal(end.code, 0, end.said);
    mustMatch(web, { scope: 'host' });
  });
});

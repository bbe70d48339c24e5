import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import { NO_BYTES, urlKeyOf } from '../record/index.ts';
import { isAllowed, noteFetched, passOver, regard } from './host-watch.ts';
import { Naming } from './naming.ts';
import { crawlSite, ORIGIN } from './site.testkit.ts';
import { besideArticles, encyclopaedia, GRAPHS, HONEST, TRAP_SITES } from './sites.testkit.ts';
import { HostSketch } from './sketch.ts';
import { TRAPS } from './trap-policy.ts';

/** What docs/traps.md promises: pages that a trap may cost. */
const ALLOWANCE = 800;
const SAME_ALLOWANCE = 200;
const NOW = Date.UTC(2026, 5, 1);

for (const [name, trap] of Object.entries(TRAP_SITES)) {
  for (const isSame of [true, false]) {
    const what = isSame ? 'that repeats one text' : 'with a text for every page';
    test(`trap: ${name} ${what} is cut off, and no article is lost`, () => {
      for (const lanes of [1, 16]) {
        const site = besideArticles(trap, isSame);
        const crawl = crawlSite(site, { depthMax: 10_000, fetchesMax: 5_000, lanes });
        const cost = crawl.fetched.size - HONEST.length;
        assert.ok(cost <= (isSame ? SAME_ALLOWANCE : ALLOWANCE), `${cost} pages of a trap`);
        assert.ok(crawl.verdicts.length > 0, 'it is called a trap');
        assert.deepEqual(
          HONEST.filter((path) => !crawl.fetched.has(path)),
          [],
        );
      }
    });
  }
}

for (const [name, linksOf] of Object.entries(GRAPHS)) {
  const pages = name === 'three links anywhere' ? 50_000 : 20_000;
  test(`honest: an encyclopaedia of ${pages} pages, ${name}, is no trap and is read whole`, () => {
    const site = encyclopaedia(pages, (n) => linksOf(n, pages));
    const free = crawlSite(site, { lanes: 8, policy: { isOn: false } });
    const crawl = crawlSite(site, { lanes: 8 });
    assert.deepEqual(crawl.verdicts, []);
    assert.equal(crawl.fetched.size, free.fetched.size);
    assert.ok(crawl.fetched.size > 0.8 * pages, `${crawl.fetched.size} can be reached`);
  });
}

test('trap: a sketch that is written and read every ten pages judges as one that lives on', () => {
  const site = besideArticles(TRAP_SITES.pager as never, false);
  const options = { depthMax: 10_000, fetchesMax: 5_000 };
  const crawl = crawlSite(site, { ...options, restartEvery: 10 });
  assert.ok(crawl.fetched.size <= ALLOWANCE, `${crawl.fetched.size} pages`);
  assert.deepEqual(
    crawl.verdicts.map(({ kind, key }) => [kind, key]),
    crawlSite(site, options).verdicts.map(({ kind, key }) => [kind, key]),
  );
});

test('trap: what an operator allows is asked, and traps can be switched off', () => {
  const site = besideArticles(TRAP_SITES['random numbers'] as never, true);
  const allowed = { allowed: [/^\/item\//] };
  assert.equal(crawlSite(site, { fetchesMax: 3_000, policy: allowed }).fetched.size, 3_000);
  assert.equal(crawlSite(site, { fetchesMax: 3_000, policy: { isOn: false } }).fetched.size, 3_000);
  assert.ok(!isAllowed(`${ORIGIN}/other/1`, { ...TRAPS, ...allowed }));
});

test('trap: URLs that a sitemap names are wanted, however much alike they look', () => {
  const listed = Array.from({ length: 2_000 }, (_, n) => `/item/${n * 7_919}`);
  const site = { start: '/', linksAt: () => ['/'], textAt: () => 'sold out' };
  const crawl = crawlSite(site, { sitemap: listed });
  assert.equal(crawl.fetched.size, 2_001);
  assert.deepEqual(crawl.verdicts, []);
});

test('trap: what only redirects lead to is not wanted for that', () => {
  const sketch = new HostSketch();
  for (let n = 0; n < 100; n++) regard(sketch, `${ORIGIN}/maze/${n}`, undefined, TRAPS, true);
  assert.equal(sketch.levels[0]?.get('/maze/*')?.isWanted, false);
  for (let n = 0; n < 50; n++) regard(sketch, `${ORIGIN}/maze/9${n}`, undefined, TRAPS);
  assert.equal(sketch.levels[0]?.get('/maze/*')?.isWanted, true);
});

/** A sketch with a verdict on /list/*?visit=*, and a walk over more of it. */
function caught() {
  const sketch = new HostSketch();
  const naming = new Naming(sketch, pageAt(0));
  for (let n = 1; n <= 300; n++) regard(sketch, pageAt(n).url, naming, TRAPS);
  let n = 0;
  while (sketch.verdicts.length === 0 && n < 300) visit(sketch, ++n, true, NOW);
  return { sketch, at: n };
}

function pageAt(n: number) {
  const url = `${ORIGIN}/list/1?visit=ab${n}cd${n}`;
  return { url, key: urlKeyOf(url), parent: NO_BYTES };
}

function visit(sketch: HostSketch, n: number, isCopy: boolean, now: number): void {
  const contentHash = Uint8Array.from({ length: 32 }, (_, i) => (isCopy ? 7 : (n * (i + 3)) & 255));
  const record = { url: pageAt(n).url, depth: 3, contentHash, original: NO_BYTES };
  noteFetched(sketch, { record, isCopy }, TRAPS, now);
}

test('verdict: its URLs are skipped with a reason, new ones refused, others asked', () => {
  const { sketch, at } = caught();
  assert.ok(at < 150, `after ${at} pages`);
  const passed = passOver(sketch, pageAt(5_000).url, TRAPS, NOW);
  assert.match(passed?.reason ?? '', /left out as a trap: \d+ of the last \d+ pages like/);
  assert.ok((passed?.until ?? 0) > NOW);
  assert.equal(regard(sketch, pageAt(5_001).url, undefined, TRAPS), 0);
  assert.equal(passOver(sketch, `${ORIGIN}/news/today`, TRAPS, NOW), undefined);
});

test('verdict: a day later three pages are asked, and if they differ the family is free', () => {
  const { sketch } = caught();
  const later = NOW + DAY_MS + 1;
  for (let n = 0; n < 3; n++) {
    assert.equal(passOver(sketch, pageAt(900 + n).url, TRAPS, later), undefined, 'a probe');
  }
  assert.ok(passOver(sketch, pageAt(910).url, TRAPS, later), 'three and no more');
  for (let n = 0; n < 3; n++) visit(sketch, 900 + n, false, later);
  assert.deepEqual(sketch.verdicts, []);
  assert.notEqual(regard(sketch, pageAt(999).url, undefined, TRAPS), 0);
});

test('verdict: probes that are copies again keep it, and the next ones come later', () => {
  const { sketch } = caught();
  const later = NOW + DAY_MS + 1;
  for (let n = 0; n < 3; n++) passOver(sketch, pageAt(900 + n).url, TRAPS, later);
  for (let n = 0; n < 3; n++) visit(sketch, 900 + n, true, later);
  assert.equal(sketch.verdicts.length, 1);
  assert.ok((sketch.verdicts[0]?.probeAt ?? 0) > later + DAY_MS);
});

test('verdict: a clock that jumps back for years does not put the probe off', () => {
  const { sketch } = caught();
  const past = NOW - 3_000 * DAY_MS;
  assert.ok(passOver(sketch, pageAt(1).url, TRAPS, past));
  assert.equal(passOver(sketch, pageAt(2).url, TRAPS, past + DAY_MS + 1), undefined);
});

/** Importance is what a random reader of texts would find, and navigation hides it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn } from '../brute-crawl.ts';
import { openWeb } from '../web.ts';
import { pageRank } from './page-rank.ts';

const AT = Date.UTC(2026, 0, 1);
const web = openWeb({
  ...{ seed: 8, hosts: 1, pages: 4, features: 'plain' },
  quarters: { ranked: { hosts: 12, pages: 200 }, encyclopaedia: { pages: 50_000 } },
});

test('page rank: a star, a circle and a page without links, worked out by hand', () => {
  const star = pageRank({ from: Uint32Array.of(0, 0, 1, 2), to: Uint32Array.of(0, 0) });
  // x = leaf, c = centre: x = (0.15 + 0.85c)/3 and c = x + 1.7x, the centre being idle.
  const x = 0.15 / (3 - 0.85 * 2.7);
  assert.ok(Math.abs(star[1]! - x) < 1e-6 && Math.abs(star[0]! - 2.7 * x) < 1e-6, String(star));
  const circle = pageRank({ from: Uint32Array.of(0, 1, 2, 3), to: Uint32Array.of(1, 2, 0) });
  for (const rank of circle) assert.ok(Math.abs(rank - 1 / 3) < 1e-9);
});

test('ranked: importance sums to 1, and a tenth of the pages holds more than a third of it', () => {
  const all = web.urlsIn('ranked').map((url) => web.labelOf(url)!.importance!);
  assert.equal(all.length, 12 * 201);
  assert.ok(Math.abs(all.reduce((sum, one) => sum + one, 0) - 1) < 1e-6);
  all.sort((a, b) => b - a);
  const top = all.slice(0, all.length / 10).reduce((sum, one) => sum + one, 0);
  assert.ok(top > 0.33, `${top}`);
});

test('ranked: half of the most linked pages are of no importance: navigation names them', () => {
  const { origin, quarter } = web.specials.find(({ label }) => label === 'ranked-1')!;
  const named = new Map<string, number>();
  for (const path of quarter!.paths()) {
    const url = origin + path;
    const { body } = web.answer({ url, method: 'GET', headers: {}, atMs: AT });
    assert.equal(body.kind, 'whole');
    const html = body.kind === 'whole' ? Buffer.from(body.bytes).toString() : '';
    for (const link of new Set(linksIn(html, url))) named.set(link, (named.get(link) ?? 0) + 1);
  }
  const own = [...named].filter(([url]) => url.startsWith(`${origin}/`) && url !== `${origin}/`);
  const busiest = own.sort((a, b) => b[1] - a[1]).slice(0, 20);
  const mean = 1 / (12 * 201);
  const idle = busiest.filter(([url]) => web.labelOf(url)!.importance! < mean);
  assert.ok(idle.length >= 10, `${idle.length} of the 20 most linked are of no importance`);
});

test('encyclopaedia: 50,000 names of their own, each leading back to its page', () => {
  const { origin, quarter } = web.specials.find(({ label }) => label === 'encyclopaedia-1')!;
  const paths = [...quarter!.paths()];
  assert.equal(new Set(paths).size, 50_001);
  const texts = new Set<string>();
  for (const path of paths.slice(1)) {
    assert.match(path, /^\/wiki\/[A-Z][a-z]+_[a-z]+_[a-z]+$/);
    texts.add(quarter!.labelOf(path)!.text);
  }
  assert.equal(texts.size, 50_000);
  const inlinks = new Map<string, number>();
  for (const path of paths.slice(0, 1_000)) {
    const url = origin + path;
    const { body } = web.answer({ url, method: 'GET', headers: {}, atMs: AT });
    const html = body.kind === 'whole' ? Buffer.from(body.bytes).toString() : '';
    for (const link of linksIn(html, url)) inlinks.set(link, (inlinks.get(link) ?? 0) + 1);
  }
  const counts = [...inlinks.values()].sort((a, b) => b - a);
  assert.ok(counts[20]! > 10 * counts[counts.length >> 1]!, 'few pages are linked from everywhere');
});

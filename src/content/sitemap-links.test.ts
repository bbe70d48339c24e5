import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sitemapLinks } from './sitemap-links.ts';

const AT = 'https://a.example/sitemap.xml';

function urlset(...entries: readonly [loc: string, lastmod?: string][]): Buffer {
  const rows = entries.map(
    ([loc, lastmod]) =>
      `<url><loc>${loc}</loc>${lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`}</url>`,
  );
  return Buffer.from(`<urlset>${rows.join('')}</urlset>`);
}

test('sitemap links: each page once, with the instant that its lastmod names', () => {
  const body = urlset(
    ['https://a.example/1', '2024-05-03T10:00:00+02:00'],
    ['https://a.example/2'],
    ['https://a.example/3', '2024-05-03'],
    ['https://a.example/1', '2024-05-01'],
  );
  const made = sitemapLinks(body, AT, 128);
  assert.deepEqual(
    made.targets,
    [1, 2, 3].map((n) => `https://a.example/${n}`),
  );
  assert.deepEqual([...made.lastmods], [Date.UTC(2024, 4, 3, 8), 0, Date.UTC(2024, 4, 3)]);
  assert.deepEqual([...made.contexts], [128, 128, 128]);
});

test('sitemap links: an index names sitemaps, before any page', () => {
  const index =
    '<sitemapindex><sitemap><loc>/b.xml</loc><lastmod>2024-01-01</lastmod></sitemap></sitemapindex>';
  const made = sitemapLinks(Buffer.from(index), AT, 128);
  assert.deepEqual(made.targets, ['https://a.example/b.xml']);
  assert.equal(made.sitemaps, 1);
  assert.deepEqual([...made.lastmods], [Date.UTC(2024, 0, 1)]);
});

test('sitemap links: dates that are none are nothing, and no dates cost no column', () => {
  const odd = ['yesterday', '2024-13-45', '', '-', '99999-01-01'];
  const made = sitemapLinks(urlset(...odd.map((d, i) => [`/p${i}`, d] as [string, string])), AT, 1);
  assert.equal(made.targets.length, odd.length);
  assert.equal(made.lastmods.length, 0);
});

/**
 * Markdown of a real crawl (X5): printed as it goes, made again from the folder, from the library
 * and by the API, all the same; and none of what may not be shown or was taken down (G1, R3).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crawl } from '../../src/index.ts';
import { orb, scratch } from '../kit/index.ts';
import { openService } from '../kit/service.ts';

const MENU = '<nav><a href="/">Home</a> <a href="/secret">Secret</a></nav>';
const SITE: Readonly<Record<string, string>> = {
  '/': `<title>Home</title>${MENU}<main><h1>Home</h1><p>Go to <a href="b">b</a>.</p></main>`,
  '/b': `<title>B</title>${MENU}<main><h1>B</h1><ul><li>one<li>two</ul></main>`,
  '/secret': '<meta name=robots content=noarchive><main><h1>Hush</h1><p>Not to be kept.</p></main>',
};

async function openSite(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const html = SITE[request.url ?? ''];
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const FAST = ['--allow-private', '--rate', 'max'];
const markdownOf = (site: string) => ({
  home: `# Home\n\nGo to [b](${site}b).\n`,
  b: '# B\n\n- one\n- two\n',
});

test('markdown: as the crawl goes and from its folder, the same; none of what may not be kept', async (t) => {
  const site = await openSite(t);
  const dir = join(await scratch(t), 'crawl');
  const { home, b } = markdownOf(site);
  const went = await orb(t, ['crawl', site, '--dir', dir, '--markdown', ...FAST]);
  assert.equal(went.code, 0, went.stderr);
  const entries = (text: string) =>
    text
      .split('[//]: # ')
      .slice(1)
      .map((entry) => entry.trimEnd())
      .sort();
  const wanted = [`(${site})\n\n${home}`, `(${site}b)\n\n${b}`]
    .map((text) => text.trimEnd())
    .sort();
  assert.deepEqual(entries(went.stdout), wanted);
  const kept = await orb(t, ['pages', '--dir', dir, '--format', 'markdown']);
  assert.deepEqual(entries(kept.stdout), wanted);
  const erased = await orb(t, ['erase', '--dir', dir, '--url', `${site}b`, '--reason', 'asked']);
  assert.equal(erased.code, 0, erased.stderr);
  const left = await orb(t, ['pages', '--dir', dir, '--format', 'markdown']);
  assert.deepEqual(entries(left.stdout), [`(${site})\n\n${home}`.trimEnd()]);
});

test('markdown: from the library and by the API', async (t) => {
  const site = await openSite(t);
  const { home, b } = markdownOf(site);
  const found = new Map<string, string>();
  for await (const page of crawl({ seeds: site, allowPrivate: true, rate: 'max' })) {
    found.set(page.url, page.markdown());
  }
  assert.deepEqual([found.get(site), found.get(`${site}b`)], [home, b]);

  const api = await openService(t, undefined, { flags: FAST });
  await api.post('/crawl/seeds', { urls: [site] });
  await api.quiet(3);
  const asked = async (url: string, query = '') => {
    const { json } = await api.ask(`/pages?url=${encodeURIComponent(url)}`);
    return api.ask(`/pages/${json.pages[0].url_hash}/markdown${query}`);
  };
  const answer = await asked(site);
  assert.deepEqual([answer.status, answer.text], [200, home]);
  assert.match(answer.headers.get('content-disposition') ?? '', /attachment; filename="\w+\.md"/);
  assert.match((await asked(site, '?front_matter=true')).text, /^---\ntitle: "Home"\n/);
  assert.match((await asked(site, '?whole=true')).text, /Secret/);
  assert.equal((await asked(`${site}secret`)).status, 404);
  assert.equal((await api.ask(`/pages/${'ab'.repeat(24)}/markdown`)).status, 404);
});

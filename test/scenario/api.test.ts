/**
 * The service over real HTTP, with a crawl of the test web behind it (A1, A3, A4, Y3): every
 * endpoint, each answer held against the published OpenAPI document.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { textEndpoint } from '../../src/edge/api/index.ts';
import { openService, type TestService } from '../kit/service.ts';
import { openWebFor, type TestWeb } from '../kit/web.ts';

const SIZE = { seed: 5, hosts: 3, pages: 60, bodyBytes: 600, features: 'plain' } as const;
const NO_PAGE = 'ab'.repeat(24);

test('POST /crawl/seeds: crawl_depth is how far its links are followed', async (t) => {
  const web = await openWebFor(t, SIZE);
  const api = await openService(t, web, { flags: ['--scope', 'any'] });
  await api.post('/crawl/seeds', { urls: [web.start], crawl_depth: 0 });
  await api.quiet(1);
  assert.equal(api.session.progress().totals.known, 1);
  const [{ url_hash: hash }] = (await api.ask('/pages')).json.pages;
  const { links } = (await api.ask(`/pages/${hash}/links`)).json;
  const [{ target }] = links.filter((link: { target: string }) => link.target !== web.start);
  await api.post('/crawl/seeds', { urls: [target], crawl_depth: 1 });
  await api.quiet(3);
  const depths = (await api.ask('/pages')).json.pages.map((page: { depth: number }) => page.depth);
  assert.deepEqual([...new Set(depths)].sort(), [0, 1]);
});

test('routes: a text of another part is guarded and described as the others are', async (t) => {
  const metrics = textEndpoint('/metrics', 'Metrics', 'text/plain; version=0.0.4', () => 'up 1\n');
  const api = await openService(t, undefined, { more: [metrics] });
  const { text, headers } = await api.ask('/metrics');
  assert.deepEqual([text, headers.get('content-type')], ['up 1\n', 'text/plain; version=0.0.4']);
  assert.ok('/metrics' in (await api.ask('/openapi.json')).json.paths);
});

describe('api: with a crawl that runs', () => {
  let web: TestWeb;
  let api: TestService;

  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  before(async () => {
    const cleanup = { after: (end: () => unknown) => void ends.push(end) };
    web = await openWebFor(cleanup, SIZE);
    api = await openService(cleanup, web, { flags: ['--scope', 'any'] });
    const seeded = await api.post('/crawl/seeds', { urls: [web.start] });
    assert.equal(seeded.status, 202);
    assert.equal(seeded.json.queued_urls, 1);
    await api.quiet(SIZE.pages / 2);
  });

  const first = async () => (await api.ask(`/pages?url=${encodeURIComponent(web.start)}`)).json;

  test('POST /crawl/seeds: its job is at its Location', async () => {
    const body = { urls: [web.start, 'mailto:x'], priority: 'high', crawl_depth: 1 };
    const { status, json, headers } = await api.post('/crawl/seeds', body);
    assert.equal(status, 202);
    assert.deepEqual([json.queued_urls, json.known_urls, json.refused_urls], [0, 1, 1]);
    assert.deepEqual(json.refused, [{ url: 'mailto:x', reason: 'not an http: or https: URL' }]);
    assert.ok(Date.parse(json.estimated_start) > 0);
    const kept = await api.ask(headers.get('location') as string);
    assert.deepEqual([kept.status, kept.json.job_id], [200, json.job_id]);
    assert.deepEqual([kept.json.state, kept.json.ended_by], ['done', 'finished']);
    assert.deepEqual([kept.json.seeds, kept.json.priority, kept.json.crawl_depth], [2, 'high', 1]);
    assert.equal((await api.ask('/jobs/999')).status, 404);
  });

  test('POST /crawl/seeds: a copy that is older than the TTL is fetched again', async () => {
    const fresh = await api.post('/crawl/seeds', { urls: [web.start], recrawl_ttl_hours: 24 });
    assert.deepEqual([fresh.json.queued_urls, fresh.json.known_urls], [0, 1]);
    const visits = (await first()).pages[0].visits;
    const old = await api.post('/crawl/seeds', { urls: [web.start], recrawl_ttl_hours: 0 });
    assert.deepEqual([old.json.queued_urls, old.json.known_urls], [1, 0]);
    while ((await first()).pages[0].visits === visits) await new Promise(setImmediate);
  });

  test('GET /crawl/stats: counts what was fetched', async () => {
    const { status, json } = await api.ask('/crawl/stats');
    assert.equal(status, 200);
    assert.ok(json.run.pages >= SIZE.pages / 2 && json.totals.fetched >= SIZE.pages / 2);
    assert.equal(json.run.is_draining, false);
  });

  test('GET /pages: cursors go through all pages, each once', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let calls = 0; calls < 100; calls++) {
      const { json } = await api.ask(`/pages?limit=7${cursor}`);
      assert.ok(json.pages.length <= 7);
      seen.push(...json.pages.map((page: { url: string }) => page.url));
      if (json.next_cursor === undefined) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.length, (await api.ask('/crawl/stats')).json.totals.known);
  });

  test('GET /pages: filters by state, host and flag', async () => {
    const host = new URL(web.start).host;
    const { json } = await api.ask(`/pages?state=indexed&host=${host.toUpperCase()}&limit=1000`);
    assert.ok(json.pages.length > 3);
    for (const { url, state } of json.pages) {
      assert.deepEqual([new URL(url).host, state], [host, 'indexed']);
    }
    assert.deepEqual((await api.ask('/pages?flag=tls_error')).json.pages, []);
    assert.deepEqual((await api.ask('/pages?host=nobody.test')).json.pages, []);
  });

  test('GET /pages/{url_hash}: the page, with its headers if asked; 404 when unknown', async () => {
    const [{ url_hash: hash }] = (await first()).pages;
    const { status, json } = await api.ask(`/pages/${hash}?headers=true`);
    assert.deepEqual([status, json.page.url, json.page.state], [200, web.start, 'indexed']);
    assert.match(json.headers['content-type'], /text\/html/);
    assert.deepEqual((await api.ask(`/pages/${hash}`)).json, { page: json.page });
    assert.equal((await api.ask(`/pages/${NO_PAGE}`)).status, 404);
    assert.equal((await api.ask('/pages/nothex')).status, 422);
  });

  test('GET /pages/{url_hash}/links: slices that make up the whole', async () => {
    const [{ url_hash: hash }] = (await first()).pages;
    const whole = (await api.ask(`/pages/${hash}/links`)).json.links;
    assert.ok(whole.length > 3);
    const one = await api.ask(`/pages/${hash}/links?limit=2`);
    const two = await api.ask(`/pages/${hash}/links?limit=1000&cursor=${one.json.next_cursor}`);
    assert.deepEqual([...one.json.links, ...two.json.links], whole);
    const target = await api.ask(`/pages/${whole[0].target_hash}`);
    assert.equal(target.json.page.url, whole[0].target);
    assert.equal((await api.ask(`/pages/${NO_PAGE}/links`)).status, 404);
  });

  test('GET /pages/{url_hash}/content: bytes to save, never a page to show (Y3)', async () => {
    const [{ url_hash: hash, body_bytes: bytes }] = (await first()).pages;
    const { status, headers, text } = await api.ask(`/pages/${hash}/content`);
    assert.deepEqual([status, Buffer.byteLength(text)], [200, bytes]);
    assert.equal(headers.get('content-type'), 'application/octet-stream');
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="[0-9a-f]+\.bin"$/,
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
    assert.equal((await api.ask(`/pages/${NO_PAGE}/content`)).status, 404);
  });

  test('GET /hosts: listed with cursors; one with its robots.txt; 404 when unknown', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let calls = 0; calls < 10; calls++) {
      const { json } = await api.ask(`/hosts?limit=1${cursor}`);
      seen.push(...json.hosts.map((one: { host: string }) => one.host));
      if (json.next_cursor === undefined) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    assert.equal(new Set(seen).size, SIZE.hosts);
    const host = new URL(web.start).host;
    assert.equal((await api.ask(`/hosts?host=${host}`)).json.hosts[0].host, host);
    const one = await api.ask(`/hosts/${host}`);
    assert.deepEqual([one.json.host.host, one.json.robots.length], [host, 1]);
    assert.ok(one.json.host.fetched > 0);
    assert.equal((await api.ask('/hosts/nobody.test')).status, 404);
  });

  test('GET /why: the story of a page, of a stranger, and of no URL', async () => {
    const known = await api.ask(`/why?url=${encodeURIComponent(web.start)}`);
    assert.equal(known.json.verdict, 'fetched');
    assert.ok(known.json.story.length > 1 && known.json.page.url === web.start);
    assert.equal((await api.ask('/why?url=nonsense')).json.verdict, 'not a URL');
    assert.equal((await api.ask('/why')).status, 422);
  });

  test('POST /crawl/recrawl: makes a page due, and says what nothing is known of', async () => {
    const before = (await first()).pages[0].visits;
    const { status, json } = await api.post('/crawl/recrawl', { what: [web.start, 'no.test'] });
    assert.deepEqual(
      [status, json],
      [202, { due_pages: 1, waiting_urls: 0, unknown: ['no.test'] }],
    );
    while ((await first()).pages[0].visits === before) await new Promise(setImmediate);
    assert.equal((await api.post('/crawl/recrawl', {})).status, 422);
  });

  test('health, readiness, problems, docs: open to all, without script', async () => {
    assert.deepEqual((await api.ask('/healthz')).json, { status: 'ok' });
    assert.deepEqual((await api.ask('/readyz')).json, { status: 'ready' });
    assert.equal((await api.ask('/problems/invalid')).json.status, 422);
    assert.equal((await api.ask('/problems/x')).status, 404);
    const docs = await api.ask('/docs/');
    assert.match(
      docs.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'self'/,
    );
    assert.ok(!/<script|<style|<[^>]* on\w+=|(?:src|href)="(?!\/)/i.test(docs.text));
    assert.match(docs.text, /POST \/crawl\/seeds/);
    assert.match((await api.ask('/docs/style.css')).headers.get('content-type') ?? '', /text\/css/);
  });

  test('GET /openapi.json: passes an OpenAPI 3.1 validator, names every route', async () => {
    const { json } = await api.ask('/openapi.json');
    const { valid, errors } = await new Validator().validate(json);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(json.openapi, '3.1.0');
    assert.ok(Object.keys(json.paths).length >= 14);
  });

  test('nothing of it was unexpected', () => assert.deepEqual(api.bugs, []));
});

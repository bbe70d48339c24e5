/**
 * What the dashboard asks besides single rows (O2): orders over all hosts, a host's robots.txt,
 * queue and history, links to a page, its versions, arcs, freshness, copies and traps. Each
 * answer is held against the published document by the kit's client.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openService, type TestService } from '../kit/service.ts';
import { openWebFor, type TestWeb } from '../kit/web.ts';

const SIZE = {
  ...{ seed: 5, hosts: 5, pages: 120, bodyBytes: 900, features: 'honest' as const },
  quarters: { calendar: {}, mirror: { hosts: 1, pages: 40 } },
} as const;
const NO_PAGE = 'ab'.repeat(24);

describe('api surveys: with a crawl that runs', () => {
  let web: TestWeb;
  let api: TestService;
  let host = '';
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  before(async () => {
    const cleanup = { after: (end: () => unknown) => void ends.push(end) };
    web = await openWebFor(cleanup, SIZE);
    api = await openService(cleanup, web, { flags: ['--scope', 'any'] });
    await api.post('/crawl/seeds', { urls: [web.start] });
    await api.quiet(SIZE.pages / 2);
    host = new URL(web.start).host;
  });
  const get = async (path: string) => {
    const { status, json, text } = await api.ask(path);
    assert.equal(status, 200, text);
    return json;
  };
  const hashOf = async (url: string) =>
    (await get(`/pages?url=${encodeURIComponent(url)}`)).pages[0].url_hash as string;

  test('GET /hosts?sort: in order over all hosts, slice by slice, each once', async () => {
    for (const [sort, field] of [
      ...[['host', 'host'] as const, ['fetched', 'fetched'] as const],
      ['bytes', 'bytes'] as const,
    ]) {
      for (const order of ['asc', 'desc']) {
        const seen: { host: string; [name: string]: unknown }[] = [];
        for (let cursor = ''; ; ) {
          const slice = await get(`/hosts?sort=${sort}&order=${order}&limit=2${cursor}`);
          assert.ok(slice.count >= SIZE.hosts);
          seen.push(...slice.hosts);
          if (slice.next_cursor === undefined) break;
          cursor = `&cursor=${slice.next_cursor}`;
        }
        assert.equal(new Set(seen.map((one) => one.host)).size, seen.length);
        assert.ok(seen.length >= SIZE.hosts);
        const values = seen.map((one) => one[field] as number);
        const way = order === 'asc' ? 1 : -1;
        assert.deepEqual(
          values,
          [...values].sort((a, b) => (a < b ? -way : a > b ? way : 0)),
        );
      }
    }
  });

  test('GET /hosts?search: by part of a name; a cursor of another list is refused', async () => {
    const found = await get(`/hosts?search=${host.slice(2, -3).toUpperCase()}`);
    assert.deepEqual(
      found.hosts.map((one: { host: string }) => one.host),
      [host],
    );
    assert.equal((await get('/hosts?search=nobody')).count, 0);
    for (const path of ['/hosts?sort=host&cursor=abcd', '/hosts?cursor=W10']) {
      assert.equal((await api.ask(path)).status, 422, path);
    }
    assert.equal((await api.ask('/hosts?sort=nonsense')).status, 422);
  });

  test('GET /hosts/{host}/robots: the verdict for a path, and the lines that decide', async () => {
    const { robots } = await get(`/hosts/${host}`);
    const { verdicts } = await get(`/hosts/${host}/robots?path=/`);
    assert.equal(verdicts.length, robots.length);
    assert.equal(verdicts[0].allowed, true);
    const lines = (robots[0].text as string).split(/\r?\n/);
    const at = lines.findIndex((line) => /^disallow: *\//i.test(line));
    if (at >= 0) {
      const path = (lines[at] as string).replace(/^[^:]*: */, '').replace(/[*$].*/, 'x');
      const said = await get(`/hosts/${host}/robots?path=${encodeURIComponent(path)}`);
      assert.deepEqual([said.verdicts[0].allowed, said.verdicts[0].line], [false, at + 1]);
    }
    for (const line of verdicts[0].agent_lines) {
      assert.match(lines[line - 1] as string, /^user-agent/i);
    }
    assert.equal((await api.ask('/hosts/nobody.test/robots')).status, 404);
    assert.equal((await api.ask(`/hosts/${host}/robots?path=x`)).status, 422);
  });

  test('GET /hosts/{host}/queue: slices in the order in which they wait', async () => {
    const other = `http://nobody-home.${host.split(':')[0]}:1`;
    await api.post('/crawl/seeds', {
      urls: Array.from({ length: 7 }, (_, i) => `${other}/${i}`),
    });
    const name = new URL(other).host;
    const first = await get(`/hosts/${name}/queue?limit=3`);
    assert.equal(first.waiting.length, 3);
    const next = await get(`/hosts/${name}/queue?limit=10&cursor=${first.next_cursor}`);
    const all = [...first.waiting, ...next.waiting];
    assert.equal(new Set(all.map((one: { url: string }) => one.url)).size, all.length);
    const ranks = all.map((one: { rank: number }) => one.rank);
    assert.deepEqual(
      ranks,
      [...ranks].sort((a, b) => a - b),
    );
    assert.deepEqual((await get('/hosts/nobody.test/queue')).waiting, []);
  });

  test('GET /hosts/{host}/history: steps add up to what was asked there', async () => {
    const told = await get(`/hosts/${host}/history`);
    const sum = told.steps.reduce(
      (all: number, step: { fetched: number; failed: number }) => all + step.fetched + step.failed,
      0,
    );
    assert.equal(sum, told.fetches);
    assert.ok(told.fetches > 5 && told.latest.length > 5 && told.is_whole);
    assert.ok(told.steps.length <= 61);
    const ats = told.latest.map((one: { at: string }) => one.at);
    assert.deepEqual(ats, [...ats].sort().reverse());
    assert.deepEqual((await get('/hosts/nobody.test/history')).latest, []);
  });

  test('GET /pages/{url_hash}/linked-from: who named it first, and others of its host', async () => {
    const { links } = await get(`/pages/${await hashOf(web.start)}/links?limit=500`);
    const inside = links.find(
      ({ target }: { target: string }) => target !== web.start && new URL(target).host === host,
    );
    const told = await get(`/pages/${inside.target_hash}/linked-from`);
    assert.ok(told.links.length > 0 && told.looked_pages > 5);
    assert.equal(told.links[0].is_first, true);
    const sources = told.links.map((one: { source: string }) => one.source);
    assert.equal(new Set(sources).size, sources.length);
    assert.ok(sources.includes(web.start));
    for (const { source_hash: hash } of told.links) {
      const out = (await get(`/pages/${hash}/links?limit=1000`)).links;
      assert.ok(out.some(({ target }: { target: string }) => target === inside.target));
    }
    assert.equal((await api.ask(`/pages/${NO_PAGE}/linked-from`)).status, 404);
  });

  test('GET /pages/{url_hash}/versions: each visit, newest first, with the hash of its body', async () => {
    const hash = await hashOf(web.start);
    const visits = async () => (await get(`/pages/${hash}`)).page.visits as number;
    const before = await visits();
    await api.post('/crawl/recrawl', { what: [web.start] });
    while ((await visits()) === before) await new Promise(setImmediate);
    const { versions, is_whole: isWhole } = await get(`/pages/${hash}/versions`);
    assert.equal(isWhole, true);
    assert.ok(versions.length >= 2);
    assert.ok(versions.every(({ url }: { url: string }) => url === web.start));
    assert.ok(versions[0].at >= versions[1].at);
    const { page } = await get(`/pages/${hash}`);
    assert.ok(
      versions.some((one: { content_hash?: string }) => one.content_hash === page.content_hash),
    );
    assert.equal((await api.ask(`/pages/${NO_PAGE}/versions`)).status, 404);
  });

  test('GET /shards: 64 arcs with all hosts, all that waits, and the visits of this run', async () => {
    const sumOf = (rows: Record<string, number>[], name: string) =>
      rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
    let { shards } = await get('/shards');
    while (shards[0].waiting === undefined) ({ shards } = await get('/shards'));
    assert.equal(shards.length, 64);
    const { count } = await get('/hosts?sort=host&limit=1');
    assert.equal(sumOf(shards, 'hosts'), count);
    assert.ok(sumOf(shards, 'visits') >= SIZE.pages / 2);
  });

  test('GET /freshness: what is due, and a sample by tier and class', async () => {
    const fresh = await get('/freshness');
    assert.ok(fresh.sampled > 20 && fresh.in_time <= fresh.sampled);
    const sum = (name: string) =>
      fresh.groups.reduce((all: number, one: Record<string, number>) => all + (one[name] ?? 0), 0);
    assert.deepEqual([sum('pages'), sum('in_time')], [fresh.sampled, fresh.in_time]);
    assert.ok(fresh.due_within.hour <= fresh.due_within.day);
    assert.ok(fresh.due_within.day <= fresh.due_within.week);
  });

  test('GET /copies: counted to the end, the largest cluster first', async () => {
    let told = await get('/copies');
    while (!told.is_counted) told = await get('/copies');
    const { totals } = await get('/crawl/stats');
    assert.ok(told.looked_urls > 0 && told.looked_urls <= totals.known);
    const sizes = told.clusters.map((one: { copies: number }) => one.copies);
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
    const near = told.clusters.find((one: { kind: string }) => one.kind === 'near');
    assert.ok(near.original_url !== undefined && near.samples.length > 0);
    const [copy] = (await get(`/pages?url=${encodeURIComponent(near.samples[0])}`)).pages;
    assert.equal(copy.original_url, near.original_url);
  });

  test('GET /traps: hosts with traps, each once, with shapes and reasons', async () => {
    const seen: { host: { host: string }; traps: { shape: string; reason: string }[] }[] = [];
    for (let cursor = ''; ; ) {
      const slice = await get(`/traps?limit=1${cursor}`);
      assert.ok(slice.hosts.length <= 1);
      seen.push(...slice.hosts);
      if (slice.next_cursor === undefined) break;
      cursor = `&cursor=${slice.next_cursor}`;
    }
    assert.equal(new Set(seen.map(({ host }) => host.host)).size, seen.length);
    const calendar = seen.find(({ host }) => host.host.includes('calendar'));
    assert.ok(calendar !== undefined, JSON.stringify(seen));
    assert.ok(calendar.traps.every(({ shape, reason }) => shape !== '' && reason !== ''));
    assert.ok(calendar.traps.length > 0);
  });

  test('nothing of it was unexpected', () => assert.deepEqual(api.bugs, []));
});

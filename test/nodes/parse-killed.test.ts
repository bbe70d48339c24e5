/**
 * `orb serve --roles parse` as processes (K3, K5): a service that reads nothing itself, a parser
 * that is killed in the middle, and another that finishes. A crawl of one process is the measure.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gaps } from '../../testweb/index.ts';
import { orb, startOrb } from '../kit/orb.ts';
import { scratch } from '../kit/place.ts';
import { openService, type TestService } from '../kit/service.ts';
import { asked, openWebFor, pageRequests, type TestWeb, waitForRequests } from '../kit/web.ts';

const RATE = 50;
const WEB = { seed: 5, hosts: 5, pages: 40, bodyBytes: 600, features: 'plain' } as const;
const PACE = ['--rate', String(RATE), '--ip-rate', '1000'];
const UNREAD = ['--roles', 'frontier,fetch,schedule,api'];

function startParser(t: TestContext, at: string) {
  return startOrb(t, ['serve', '--roles', 'parse', '--frontier', at, '--workers', '0']);
}

async function seed(api: TestService, web: TestWeb): Promise<void> {
  const { status } = await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  assert.equal(status, 202);
}

/** What was found on each page, by its address. */
async function found(api: TestService): Promise<Map<string, unknown>> {
  const pages = new Map<string, unknown>();
  for (let cursor = ''; ; ) {
    const { json } = await api.ask(`/pages?limit=100${cursor}`);
    for (const page of json.pages) {
      const links = await api.ask(`/pages/${page.url_hash}/links?limit=200`);
      const { url, title, state, content_hash } = page;
      pages.set(new URL(url).pathname + new URL(url).host.split(':')[0], {
        ...{ title, state, content_hash },
        links: links.json.links,
      });
    }
    if (json.next_cursor === undefined) return pages;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

test('parser: killed in the middle, another finishes: the same pages and links as alone', async (t) => {
  const web = await openWebFor(t, WEB);
  const alone = await openService(t, web, { flags: PACE });
  await seed(alone, web);
  await alone.quiet(WEB.pages);
  const truth = await found(alone);
  await alone.close();
  const before = web.server.log.length;

  const api = await openService(t, web, { flags: [...UNREAD, ...PACE] });
  await seed(api, web);
  const first = startParser(t, api.at);
  assert.ok(await waitForRequests(web, before + 15, () => first.isOver), first.stderr);
  first.kill('SIGKILL');
  await first.ended;
  const second = startParser(t, api.at);
  await api.quiet(WEB.pages);
  assert.deepEqual(await found(api), truth);
  const again = pageRequests(web).length - 2 * asked(web).size;
  assert.equal(again, 0, 'a page that is read by the next one is not asked for again');
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / RATE - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
  second.kill('SIGTERM');
  const end = await second.ended;
  assert.equal(end.code, 143, end.stderr);
  assert.match(end.stderr, /"event":"working".*\n.*"event":"ended"/s);
  assert.deepEqual(api.bugs, []);
});

test('no parser: the page waits, nothing more is fetched; told to stop, it stays in the queue', async (t) => {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 6 });
  const dir = join(await scratch(t), 'crawl');
  const api = await openService(t, web, { dir, flags: [...UNREAD, ...PACE] });
  await seed(api, web);
  while (api.session.readings?.work.waiting !== 1) await new Promise(setImmediate);
  const page = await api.ask(`/pages?url=${encodeURIComponent(web.start)}`);
  assert.equal(page.json.pages[0].state, 'queued');
  assert.equal(pageRequests(web).length, 1);
  await api.close();
  const later = await openService(t, web, { dir, flags: PACE });
  await later.quiet(6);
  await later.close();
  assert.equal(asked(web).size, 6);
  for (const gap of gaps(web.server.log)) {
    assert.ok(gap.smallestMs >= 1_000 / RATE - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
});

test('serve --roles frontier,fetch: says once that pages wait, and ends at once when it is told', async (t) => {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 6 });
  const place = { cwd: await scratch(t) };
  const roles = ['--roles', 'frontier,fetch,schedule,api', '--port', '0', '--allow-private'];
  const node = startOrb(t, ['serve', ...roles, ...PACE, ...web.flags], place);
  await node.said(/"url":"([^"]+)"/);
  const [, at = ''] = /"url":"([^"]+)"/.exec(node.stderr) ?? [];
  const body = JSON.stringify({ urls: [web.start] });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${at}crawl/seeds`, { method: 'POST', headers, body });
  await node.said(/for a parser, and none asks/);
  const parser = startParser(t, at);
  await node.said(/A parser is there/);
  await waitForRequests(web, 7, () => node.isOver || parser.isOver);
  node.kill('SIGTERM');
  const { code, stderr } = await node.ended;
  assert.equal(code, 143, stderr);
  assert.equal(stderr.match(/"event":"parsers"/g)?.length, 2, stderr);
});

test('parser: without a frontier it is refused', async (t) => {
  const alone = await orb(t, ['serve', '--roles', 'parse']);
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /--frontier http:\/\/HOST:7070/);
});

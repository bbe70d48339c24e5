/**
 * Region tags on stored bodies (G2): a folder that was begun without a tag, gone on with under
 * `eu`, then under `us`. Each body keeps the tag that it was stored under; what has one of them
 * can be listed, erased and kept for a time of its own.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { urlKeyOf } from '../../src/record/index.ts';
import { placesOf } from '../kit/folder-bytes.ts';
import { inventoryOf, orb, scratch } from '../kit/index.ts';
import { openService, type TestService } from '../kit/service.ts';

/** Pages say what they are told to say; nothing else is in their bodies. */
async function openSite(t: TestContext) {
  const says = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const text = says.get(url);
    const head = { 'content-type': 'text/html' };
    if (text === undefined) return void response.writeHead(404, head).end('none');
    response.writeHead(200, head).end(`<title>${text}</title><p>${text}</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { says, asked, urlOf: (path: string) => `http://127.0.0.1:${port}${path}` };
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** The service on that folder under a region, while `act` lasts. */
async function under<T>(
  t: TestContext,
  dir: string,
  flags: readonly string[],
  act: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await openService(t, undefined, { dir, flags });
  try {
    return await act(service);
  } finally {
    await service.close();
  }
}

async function seed(service: TestService, site: Site, paths: readonly string[]): Promise<void> {
  const urls = paths.map(site.urlOf);
  const reply = await service.post('/crawl/seeds', { urls });
  assert.equal(reply.status, 202, reply.text);
  const job = `/jobs/${reply.json.job_id}`;
  for (let state = ''; state !== 'done'; ) state = (await service.ask(job)).json.state;
  const before = site.asked.length;
  const again = await service.post('/crawl/recrawl', { what: urls });
  assert.equal(again.status, 202, again.text);
  while (!paths.every((path) => site.asked.includes(path, before))) await service.ask(job);
  await service.quiet();
}

async function pageOf(service: TestService, url: string) {
  return (await service.ask(`/pages/${urlKeyOf(url).toString('hex')}`)).json.page;
}

async function listed(service: TestService, query: string): Promise<string[]> {
  const { json } = await service.ask(`/pages?${query}`);
  return json.pages.map(({ url }: { url: string }) => new URL(url).pathname).sort();
}

test('regions: a body keeps the tag it was stored under; erasing a region erases just that', async (t) => {
  const site = await openSite(t);
  const dir = join(await scratch(t), 'crawl');
  for (const path of ['/untagged', '/moves', '/stays', '/held', '/new']) {
    site.says.set(path, `Zq${path.slice(1)}wv first`);
  }
  await under(t, dir, [], (service) => seed(service, site, ['/untagged']));
  await under(t, dir, ['--region', 'EU'], async (service) => {
    await seed(service, site, ['/untagged', '/moves', '/stays', '/held']);
    assert.deepEqual(await listed(service, 'region=eu'), ['/held', '/moves', '/stays']);
  });
  site.says.set('/moves', 'Zqmoveswv second');
  await under(t, dir, ['--region', 'us'], async (service) => {
    await seed(service, site, ['/moves', '/stays', '/new']);
    assert.deepEqual(await listed(service, 'region=us'), ['/moves', '/new']);
    assert.deepEqual(await listed(service, 'region=eu'), ['/held', '/stays']);
    assert.equal((await pageOf(service, site.urlOf('/untagged'))).region, undefined);
  });

  await t.test('the lists and the exports say it', () => listsSay(t, dir));
  await under(t, dir, ['--region', 'us'], (service) => erasesRegion(service, site));
  const words = ['Zqstayswv', 'Zqmoveswv first', 'Zqheldwv', 'Zqmoveswv second', 'Zquntaggedwv'];
  const kept = await Promise.all(words.map(async (w) => (await placesOf(t, dir, [w])).length > 0));
  assert.deepEqual(kept, [false, false, true, true, true], `in the files: ${words}`);
  await inventoryOf(t, dir);
  const verdict = await orb(t, ['audit', 'verify', '--dir', dir]);
  assert.equal(verdict.code, 0, verdict.stdout);

  await t.test('it may be asked for again, and is then stored here', async () => {
    await under(t, dir, ['--region', 'us'], async (service) => {
      await seed(service, site, ['/stays']);
      const page = await pageOf(service, site.urlOf('/stays'));
      assert.deepEqual([page.region, page.title, page.flags], ['us', 'Zqstayswv first', []]);
    });
    await inventoryOf(t, dir);
  });
});

async function listsSay(t: TestContext, dir: string): Promise<void> {
  const { stdout } = await orb(t, ['pages', '--dir', dir, '--json']);
  const rows = stdout.trim().split('\n');
  const told = rows.map((row) => JSON.parse(row)).filter(({ state }) => state === 'indexed');
  const tags = told.map(({ url, region = '' }) => `${new URL(url).pathname} ${region}`);
  const due = ['/held eu', '/moves us', '/new us', '/stays eu', '/untagged '];
  assert.deepEqual(tags.sort(), due);
  const some = await orb(t, ['pages', '--dir', dir, '--stored-in', 'eu', '--json']);
  assert.equal(some.stdout.trim().split('\n').length, 2);
  const csv = await orb(t, ['export', 'csv', '--dir', dir]);
  const [head = '', ...lines] = csv.stdout.split('\n');
  const at = head.split(',').indexOf('region');
  assert.ok(at > 0, head);
  assert.equal(lines.filter((line) => line.split(',')[at] === 'eu').length, 2, csv.stdout);
}

async function erasesRegion(service: TestService, site: Site): Promise<void> {
  const reason = 'moved';
  await service.post('/holds', { url: site.urlOf('/held'), reason });
  for (const [path, more] of [
    ['/takedowns', { region: 'eu', erase: false }],
    ['/takedowns', { region: 'e u' }],
    ['/takedowns', { region: 'eu', host: 'example.com' }],
    ['/holds', { region: 'eu' }],
    ['/denylist/lift', { region: 'eu' }],
  ] as const) {
    const refused = await service.post(path, { ...more, reason });
    assert.equal(refused.status, 422, `${path} ${JSON.stringify(more)}: ${refused.text}`);
  }
  const before = site.asked.length;
  const { status, json } = await service.post('/takedowns', { region: 'eu', reason });
  assert.equal(status, 200);
  assert.deepEqual(json.subject, { kind: 'region', value: 'eu' });
  assert.deepEqual(json.removed, { records: 1, bodies: 2, events: 5 });
  assert.match(json.kept.join('\n'), /1 records, because they are under legal hold/);
  assert.deepEqual(await listed(service, 'region=eu'), ['/held']);
  assert.deepEqual((await service.ask('/denylist')).json.denials, []);
  const page = await pageOf(service, site.urlOf('/stays'));
  assert.deepEqual([page.title, page.region, page.flags], [undefined, undefined, ['erased']]);
  assert.equal(site.asked.length, before, 'nothing is asked for on its behalf');
}

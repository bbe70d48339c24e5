/**
 * Regions (K4) as a user has them: `orb serve --roles fetch --region eu` as processes of their own,
 * a service that lends to them, and a geo-IP table on the disk. The web's own log is the witness,
 * and so are the fetchers' address rules: whoever is sent to a host of the other region refuses it.
 */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gaps } from '../../testweb/index.ts';
import { orb, startOrb } from '../kit/orb.ts';
import { scratch } from '../kit/place.ts';
import { openService, type TestService } from '../kit/service.ts';
import { asked, openWebFor, pageRequests, type TestWeb, waitForRequests } from '../kit/web.ts';

const RATE = 20;
const WEB = { seed: 5, hosts: 6, pages: 60, bodyBytes: 600, features: 'plain' } as const;
const LENT = ['--roles', 'frontier,parse,schedule,api', '--timeout', '1s'];
const PACE = ['--rate', String(RATE), '--ip-rate', '1000'];

const isEuropean = (nth: number) => nth % 2 === 0;
const regionOf = (nth: number) => (isEuropean(nth) ? 'eu' : 'as');
/** Every host is in one of two regions. */
const hostRegions = ({ web }: TestWeb) =>
  web.hosts.flatMap(({ name }, nth) => ['--host-region', `${name}=${regionOf(nth)}`]);

const lease = (api: TestService, more: object) =>
  api.post('/frontier/all/lease_batch', { fetcher: 'one', n: 10, ...more });

function startFetcher(t: TestContext, api: TestService, more: readonly string[]) {
  const fetching = ['serve', '--roles', 'fetch', '--frontier', api.at, '--timeout', '1s'];
  return startOrb(t, [...fetching, '--allow-network', '127.1.0.0/16', ...more]);
}

/** What the web's log says of a crawl that is over. */
function assertWhole(web: TestWeb, againMax: number): void {
  const again = pageRequests(web).length - asked(web).size;
  assert.ok(asked(web).size >= WEB.pages, `${asked(web).size} pages`);
  assert.ok(again <= againMax, `${again} asked again`);
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / RATE - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
}

test('regions: two fetchers, neither may reach the other half of the web: it is crawled whole', async (t) => {
  const web = await openWebFor(t, WEB);
  const patient = ['--take-over-after', '1h', ...hostRegions(web)];
  const api = await openService(t, web, { flags: [...LENT, ...PACE, ...patient] });
  // Both are there before there is anything to ask: nobody is sent to the other's hosts.
  for (const region of ['eu', 'asia']) assert.equal((await lease(api, { region })).status, 200);
  await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  const blocked = (region: string) =>
    web.web.hosts.flatMap(({ address }, nth) =>
      regionOf(nth) === region ? [] : ['--block-network', address],
    );
  const fetchers = [
    startFetcher(t, api, ['--region', 'eu', ...blocked('eu')]),
    startFetcher(t, api, ['--region', 'us-east-1', '--fetch-region', 'asia', ...blocked('as')]),
  ];
  await api.quiet(WEB.pages);
  assertWhole(web, 0);
  for (const fetcher of fetchers) {
    fetcher.kill('SIGTERM');
    const { code, stderr } = await fetcher.ended;
    assert.equal(code, 143, stderr);
    assert.match(stderr, /"[1-9]\d* requests were made and taken; 0 came too late/);
  }
  assert.deepEqual(api.bugs, []);
});

test('regions: the fetcher of one region is killed, that of the other takes over', async (t) => {
  const web = await openWebFor(t, WEB);
  const soon = ['--take-over-after', '300ms', ...hostRegions(web)];
  const api = await openService(t, web, { flags: [...LENT, ...PACE, ...soon] });
  await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  const far = startFetcher(t, api, ['--region', 'as']);
  assert.ok(await waitForRequests(web, 20, () => far.isOver), far.stderr);
  startFetcher(t, api, ['--region', 'eu']);
  far.kill('SIGKILL');
  await far.ended;
  await api.quiet(WEB.pages);
  assertWhole(web, WEB.hosts);
  assert.deepEqual(api.bugs, []);
});

test('regions: a host is in the region of its address, once that is known', async (t) => {
  const web = await openWebFor(t, { ...WEB, hosts: 1, pages: 6 });
  const table = join(await scratch(t), 'regions.csv');
  const [first] = web.web.hosts;
  assert.ok(first !== undefined);
  await writeFile(table, `network,region\n127.0.0.0/8,eu\n${first.address}/32,as\n`);
  const flags = [...LENT, ...PACE, '--geo-ip', table, '--take-over-after', '1h'];
  const api = await openService(t, web, { flags });
  const leased = async (region: string) => {
    for (;;) {
      const [found] = (await lease(api, { region })).json.leases;
      if (found !== undefined) return found;
      await new Promise(setImmediate);
    }
  };
  await lease(api, { region: 'as' });
  await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  const robots = await leased('eu');
  assert.match(robots.url, /robots\.txt$/, 'of its address nothing is known yet');
  const results = {
    ...{ kind: 'answered', status: 404, headers: {}, body: '', first_byte_ms: 1, whole_ms: 1 },
    remote_address: robots.address,
  };
  const ack = { fetcher: 'one', lease: robots.lease, results };
  assert.equal((await api.post('/frontier/all/ack', ack)).status, 200);
  const page = leased('as');
  for (let looks = 0; looks < 20; looks++) {
    assert.deepEqual((await lease(api, { region: 'eu' })).json.leases, []);
  }
  assert.equal((await page).url, web.start);
});

test('regions: what is no name of a region is refused with its place', async (t) => {
  const api = await openService(t, undefined, { flags: ['--dns', '127.0.0.1:9', ...LENT] });
  for (const region of ['', 'EU', 'a b', 'a'.repeat(33), '-eu', 'e,u', 5, null, ['eu']]) {
    const { status, json } = await lease(api, { region });
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, '/region'], JSON.stringify(region));
  }
  assert.equal((await lease(api, { region: 'nobody-is-here' })).status, 200);
  assert.deepEqual(api.bugs, []);
});

test('regions: a table that is broken or not there is told before anything begins', async (t) => {
  const cwd = await scratch(t);
  await writeFile(join(cwd, 'bad.csv'), 'network,region\n192.0.2.0/24,eu\n192.0.2.9/24,as\n');
  const bad = await orb(t, ['serve', '--port', '0', '--geo-ip', 'bad.csv'], { cwd });
  assert.equal(bad.code, 4, bad.stderr);
  assert.match(bad.stderr, /Line 3 of bad\.csv \(--geo-ip\) .*'192\.0\.2\.9\/24'.*prefix/);
  const none = await orb(t, ['serve', '--port', '0', '--geo-ip', 'none.csv'], { cwd });
  assert.equal(none.code, 4, none.stderr);
  assert.match(none.stderr, /none\.csv \(--geo-ip\) does not exist/);
  assert.deepEqual(await readdir(cwd), ['bad.csv'], 'no folder was made');
});

/**
 * The erasure of a whole host (G2) takes its record, its robots.txt and what its pages said about
 * it, also out of the memory of a crawl that runs; that it may not be asked stays.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openEngines } from '../../src/compose.ts';
import { blankHost, hostKeyOf } from '../../src/record/index.ts';
import { placesOf } from '../kit/folder-bytes.ts';
import { inventoryOf, orb, scratch } from '../kit/index.ts';
import { openService, type TestService } from '../kit/service.ts';

/** Enough of them for a sketch of the host. */
const PAGES = 40;
const [GONE, KEPT] = ['127.0.0.2', '127.0.0.3'] as const;
/** In their robots.txt, and so unlike all else that the engine cannot write them shorter. */
const MARKS: Readonly<Record<string, string>> = { [GONE]: 'Qmzvxkpw', [KEPT]: 'Hbtrlydg' };

async function openSites(t: TestContext) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`http://${headers.host}${url}`);
    const name = headers.host?.split(':')[0] as string;
    if (url === '/robots.txt')
      return void response.end(`User-agent: *\nDisallow: /${MARKS[name]}/\n`);
    const links = Array.from({ length: PAGES }, (_, n) => `<a href="/p/${n}.html">${n}</a>`);
    const text = `<title>${url}</title><p>${url} of ${name}</p>${links.join(' ')}`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, port, hostOf: (name: string) => `${name}:${port}` };
}

async function hostIn(dir: string, host: string) {
  const engines = await openEngines(dir, { syncAlways: false, codec: 'none' });
  try {
    return await engines.store.host(hostKeyOf(host));
  } finally {
    await engines.close();
  }
}

async function sketched(service: TestService, host: string): Promise<void> {
  const { json } = await service.ask(`/hosts/${host}`);
  assert.ok(json.host.fetched > PAGES, `${json.host.fetched} of ${host}`);
  assert.equal(json.robots.length, 1);
}

test('erasure of a host: its record, robots.txt and sketch go, in memory too; its denials stay', async (t) => {
  const { asked, hostOf } = await openSites(t);
  const dir = join(await scratch(t), 'crawl');
  const [gone, kept] = [hostOf(GONE), hostOf(KEPT)];
  const service = await openService(t, undefined, { dir });
  await service.post('/crawl/seeds', { urls: [`http://${gone}/`, `http://${kept}/`] });
  await service.quiet(2 * PAGES);
  for (const host of [gone, kept]) await sketched(service, host);
  const complaint = { host: GONE, text: 'too fast', opt_out: true };
  assert.equal((await service.post('/complaints', complaint)).status, 200);
  const report = await service.post('/takedowns', { host: gone, reason: 'court' });
  assert.equal(report.status, 200, report.text);
  const many = asked.length;

  const { host, robots, traps } = (await service.ask(`/hosts/${gone}`)).json;
  assert.deepEqual(
    [host.fetched, host.bytes, host.address, robots, traps],
    [0, 0, undefined, [], []],
  );
  await service.post('/crawl/seeds', { urls: [`http://${gone}/`, `http://${gone}/new`] });
  await service.post('/crawl/recrawl', { what: [gone] });
  await service.close();
  const stored = await hostIn(dir, gone);
  assert.ok(stored !== undefined && (await hostIn(dir, kept)) !== undefined);
  assert.deepEqual(stored.record, { ...blankHost(gone), turnAt: stored.record.turnAt });
  assert.deepEqual([stored.robots, stored.sketch.length], [[], 0]);
  const other = await hostIn(dir, kept);
  assert.ok((other?.robots.length ?? 0) === 1 && (other?.sketch.length ?? 0) > 0);
  assert.deepEqual(
    await placesOf(t, dir, [MARKS[GONE] as string]),
    [],
    'its robots.txt is in no file',
  );
  assert.ok((await placesOf(t, dir, [MARKS[KEPT] as string])).length > 0);
  await inventoryOf(t, dir);
  assert.deepEqual(asked.slice(many), [], 'nobody is asked for what is erased');
  const { stdout } = await orb(t, ['audit', 'rules', '--dir', dir, '--json']);
  const rules = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const said = rules.map(({ kind, value }) => `${kind} ${value}`).sort();
  assert.deepEqual(said, [`host ${gone}`, `site ${GONE}`], stdout);
});

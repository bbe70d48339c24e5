/**
 * A page's scripts ask for addresses that a crawl may not ask (Y1): by fetch, frame, socket,
 * prefetch and worker, by name and by number, and by a redirect. A server there counts visitors.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLAGS } from '../../src/record/index.ts';
import { browserPath, orb, recordsOf, scratch } from '../kit/index.ts';

const ALLOWED = '127.1.0.9';

test('render: no request to a blocked address, whatever a page tries', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  let visitors = 0;
  const forbidden = createTcpServer((socket) => {
    visitors++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(forbidden, 'listening');
  t.after(() => forbidden.close());
  const { port } = forbidden.address() as AddressInfo;
  const asked: string[] = [];
  const site = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/robots.txt') return response.end('');
    if (request.url?.startsWith('/to')) {
      return response.writeHead(302, { location: `http://127.0.0.1:${port}/redirected` }).end();
    }
    response.setHeader('content-type', 'text/html').end(pageFor(port));
  }).listen(0, ALLOWED);
  await once(site, 'listening');
  t.after(() => site.close().closeAllConnections());
  const seed = `http://${ALLOWED}:${(site.address() as AddressInfo).port}/`;
  const dir = join(await scratch(t), 'crawl');
  const network = ['--allow-network', '127.1.0.0/16', '--delay', '5ms', '--ip-rate', '1000'];
  const end = await orb(t, [
    'crawl',
    seed,
    '--dir',
    dir,
    ...network,
    '--render',
    'auto',
    '--chromium',
    chromium,
  ]);
  assert.equal(end.code, 0, end.stderr);
  const { urls } = await recordsOf(t, dir);
  const { flags = 0, reason } = urls.get(seed) ?? {};
  assert.ok((flags & FLAGS.rendered) !== 0, `it was rendered: ${reason}`);
  assert.ok(asked.includes('/to-script') && asked.includes('/to-frame'), asked.join(' '));
  assert.ok(urls.has(`${seed}the-end`), 'its scripts ran to their end, and their link was found');
  assert.equal(visitors, 0);
});

function pageFor(port: number): string {
  const places = [`127.0.0.1:${port}`, `localhost:${port}`, `2130706433:${port}`, `[::1]:${port}`];
  return `<!doctype html><title>x</title><div id=root></div>
    <link rel=prefetch href=http://127.0.0.1:${port}/prefetch>
    <iframe src=http://127.0.0.1:${port}/frame></iframe><iframe src=/to-frame></iframe>
    <script>
    const quiet = () => undefined;
    const all = ${JSON.stringify(places)}.flatMap((place) => {
      const socket = new Promise((done) => { new WebSocket('ws://' + place).onclose = done; });
      new Worker(URL.createObjectURL(new Blob(["fetch('http://" + place + "/w').catch(() => 0)"])));
      return [fetch('http://' + place + '/fetch').catch(quiet), socket];
    });
    all.push(fetch('/to-script').catch(quiet), fetch('http://169.254.169.254/').catch(quiet));
    Promise.all(all).then(() => { root.innerHTML = '<a href=/the-end>the end</a>'; });
    </script>`;
}

test('render: a script on a host that does not answer holds up its page only, not the crawl', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const site = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.end('');
    const page = `<title>x</title><div id=root></div><script>root.innerHTML = '<a href=/b>b</a>'</script>
      <script async src=http://127.1.0.10:9/lib.js></script>`;
    response.setHeader('content-type', 'text/html').end(page);
  }).listen(0, ALLOWED);
  await once(site, 'listening');
  t.after(() => site.close().closeAllConnections());
  const seed = `http://${ALLOWED}:${(site.address() as AddressInfo).port}/`;
  const dir = join(await scratch(t), 'crawl');
  const network = ['--allow-network', '127.1.0.0/16', '--delay', '5ms', '--patience', '2s'];
  const browser = ['--render', 'auto', '--chromium', chromium];
  const end = await orb(t, ['crawl', seed, '--dir', dir, ...network, ...browser]);
  assert.equal(end.code, 0, end.stderr);
  const { urls } = await recordsOf(t, dir);
  const { flags = 0, reason } = urls.get(`${seed}b`) ?? {};
  assert.ok((flags & FLAGS.rendered) !== 0, `what is behind it was rendered: ${reason}`);
});

/**
 * A crawl tells a server about its pages (A5): real requests, checked by their signatures, through
 * a server that is busy, a kill, and the next run.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openWebFor, orb, pageRequests, scratch } from '../kit/index.ts';

const KEY = Buffer.alloc(32, 9);
const SECRET = `whsec_${KEY.toString('base64')}`;

interface Received {
  readonly id: string;
  readonly urls: readonly string[];
}

/** Takes what is signed; answers with the statuses given first, then with 204. */
async function receiver(t: TestContext, statuses: number[] = []) {
  const received: Received[] = [];
  let refused = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const { headers } = request;
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const mac = createHmac('sha256', KEY).update(signed).digest('base64');
      const isOurs = headers['webhook-signature'] === `v1,${mac}`;
      const status = isOurs ? (statuses.shift() ?? 204) : 401;
      if (status !== 204) refused++;
      else {
        const events: { url: string }[] = JSON.parse(body).data.events;
        received.push({ id: String(headers['webhook-id']), urls: events.map(({ url }) => url) });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/orb`, received, refused: () => refused };
}

test('webhooks: every page of a crawl is told once, signed, also to a server that is busy', async (t) => {
  const web = await openWebFor(t, { seed: 5, hosts: 3, pages: 130, bodyBytes: 500 });
  const dir = join(await scratch(t), 'crawl');
  const hook = await receiver(t, [503]);
  const flags = ['--scope', 'any', '--allow-private', '--rate', 'max', '--webhook', hook.url];
  const env = { ORB_HOOKS_WEBHOOK_SECRET: SECRET };
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...flags], { env });
  assert.equal(end.code, 0, end.stderr);
  assert.equal(hook.refused(), 1);
  assert.match(
    end.stderr,
    /did not take a message \(status 503\): tried again in .*, nothing is lost/,
  );
  const told = hook.received.flatMap(({ urls }) => urls);
  const asked = pageRequests(web).map(({ url }) => url);
  assert.deepEqual([...told].sort(), [...asked].sort());
  assert.ok(!end.stderr.includes(SECRET), 'the secret is not printed');
});

test('webhooks: a server that is not there loses nothing: the next run tells it', async (t) => {
  const web = await openWebFor(t, { seed: 6, hosts: 2, pages: 20, bodyBytes: 500 });
  const dir = join(await scratch(t), 'crawl');
  const env = { ORB_HOOKS_WEBHOOK_SECRET: SECRET };
  const base = ['crawl', web.start, '--dir', dir, ...web.flags];
  const flags = ['--scope', 'any', '--allow-private', '--rate', 'max'];
  const first = await orb(t, [...base, ...flags], { env });
  assert.equal(first.code, 0, first.stderr);
  const hook = await receiver(t);
  const second = await orb(t, [...base, ...flags, '--webhook', hook.url], { env });
  assert.equal(second.code, 0, second.stderr);
  assert.equal(hook.received.flatMap(({ urls }) => urls).length, pageRequests(web).length);
});

test('webhooks: without a secret, with a bad one, to no URL: refused before anything is asked', async (t) => {
  const run = (...flags: string[]) =>
    orb(t, ['crawl', 'http://127.0.0.1:1/', '--dry-run', ...flags]);
  const none = await run('--webhook', 'https://hook.example/');
  assert.equal(none.code, 2);
  assert.match(none.stderr, /--webhook needs a secret/);
  const bad = await run('--webhook', 'https://hook.example/', '--webhook-secret', 'hunter2');
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /24 to 64/);
  assert.ok(!bad.stderr.includes('hunter2'), bad.stderr);
});

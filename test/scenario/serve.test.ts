/**
 * `orb serve` as a process (A1, L3): it listens, takes seeds, drains at a signal, and goes on
 * with its folder.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { orb, startOrb } from '../kit/orb.ts';
import { scratch } from '../kit/place.ts';
import { openWebFor, waitForRequests } from '../kit/web.ts';

const SIZE = { seed: 6, hosts: 2, pages: 30, bodyBytes: 500, features: 'plain' } as const;

async function serve(t: TestContext, cwd: string, flags: readonly string[]) {
  const run = startOrb(t, ['serve', '--port', '0', '--dir', 'crawl', ...flags], { cwd });
  await run.said(/"event":"listening"/);
  const at = /"url":"(http:\/\/[^"]+)\/"/.exec(run.stderr)?.[1];
  assert.ok(at, run.stderr);
  return { run, at };
}

test('serve: takes seeds, drains at SIGTERM, and goes on with its folder', async (t) => {
  const web = await openWebFor(t, SIZE);
  const cwd = await scratch(t);
  const flags = [...web.flags, '--allow-private', '--rate', 'max', '--workers', '0'];
  const { run, at } = await serve(t, cwd, flags);
  const seeded = await fetch(`${at}/crawl/seeds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ urls: [web.start] }),
  });
  assert.equal(seeded.status, 202);
  await waitForRequests(web, 5, () => run.isOver);
  const scraped = await (await fetch(`${at}/metrics`)).text();
  assert.match(scraped, /^orb_fetches_total\{[^}]*\} [1-9]/m);
  assert.match(scraped, /^orb_complaints_total 0$/m);
  run.kill('SIGTERM');
  const end = await run.ended;
  assert.deepEqual([end.code, end.stdout], [143, ''], end.stderr);
  const again = await serve(t, cwd, flags);
  const { pages } = (await (await fetch(`${again.at}/pages?limit=1`)).json()) as {
    pages: object[];
  };
  assert.equal(pages.length, 1);
  again.run.kill('SIGINT');
  assert.equal((await again.run.ended).code, 130);
});

test('serve: tells sites who crawls, and hands out the keys that it signs with (P6, P8)', async (t) => {
  const cwd = await scratch(t);
  const made = await orb(t, ['key', 'new', '--out', 'key.json'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  const signing = ['--sign-key', 'key.json', '--signature-agent', 'https://bot.example.com'];
  const { run, at } = await serve(t, cwd, [...signing, '--contact', 'ops@example.com']);
  const about = await fetch(`${at}/about-the-crawler`);
  assert.match(await about.text(), /ops@example\.com[\s\S]*well-known/);
  assert.match(about.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const directory = await fetch(`${at}/.well-known/http-message-signatures-directory`);
  assert.equal(directory.status, 200);
  const { keys } = (await directory.json()) as { keys: { crv: string; d?: string }[] };
  assert.deepEqual(
    keys.map(({ crv, d }) => [crv, d]),
    [['Ed25519', undefined]],
  );
  assert.match(directory.headers.get('signature-input') ?? '', /"@authority";req/);
  run.kill('SIGTERM');
  assert.equal((await run.ended).code, 143);
});

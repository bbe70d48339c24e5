/**
 * `orb serve` as a process (A1, L3): it listens, takes seeds, drains at a signal, and goes on
 * with its folder.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startOrb } from '../kit/orb.ts';
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

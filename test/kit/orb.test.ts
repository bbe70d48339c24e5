/** Processes that tests start do not outlive them (orb.ts). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scratch } from './place.ts';

const CHILD = fileURLToPath(new URL('./orb.child.ts', import.meta.url));
const PATIENCE_MS = 10_000;

test('orb in tests: whoever started it is killed: it goes, too', async (t) => {
  const dir = join(await scratch(t), 'crawl');
  const parent = spawn(process.execPath, [CHILD, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = (await once((parent.stdout as Readable).setEncoding('utf8'), 'data')) as [string];
  const at = line.trim();
  assert.match(at, /^http/);
  assert.equal((await fetch(`${at}healthz`)).status, 200);
  parent.kill('SIGKILL');
  const last = performance.now() + PATIENCE_MS;
  const isThere = () =>
    fetch(`${at}healthz`).then(
      () => true,
      () => false,
    );
  while (await isThere()) assert.ok(performance.now() < last, 'it is still there');
});

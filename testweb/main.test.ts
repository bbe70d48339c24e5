/** The test web as a process, asked through its desk. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask } from './brute-crawl.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

test('main: it tells its ports, answers its desk, and ends when its parent is gone', async (t) => {
  const flags = ['--hosts', '5', '--pages', '100', '--seed', '7', '--features', 'honest,tls'];
  flags.push('--quarters', 'calendar=2,farm=1x20');
  const child = spawn(process.execPath, [MAIN, ...flags, '--tls', '--parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ready = JSON.parse(line) as Record<string, number | string>;
  assert.equal(ready.pid, child.pid);
  assert.ok(Number(ready.dnsPort) > 0 && Number(ready.tlsPort) > 0);

  const desk = async (path: string) => {
    const reply = await ask(`http://127.0.0.1:${ready.controlPort}${path}`, () => '127.0.0.1');
    return JSON.parse(reply.body.toString()) as Record<string, unknown>;
  };
  assert.equal((await ask(String(ready.start), () => '127.1.1.1')).status, 200);
  assert.equal((await desk('/log.json')).requests, 1);
  const truth = await desk('/truth.json?urls=page');
  assert.ok((truth.urls as string[]).includes(String(ready.start)));
  const verdict = (await desk('/judge.json')) as {
    counts: Record<string, number>;
    expected: number;
  };
  assert.equal(verdict.counts.missing, verdict.expected - 1);
  const places = (await desk('/quarters.json')) as unknown as { host: string }[];
  assert.deepEqual(
    places.map(({ host }) => host.split('.')[1]),
    ['calendar-1-s7', 'calendar-2-s7', 'farm-1-s7'],
  );
  assert.deepEqual(await desk('/advance?ms=1000'), { advanced: 1_000 });
  await desk('/reset');
  assert.equal((await desk('/log.json')).requests, 0);

  child.stdin.end();
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('main: an unknown feature is refused by name', async () => {
  const child = spawn(process.execPath, [MAIN, '--features', 'redirect'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(said, /no feature 'redirect': redirects,/);
});

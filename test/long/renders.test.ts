/**
 * Many renders, and a browser that is killed again and again (J2): every page ends rendered or
 * with a reason, nothing is left running, and memory does not grow.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aliveIn, browsersOf } from '../../src/adapters/chromium/processes.testkit.ts';
import { FLAGS } from '../../src/record/index.ts';
import { browserPath, openWebFor, recordsOf, scaled, scratch, startOrb } from '../kit/index.ts';

const RENDERS = scaled(10, 200);
const KILL_EVERY = scaled(4, 20);
const MB = 1 << 20;
const PAGE_BYTES = 4_096;

test('renders: a browser killed every so often: each page has an end, nothing is left', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  if (!existsSync('/proc/self')) return t.skip('there is no /proc to look for processes');
  const app = { hosts: scaled(2, 10), pages: scaled(3, 18) };
  const options = { seed: 67, hosts: 1, pages: 2, features: 'plain' } as const;
  const web = await openWebFor(t, { ...options, quarters: { app } });
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--scope', 'any', '--allow-private', '--rate', 'max', '--render', 'auto'];
  const run = startOrb(t, [
    'crawl',
    web.start,
    '--dir',
    dir,
    ...web.flags,
    ...flags,
    '--chromium',
    chromium,
  ]);
  const killed = new Set<number>();
  const seen = new Set<number>();
  const sizes: number[] = [];
  let next = KILL_EVERY;
  while (!run.isOver) {
    await Promise.race([run.ended, new Promise((look) => setTimeout(look, 5))]);
    const running = browsersOf(run.pid);
    for (const pid of running) seen.add(pid);
    const rendered = dataRequests(web);
    if (rendered < next || running.length === 0) continue;
    next += KILL_EVERY;
    sizes.push(residentBytes(run.pid));
    for (const pid of running) {
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
    }
  }
  const end = await run.ended;
  assert.equal(end.code, 0, end.stderr);
  const { urls } = await recordsOf(t, dir);
  const scripted = [...urls.values()].filter(({ url }) => web.web.labelOf(url)?.scripted);
  assert.equal(scripted.length, RENDERS);
  const done = scripted.filter(({ flags: set }) => (set & FLAGS.rendered) !== 0);
  const told = scripted.filter(
    ({ flags: set, reason }) => (set & FLAGS.script_only) !== 0 && reason,
  );
  assert.equal(done.length + told.length, scripted.length, 'rendered, or a reason');
  t.diagnostic(
    `${done.length} rendered, ${told.length} with a reason, ${killed.size} browsers killed`,
  );
  assert.ok(killed.size >= scaled(1, 9), `${killed.size} browsers were killed`);
  assert.ok(done.length >= 0.9 * scripted.length, `${done.length} were rendered`);
  assert.equal(aliveIn(seen), 0, 'no process of a browser is left');
  t.diagnostic(
    `memory at each kill, in MB: ${sizes.map((size) => Math.round(size / MB)).join(' ')}`,
  );
  const [first = 0, last = 0] = [sizes[1], sizes.at(-1)];
  assert.ok(last <= first * 1.25 + 32 * MB, `${first} bytes became ${last}`);
});

/** One a page, at least; the data of a list besides. */
function dataRequests(web: { server: { log: { requests(): Iterable<{ url: string }> } } }): number {
  let count = 0;
  for (const { url } of web.server.log.requests()) {
    if (/\/data\/(?:home|feed|item\/\d+)\.json$/.test(url)) count++;
  }
  return count;
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/**
 * Jobs and kill -9 (A1, F5): a service that is killed while a job is paused, and again while it
 * comes back, has asked for every page once in the end; only what was on its way may repeat.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { orb, startOrb } from '../kit/orb.ts';
import { scratch } from '../kit/place.ts';
import { openWebFor, pageRequests } from '../kit/web.ts';

const SIZE = { seed: 4, hosts: 1, pages: 60, bodyBytes: 300, features: 'plain' } as const;

interface SeenJob {
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
}

async function serve(t: TestContext, cwd: string, flags: readonly string[]) {
  const run = startOrb(t, ['serve', '--port', '0', '--dir', 'crawl', ...flags], { cwd });
  await run.said(/"event":"listening"/);
  const at = /"url":"(http:\/\/[^"]+)\/"/.exec(run.stderr)?.[1];
  assert.ok(at, run.stderr);
  const until = async (isSo: (job: SeenJob) => boolean): Promise<SeenJob> => {
    for (;;) {
      const job = (await (await fetch(`${at}/jobs/1`)).json()) as SeenJob;
      if (isSo(job)) return job;
      await new Promise(setImmediate);
    }
  };
  const post = (path: string, body?: object) =>
    fetch(`${at}${path}`, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const kill = async () => {
    run.kill('SIGKILL');
    assert.equal((await run.ended).signal, 'SIGKILL');
  };
  return { run, until, post, kill };
}

function repeatsIn(urls: readonly string[]): number {
  return urls.length - new Set(urls).size;
}

test('killed while paused, and while it comes back: everything is asked, nothing twice', async (t) => {
  const web = await openWebFor(t, SIZE);
  const cwd = await scratch(t);
  const pace = ['--rate', '60', '--ip-rate', '1000', '--workers', '0'];
  const flags = [...web.flags, '--allow-private', ...pace];
  const urls = Array.from({ length: SIZE.pages }, (_, i) => web.web.urlOf(0, i));
  const asked = () => pageRequests(web).map(({ url }) => url);

  const first = await serve(t, cwd, flags);
  await first.post('/crawl/seeds', { urls, crawl_depth: 0 });
  await first.until(({ counts }) => (counts.fetched ?? 0) >= 3);
  assert.equal((await first.post('/jobs/1/pause')).status, 200);
  await first.until(({ counts }) => counts.waiting === 0);
  await first.kill();
  assert.equal(repeatsIn(asked()), 0);

  const rest = await orb(t, ['jobs', '--dir', 'crawl'], { cwd });
  assert.match(rest.stdout, / 1 +paused .*\n.* held\n/, rest.stderr);
  const told = await orb(t, ['jobs', 'resume', '1', '--dir', 'crawl'], { cwd });
  assert.deepEqual([told.code, told.stdout], [2, '']);
  assert.match(told.stderr, /No crawl runs in .*orb serve --dir/s);

  const second = await serve(t, cwd, flags);
  const paused = await second.until(() => true);
  const { held = 0, fetched = 0, waiting = 0 } = paused.counts;
  assert.deepEqual([paused.state, held + fetched + waiting], ['paused', SIZE.pages]);
  const resumed = await orb(t, ['jobs', 'resume', '1', '--dir', 'crawl', '--json'], { cwd });
  assert.equal(JSON.parse(resumed.stdout).state, 'running', resumed.stderr);
  await second.kill();
  const before = asked().length;

  const third = await serve(t, cwd, flags);
  const done = await third.until(({ state }) => state === 'done');
  assert.deepEqual([done.counts.named, done.counts.held], [SIZE.pages, 0]);
  assert.equal(done.counts.fetched, SIZE.pages);
  assert.deepEqual(new Set(asked()), new Set(urls));
  assert.ok(repeatsIn(asked()) <= 1, 'one was on its way when it was killed');
  assert.ok(asked().length > before);
  const over = await orb(t, ['jobs', 'cancel', '1', '--dir', 'crawl'], { cwd });
  assert.deepEqual([over.code, over.stderr], [1, 'Job 1 is over: everything it named is done.\n']);
  third.run.kill('SIGTERM');
  await third.run.ended;
});

/**
 * Never lost: a crawl that is killed again and again ends with the same pages as one that is not,
 * asks nobody before its turn, and leaves a store that is whole after every kill (F5, P5).
 *
 * The instants are drawn from a seed, printed on failure: ORB_TEST_SEED repeats them. A kill waits
 * for a number of requests in the server's log, or for the process to say that it begins.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { gaps, judge } from '../../testweb/index.ts';
import {
  asked,
  type Inventory,
  inventoryOf,
  type OrbRun,
  openWebFor,
  pageRequests,
  scaled,
  scratch,
  startOrb,
  type TestWeb,
  waitForRequests,
} from '../kit/index.ts';

const SEED = Number(process.env.ORB_TEST_SEED ?? 42);
const KILLS = scaled(6, 30);
const DELAY_MS = scaled(150, 250);
const CONCURRENCY = 12;
const SIZE = scaled({ hosts: 16, pages: 280 }, { hosts: 60, pages: 3_000 });
const FEATURES = ['redirects', 'robots', 'errors', 'encodings', 'sitemaps', 'copies'] as const;
const BEGINS = /"event":"start"/;

/** When to kill: after so many requests in all, or as soon as the process says it begins. */
type Instant = number | 'as it begins';

function drawInstants(requests: number): Instant[] {
  const { next } = seededRandom(SEED);
  const counts = Array.from({ length: KILLS }, () => Math.ceil(next() * requests * 0.95));
  return counts.sort((a, b) => a - b).map((n) => (next() < 0.2 ? 'as it begins' : n));
}

async function killAt(run: OrbRun, web: TestWeb, at: Instant): Promise<void> {
  if (at === 'as it begins') await run.said(BEGINS);
  else await waitForRequests(web, at, () => run.isOver);
  run.kill('SIGKILL');
  const end = await run.ended;
  assert.equal(end.signal, 'SIGKILL', `ended before it was killed: ${end.code}\n${end.stderr}`);
}

/** URLs that the server was asked for since then, and that the store still has in its queue. */
function inFlight(web: TestWeb, inventory: Inventory, since = 0): string[] {
  const urls = new Set(
    pageRequests(web)
      .slice(since)
      .map((row) => row.url),
  );
  return [...urls].filter((url) => inventory.states.get(url) === 'queued');
}

describe('never lost', { concurrency: 4 }, () => {
  test(`killed: ${KILLS} times by SIGKILL, and nothing is lost, hurried or left in pieces`, async (t) => {
    t.diagnostic(`ORB_TEST_SEED=${SEED}`);
    const web = await openWebFor(t, { seed: 9, ...SIZE, skew: 0.2, features: FEATURES });
    const dir = join(await scratch(t), 'crawl');
    const pace = ['--delay', `${DELAY_MS}ms`, '--concurrency', String(CONCURRENCY)];
    const args = ['crawl', web.start, '--dir', dir, '--scope', 'any', ...web.flags, ...pace];
    const truth = web.web.truth({ scope: 'any' });
    const mayRepeat = new Map<string, number>();
    for (const at of drawInstants(truth.expectedFetches)) {
      const before = pageRequests(web).length;
      await killAt(startOrb(t, args), web, at);
      const open = inFlight(web, await inventoryOf(t, dir), before);
      assert.ok(open.length <= CONCURRENCY, `${open.length} in flight at a kill (seed ${SEED})`);
      for (const url of open) mayRepeat.set(url, (mayRepeat.get(url) ?? 0) + 1);
    }
    const last = await startOrb(t, args).ended;
    assert.equal(last.code, 0, last.stderr);

    const verdict = judge(web.web, web.server.log, truth);
    const { missing, stray, trespass } = verdict;
    assert.deepEqual({ missing, stray, trespass }, { missing: [], stray: [], trespass: [] });
    for (const { url, times } of verdict.duplicates) {
      assert.ok(times - 1 <= (mayRepeat.get(url) ?? 0), `${url} was asked ${times} times`);
    }
    const [closest] = gaps(web.server.log);
    assert.ok(
      closest && closest.smallestMs >= DELAY_MS,
      `${closest?.of}: ${closest?.smallestMs} ms`,
    );
    const { totals, bodies } = await inventoryOf(t, dir);
    assert.equal(totals.waiting + totals.retrying, 0);
    assert.ok(bodies > 0);
    t.diagnostic(`${verdict.duplicates.length} pages twice, ${mayRepeat.size} were in flight`);
  });

  const STOPS = { seed: 10, hosts: 10, pages: 200, skew: 0.2, features: FEATURES } as const;

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`stopped: ${signal} finishes what is under way, ends with ${code}, and the same command goes on`, async (t) => {
      const web = await openWebFor(t, STOPS);
      const dir = join(await scratch(t), 'crawl');
      const flags = ['--dir', dir, '--scope', 'any', ...web.flags, '--delay', '50ms'];
      const args = ['crawl', web.start, ...flags];
      const run = startOrb(t, args);
      await waitForRequests(web, 60, () => run.isOver);
      run.kill(signal);
      const end = await run.ended;
      assert.equal(end.code, code, end.stderr);
      assert.match(end.stderr, /Nothing is lost/);
      assert.match(end.stderr, /orb crawl http/, 'it prints how to go on');
      const stopped = await inventoryOf(t, dir);
      assert.deepEqual(inFlight(web, stopped), [], 'what was asked is settled');
      assert.ok(stopped.totals.waiting > 0, 'there is something to go on with');

      const rest = await startOrb(t, args).ended;
      assert.equal(rest.code, 0, rest.stderr);
      const verdict = judge(web.web, web.server.log, web.web.truth({ scope: 'any' }));
      assert.deepEqual([verdict.missing, verdict.stray, verdict.trespass], [[], [], []]);
      assert.deepEqual(verdict.duplicates, []);
      const [closest] = gaps(web.server.log);
      assert.ok(closest && closest.smallestMs >= 50, `${closest?.of}: ${closest?.smallestMs} ms`);
    });
  }

  test('stopped: the second Ctrl-C ends at once what would take long, and loses nothing', async (t) => {
    const web = await openWebFor(t, { hosts: 2, pages: 4, features: ['hostile'] });
    const silent = web.web.hostile.urlOf('silence');
    const dir = join(await scratch(t), 'crawl');
    const limits = ['--timeout', '10m', '--first-byte-timeout', '10m', '--scope', 'host'];
    const run = startOrb(t, ['crawl', silent, '--dir', dir, ...web.flags, ...limits]);
    await waitForRequests(web, 2, () => run.isOver);
    assert.ok(asked(web).has(silent), 'the silent page is under way');
    run.kill('SIGINT');
    await run.said(/"times":1/);
    await pressedAgain();
    run.kill('SIGINT');
    const end = await run.ended;
    assert.equal(end.code, 130, end.stderr);
    assert.match(end.stderr, /Stopping at once/);
    const { states } = await inventoryOf(t, dir);
    assert.equal(states.get(silent), 'queued');
    assert.equal(pageRequests(web).length, 1);
  });

  /** Twice within 50 ms counts as one press, because launchers pass signals on (crawl-stop.ts). */
  function pressedAgain(): Promise<void> {
    return new Promise((done) => setTimeout(done, 60));
  }
});

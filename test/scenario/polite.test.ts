/**
 * Polite, by the word of the server: every test reads the log of the web that was asked (P1–P5,
 * P7). Times are hundreds of milliseconds; what is proved is that none is ever cut short.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { PolitenessAudit } from '../../src/crawl/answers.ts';
import { gaps, type LogRow, type Nature, perAddressGaps } from '../../testweb/index.ts';
import { openWebFor, orb, scratch, startOrb, type TestWeb, waitForRequests } from '../kit/index.ts';

/** Two processes of one machine may disagree this much about the time. */
const CLOCKS_MS = 3;

async function crawl(
  t: TestContext,
  web: TestWeb,
  seeds: readonly string[],
  ...flags: string[]
): Promise<string> {
  const dir = join(await scratch(t), 'crawl');
  const end = await orb(t, ['crawl', ...seeds, '--dir', dir, ...web.flags, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  return dir;
}

function rowsOf(web: TestWeb, host: string): LogRow[] {
  return [...web.server.log.requests()].filter((row) => row.host === host);
}

/** From each arrival to the next, in order. */
function pausesOf(rows: readonly LogRow[]): number[] {
  return rows.slice(1).map((row, i) => row.atMs - (rows[i] as LogRow).atMs);
}

function smallestGap(web: TestWeb): number {
  return gaps(web.server.log)[0]?.smallestMs ?? Number.NaN;
}

const SMALL = { seed: 4, hosts: 12, pages: 150, skew: 0.2, bodyBytes: 1_000 } as const;

describe('polite, by the word of the server', { concurrency: 4 }, () => {
  test('pause: robots.txt and every hop of a redirect are requests like any other', async (t) => {
    const delayMs = 120;
    const web = await openWebFor(t, { ...SMALL, hosts: 30, features: ['redirects', 'robots'] });
    const hop = web.web.hosts.find((host) => host.robots === 'redirected');
    const chain = web.web.examples('redirect-chain')[0];
    assert.ok(hop && chain, 'this web redirects a robots.txt, and a page more than once');
    const seeds = [`${hop.origin}/`, chain];
    await crawl(t, web, seeds, '--delay', `${delayMs}ms`, '--limit', '60');
    const robots = rowsOf(web, hop.name).slice(0, 3);
    assert.deepEqual(
      robots.map((row) => new URL(row.url).pathname),
      ['/robots.txt', '/robots-2.txt', '/robots-real.txt'],
    );
    const statuses = [...web.server.log.requests()].map((row) => row.status);
    assert.ok(statuses.filter((status) => status >= 300 && status < 400).length >= 4, 'hops');
    assert.ok(smallestGap(web) >= delayMs, `${smallestGap(web)} ms`);
    for (const gap of gaps(web.server.log)) assert.equal(gap.overlaps, 0, gap.of);
  });

  test('Crawl-delay: it replaces the usual pause, whether it is longer or shorter', async (t) => {
    for (const [usualMs, namedMs] of [
      [60, 400],
      [700, 200],
    ] as const) {
      const options = { ...SMALL, hosts: 40, features: ['robots'] as const };
      const web = await openWebFor(t, { ...options, patienceSec: namedMs / 1_000 });
      const host = web.web.hosts.find((one) => one.robots === 'delayed' && one.size > 2);
      assert.ok(host, 'this web has a Crawl-delay');
      const pace = ['--delay', `${usualMs}ms`, '--ip-rate', '1000', '--limit', '4'];
      await crawl(t, web, [`${host.origin}/`], ...pace);
      const pauses = pausesOf(rowsOf(web, host.name));
      assert.ok(pauses.length >= 2, `${pauses.length} pauses`);
      assert.ok(Math.min(...pauses) >= namedMs, `${pauses} against ${namedMs} ms`);
      if (namedMs < usualMs) assert.ok(Math.min(...pauses) < usualMs, `${pauses} are not replaced`);
    }
  });

  const BUSY: readonly Nature[] = [
    'busy-429-seconds',
    'busy-429-date',
    'busy-429-silent',
    'busy-503-seconds',
    'busy-503-date',
    'busy-503-silent',
  ];

  test('busy: 429 and 503 are asked again when Retry-After says, or after twice the pause', async (t) => {
    const delayMs = 150;
    const web = await openWebFor(t, {
      seed: 6,
      hosts: 120,
      pages: 2_400,
      skew: 0,
      features: ['busy'],
    });
    const seeds = BUSY.flatMap((nature) => web.web.examples(nature).slice(0, 1));
    assert.equal(seeds.length, BUSY.length, 'this web is busy in every way');
    await crawl(t, web, seeds, '--depth', '0', '--delay', `${delayMs}ms`);
    for (const url of seeds) {
      const nature = web.web.describe(url)?.nature ?? 'page';
      const rows = rowsOf(web, new URL(url).hostname);
      const first = rows.findIndex((row) => row.url === url);
      const [refused, next] = [rows[first], rows[first + 1]];
      assert.ok(refused && next, `${nature}: asked again`);
      assert.equal(next.url, url);
      assert.deepEqual([refused.status, next.status], [Number(nature.split('-')[1]), 200]);
      const due = dueAt(nature, refused.atMs, delayMs);
      assert.ok(next.atMs >= due - CLOCKS_MS, `${nature}: ${due - next.atMs} ms too early`);
    }
  });

  /** What the server said, by the rule that the test web writes its headers by. */
  function dueAt(nature: string, atMs: number, delayMs: number): number {
    if (nature.endsWith('seconds')) return atMs + 1_000;
    if (nature.endsWith('date')) return Math.floor((atMs + 1_999) / 1_000) * 1_000;
    return atMs + 2 * delayMs;
  }

  test('slow: a host that answers slowly is asked more slowly', async (t) => {
    const delayMs = 50;
    const web = await openWebFor(t, { seed: 8, hosts: 2, pages: 6_000, features: ['slow'] });
    const host = web.web.hosts[0]!;
    const slow = web.web.examples('slow', 3).filter((url) => url.startsWith(host.origin));
    assert.ok(slow.length >= 2, 'this web is slow now and then');
    await crawl(t, web, [...slow, `${host.origin}/`], '--depth', '0', '--delay', `${delayMs}ms`);
    const rows = rowsOf(web, host.name);
    let judged = 0;
    for (const [i, row] of rows.entries()) {
      const next = rows[i + 1];
      if (next === undefined || !slow.includes(row.url)) continue;
      const tookMs = row.endMs - row.atMs;
      const restMs = next.atMs - row.endMs;
      assert.ok(tookMs >= 500 && restMs > delayMs, `${tookMs} ms, then ${restMs} ms of rest`);
      assert.ok(restMs >= 0.5 * tookMs, `a rest of ${restMs} ms after ${tookMs} ms`);
      judged++;
    }
    assert.ok(judged > 0, 'a slow answer was followed by a request');
  });

  test('address: hosts on one address are one neighbour', async (t) => {
    const web = await openWebFor(t, { ...SMALL, hostsPerAddress: 6, features: 'plain' });
    for (const [flags, owedMs] of [
      [['--delay', '100ms'], 100],
      [['--delay', '60ms', '--ip-rate', '5'], 200],
    ] as const) {
      web.server.reset();
      await crawl(t, web, [web.start], '--scope', 'any', '--limit', '24', ...flags);
      const byAddress = perAddressGaps(web.server.log);
      assert.equal(byAddress.length, 2);
      for (const gap of byAddress) {
        assert.ok(gap.smallestMs >= owedMs, `${gap.of}: ${gap.smallestMs} of ${owedMs} ms`);
        assert.equal(gap.overlaps, 0);
      }
    }
  });

  test('agreed: a rate agreed with one host holds for it and for no other', async (t) => {
    const web = await openWebFor(t, { ...SMALL, features: 'plain' });
    const [first, second] = web.web.hosts;
    assert.ok(first && second);
    const seeds = [`${first.origin}/`, `${second.origin}/`];
    const pace = ['--delay', '400ms', '--rate-for', `${first.name}:${web.server.port}=20`];
    await crawl(t, web, seeds, '--limit', '16', ...pace);
    const agreed = pausesOf(rowsOf(web, first.name));
    assert.ok(Math.min(...agreed) >= 50 && Math.min(...agreed) < 400, `${agreed}`);
    assert.ok(Math.min(...pausesOf(rowsOf(web, second.name))) >= 400);
  });

  test('restart: turns outlive the process', async (t) => {
    const delayMs = 1_500;
    const web = await openWebFor(t, { ...SMALL, features: 'plain' });
    const dir = join(await scratch(t), 'crawl');
    const flags = ['--dir', dir, '--scope', 'any', ...web.flags, '--delay', `${delayMs}ms`];
    const stopped = startOrb(t, ['crawl', web.start, ...flags]);
    await waitForRequests(web, 3, () => stopped.isOver);
    stopped.kill('SIGTERM');
    assert.equal((await stopped.ended).code, 143);
    const before = web.server.log.length;
    const end = await orb(t, ['crawl', web.start, ...flags, '--limit', '5']);
    assert.equal(end.code, 0, end.stderr);
    assert.ok(web.server.log.length > before, 'it went on');
    assert.ok(smallestGap(web) >= delayMs, `${smallestGap(web)} ms`);
  });

  test('restart: what Retry-After asked for outlives the process, killed or not', async (t) => {
    const patienceSec = 3;
    const options = { seed: 6, hosts: 120, pages: 2_400, skew: 0, patienceSec } as const;
    const web = await openWebFor(t, { ...options, features: ['busy'] });
    const [url] = web.web.examples('busy-429-seconds');
    assert.ok(url);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      web.server.reset();
      const dir = join(await scratch(t), 'crawl');
      const flags = ['--dir', dir, ...web.flags, '--delay', '50ms', '--depth', '0'];
      const stopped = startOrb(t, ['crawl', url, ...flags]);
      await waitForRequests(web, 2, () => stopped.isOver);
      await untilRetrying(t, dir);
      stopped.kill(signal);
      await stopped.ended;
      const end = await orb(t, ['crawl', url, ...flags]);
      assert.equal(end.code, 0, end.stderr);
      const [refused, answered] = rowsOf(web, new URL(url).hostname).slice(1);
      assert.ok(refused && answered, 'refused, then answered');
      const waited = answered.atMs - refused.atMs;
      assert.ok(waited >= patienceSec * 1_000 - CLOCKS_MS, `${signal}: ${waited} ms`);
    }
  });

  /** The answer is on record: asked through the socket of the crawl that runs. */
  async function untilRetrying(t: TestContext, dir: string): Promise<void> {
    for (;;) {
      const status = await orb(t, ['pages', '--dir', dir, '--state', 'retrying', '--json']);
      if (status.stdout.includes('"retrying"')) return;
    }
  }

  test('audit: the crawl tells the same story as the server', async (t) => {
    const delayMs = 100;
    const web = await openWebFor(t, SMALL);
    const pace = ['--delay', `${delayMs}ms`, '--backoff', '200ms'];
    const dir = await crawl(t, web, [web.start], '--scope', 'any', ...pace);
    const audit = await orb(t, ['audit', 'politeness', '--dir', dir, '--json']);
    assert.equal(audit.code, 0, audit.stderr);
    const report = JSON.parse(audit.stdout) as PolitenessAudit;
    const told = new Map(report.hosts.map((row) => [row.host.split(':')[0] ?? '', row]));
    assert.deepEqual([report.violations, report.requests], [0, web.server.log.length]);
    const seen = gaps(web.server.log);
    assert.equal(told.size, seen.length);
    for (const gap of seen) {
      const row = told.get(gap.of);
      assert.equal(row?.requests, gap.requests, gap.of);
      if (gap.requests < 2) continue;
      const { smallestGapMs = 0, smallestStartGapMs = 0 } = row ?? {};
      assert.ok(smallestGapMs >= delayMs, `${gap.of} says ${smallestGapMs}`);
      const apart = Math.abs(smallestStartGapMs - gap.smallestMs);
      assert.ok(apart < 50, `${gap.of}: ${smallestStartGapMs} against ${gap.smallestMs} ms`);
    }
  });
});

/** The in-memory face, in a clock that jumps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../src/fetch/outcome.ts';
import type { Clock } from '../src/ports/clock.ts';
import { gaps } from './audit.ts';
import { TRIPWIRE } from './log.ts';
import { webHttp } from './memory.ts';
import { webResolver } from './memory-names.ts';
import { openWeb } from './web.ts';

const web = openWeb({ seed: 2, hosts: 40, pages: 4_000, features: 'hostile' });
const LIMITS = {
  connectMs: 10_000,
  firstByteMs: 10_000,
  wholeMs: 60_000,
  headerBytes: 65_536,
  bodyBytes: 1_000_000,
};

/** Sleeping moves time; nobody waits. */
function jumpingClock(): Clock {
  let time = 1_000_000;
  return {
    now: () => time,
    sleepUntil: async (at) => {
      time = Math.max(time, at);
    },
  };
}

function open(clock = jumpingClock()) {
  const http = webHttp(web, clock);
  const resolver = webResolver(web);
  const fetch = async (url: string, wants = (_type: string) => true): Promise<Outcome> => {
    const found = await resolver.resolve(new URL(url).hostname);
    assert.equal(found.kind, 'address');
    const address = found.kind === 'address' ? found.address : '';
    const headers = { 'user-agent': 'Orbweaver' };
    return http.exchange({ url, address, headers, limits: LIMITS, wants });
  };
  return { http, resolver, clock, fetch };
}

test('memory: a page arrives whole, takes time, and is logged', async () => {
  const { http, clock, fetch } = open();
  const before = clock.now();
  const outcome = await fetch(web.urlOf(0, 0));
  assert.ok(outcome.kind === 'answered');
  assert.equal(outcome.status, 200);
  assert.equal(outcome.truncated, undefined);
  assert.ok(clock.now() > before);
  const [row] = [...http.log.requests()];
  assert.equal(row!.url, web.urlOf(0, 0));
  assert.equal(row!.endMs, clock.now());
});

test('memory: every hostile page ends within its limits, for its reason', async () => {
  const { clock, fetch } = open();
  const ends = new Map<string, string>();
  for (const special of web.specials.filter((one) => one.naming.kind === 'own')) {
    const before = clock.now();
    const outcome = await fetch(special.target);
    assert.ok(clock.now() - before <= LIMITS.wholeMs, special.label);
    if (outcome.kind === 'answered') {
      assert.ok(outcome.body.length <= LIMITS.bodyBytes + 65_536 || !outcome.truncated);
      ends.set(special.label, outcome.truncated ?? 'whole');
    } else if (outcome.kind === 'failed') ends.set(special.label, outcome.reason);
  }
  const expected = {
    drip: 'time-limit',
    endless: 'body-limit',
    'million-links': 'body-limit',
    'header-flood': 'header-limit',
    'drip-head': 'first-byte-timeout',
    silence: 'first-byte-timeout',
    reset: 'closed',
    garbage: 'protocol',
    'broken-chunk': 'protocol',
    'length-long': 'length-mismatch',
    'length-short': 'whole',
    cut: 'connection-closed',
  };
  for (const [label, reason] of Object.entries(expected))
    assert.equal(ends.get(label), reason, label);
});

test('memory: an unwanted type stops at the headers', async () => {
  const { fetch } = open();
  const outcome = await fetch(web.examples('pdf')[0]!, (type) => type === 'text/html');
  assert.ok(outcome.kind === 'answered');
  assert.equal(outcome.truncated, 'unwanted-type');
  assert.equal(outcome.body.length, 0);
});

test('memory: a busy page recovers, and the gap between the two requests is in the log', async () => {
  const { http, clock, fetch } = open();
  const url = web.examples('busy-429-seconds')[0] ?? web.examples('busy-503-seconds')[0]!;
  const first = await fetch(url);
  assert.ok(first.kind === 'answered' && first.status !== 200);
  const { atMs } = http.log.row(0);
  await clock.sleepUntil(atMs + 2_500);
  const second = await fetch(url);
  assert.ok(second.kind === 'answered' && second.status === 200);
  assert.equal(gaps(http.log)[0]!.smallestMs, 2_500);
});

test('memory: a wrong address does not connect, an inner one trips the wire', async () => {
  const { http } = open();
  const ask = (address: string) =>
    http.exchange({
      url: web.urlOf(0, 0),
      address,
      headers: {},
      limits: LIMITS,
      wants: () => true,
    });
  const outcome = await ask(web.hosts[1]!.address);
  assert.ok(outcome.kind === 'failed' && outcome.reason === 'connect');
  assert.equal(http.log.length, 0);
  await ask('127.0.0.1');
  assert.equal(http.log.row(0).host, TRIPWIRE);
});

test('resolver: own names have addresses, inner ones are refused, dead ones fail', async () => {
  const { resolver } = open();
  const named = (label: string) => new URL(web.hostile.urlOf(label)).hostname;
  assert.equal((await resolver.resolve(web.hosts[3]!.name)).kind, 'address');
  assert.equal((await resolver.resolve(named('inside'))).kind, 'refused');
  assert.equal((await resolver.resolve(named('nowhere'))).kind, 'failed');
  assert.equal((await resolver.resolve('stranger.test')).kind, 'failed');
  assert.deepEqual(resolver.stats(), { asked: 4, hits: 0 });
});

test('resolver: three failed connections forget a name, and a rebinding name then turns', async () => {
  const { resolver } = open();
  const name = new URL(web.hostile.urlOf('rebind')).hostname;
  assert.equal((await resolver.resolve(name)).kind, 'address');
  assert.equal((await resolver.resolve(name)).kind, 'address');
  for (let n = 0; n < 3; n++) resolver.report(name, false);
  assert.equal((await resolver.resolve(name)).kind, 'refused');
});

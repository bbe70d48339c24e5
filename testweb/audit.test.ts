/** Gaps, overlaps and duplicates, on logs written by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { duplicates, gaps, isAside, perAddressGaps } from './audit.ts';
import { RequestLog } from './log.ts';
import { openWeb } from './web.ts';

const web = openWeb({ hosts: 4, pages: 400, hostsPerAddress: 2 });

function record(log: RequestLog, host: number, resource: number, at: number, more = {}): void {
  const given = { endMs: at + 10, status: 200, path: '/x', ...more };
  const { status, path } = given;
  const ticket = log.begin({ host, resource, path, atMs: at, status, named: true });
  log.end(ticket, given.endMs);
}

test('gaps: the smallest time between two arrivals at a host, in fractions of a millisecond', () => {
  const log = new RequestLog(web);
  record(log, 0, 0, 1_000);
  record(log, 1, 0, 1_500);
  record(log, 0, 1, 2_000.25);
  record(log, 0, 2, 3_000);
  const [first, second] = gaps(log);
  assert.equal(first!.of, web.hosts[0]!.name);
  assert.equal(first!.smallestMs, 999.75);
  assert.equal(first!.atMs, 3_000);
  assert.equal(first!.smallestIdleMs, 989.75);
  assert.equal(first!.overlaps, 0);
  assert.equal(second!.smallestMs, Number.POSITIVE_INFINITY);
});

test('gaps: by address, hosts that share one count together', () => {
  const log = new RequestLog(web);
  record(log, 0, 0, 0);
  record(log, 1, 0, 100);
  record(log, 2, 0, 150);
  const [first] = perAddressGaps(log);
  assert.equal(first!.of, web.hosts[0]!.address);
  assert.equal(first!.smallestMs, 100);
});

test('gaps: an arrival while another request is open is an overlap', () => {
  const log = new RequestLog(web);
  record(log, 0, 0, 0, { endMs: 5_000 });
  record(log, 0, 1, 1_000);
  record(log, 0, 2, 6_000);
  const [gap] = gaps(log);
  assert.equal(gap!.overlaps, 1);
  assert.equal(gap!.smallestIdleMs, -4_000);
});

test('duplicates: a page answered twice counts, a retry and robots.txt do not', () => {
  const log = new RequestLog(web);
  record(log, 0, 5, 0);
  record(log, 0, 5, 1);
  record(log, 0, 6, 2, { status: 503 });
  record(log, 0, 6, 3);
  record(log, 0, -1, 4, { path: '/robots.txt' });
  record(log, 0, -1, 5, { path: '/robots.txt' });
  assert.deepEqual(duplicates(log), [{ url: web.urlOf(0, 5), times: 2 }]);
  assert.ok(isAside(`${web.hosts[0]!.origin}/sitemap-b.xml.gz`));
  assert.ok(!isAside(`${web.hosts[0]!.origin}/news/robots.txt`));
});

test('log: a request from before a reset ends nothing after it', () => {
  const log = new RequestLog(web);
  const old = log.begin({ host: 0, resource: 0, path: '/', atMs: 0, status: 200, named: true });
  log.reset();
  record(log, 0, 1, 10);
  log.end(old, 99_999);
  assert.equal([...log.requests()][0]!.endMs, 20);
});

test('gaps: no pair of arrivals at a host is closer than its smallest gap', () => {
  const rows = fc.array(fc.tuple(fc.nat(3), fc.nat(1_000)), { minLength: 2, maxLength: 3_000 });
  fc.assert(
    fc.property(rows, (steps) => {
      const log = new RequestLog(web);
      let at = 0;
      const arrivals: number[][] = [[], [], [], []];
      for (const [host, step] of steps) {
        at += step;
        record(log, host, 0, at);
        arrivals[host]!.push(at);
      }
      for (const gap of gaps(log)) {
        const own = arrivals[web.hosts.findIndex((host) => host.name === gap.of)]!;
        const between = own.slice(1).map((later, n) => later - own[n]!);
        assert.equal(gap.smallestMs, Math.min(...between, Number.POSITIVE_INFINITY));
      }
    }),
    { numRuns: 30 },
  );
});

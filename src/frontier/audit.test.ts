import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FetchEvent } from '../events/index.ts';
import { PolitenessAuditor } from './audit.ts';

const T = Date.UTC(2026, 0, 1);

/** A request that begins at `at`, is answered 50 ms and ended 80 ms later, and owes a second. */
function event(at: number, more: Partial<FetchEvent> = {}): FetchEvent {
  const startedAt = T + at;
  return {
    v: 1,
    id: `${more.host ?? 'a.example'}@${startedAt}`,
    kind: 'page',
    url: 'http://a.example/x',
    host: 'a.example',
    address: '192.0.2.1',
    startedAt,
    answeredAt: startedAt + 50,
    endedAt: startedAt + 80,
    delayMs: 1_000,
    status: 200,
    bytes: 10,
    urlHash: '',
    ...more,
  };
}

function audit(...events: FetchEvent[]) {
  const auditor = new PolitenessAuditor();
  for (const one of events) auditor.add(one);
  return auditor.report();
}

test('audit: the gap runs from an answer to the next request, the start gap from start to start', () => {
  const { hosts, violations, requests } = audit(event(0), event(1_050), event(2_500));
  assert.deepEqual([requests, violations], [3, 0]);
  const [host] = hosts;
  assert.equal(host?.smallestGapMs, 1_000);
  assert.equal(host?.owedMs, 1_000);
  assert.equal(host?.smallestStartGapMs, 1_050);
  assert.equal(host?.mostInWindow, 3);
});

test('audit: a millisecond too soon is a violation, with what and when', () => {
  const { violations, hosts } = audit(event(0), event(1_049));
  assert.equal(violations, 1);
  assert.match(hosts[0]?.firstViolation ?? '', /^2026-01-01T00:00:01.049Z .*999\.0 ms .*1000\.0/);
});

test('audit: what is owed is what the host was owed then, not the usual', () => {
  const slow = event(0, { delayMs: 5_000 });
  assert.equal(audit(slow, event(4_000)).violations, 1);
  assert.equal(audit(slow, event(5_050)).violations, 0);
  assert.equal(audit(event(0, { delayMs: 100 }), event(160)).violations, 0);
});

test('audit: a request before the last one has ended is a violation, even a pause later', () => {
  const long = event(0, { endedAt: T + 3_000 });
  const { violations, hosts } = audit(long, event(2_000));
  assert.equal(violations, 1);
  assert.match(hosts[0]?.firstViolation ?? '', /before the last request had ended/);
});

test('audit: robots.txt counts, names that were not found and refused addresses do not', () => {
  const robots = event(0, { kind: 'robots' });
  assert.equal(audit(robots, event(500)).violations, 1);
  const dns = event(10, { status: 0, failure: 'dns' });
  const refused = event(20, { status: 0, failure: 'refused' });
  const { requests, violations } = audit(event(0), dns, refused, event(1_060));
  assert.deepEqual([requests, violations], [2, 0]);
  const closed = event(500, { status: 0, failure: 'closed' });
  assert.equal(audit(event(0), closed).violations, 1);
});

test('audit: where nothing is owed there is nothing to violate', () => {
  const free = { delayMs: 0, endedAt: T + 9_000 };
  const { violations, hosts } = audit(event(0, free), event(1, free), event(2, free));
  assert.equal(violations, 0);
  assert.equal(hosts[0]?.smallestGapMs, undefined);
  assert.equal(hosts[0]?.smallestStartGapMs, 1);
});

test('audit: an event that is told twice counts once', () => {
  const told = [event(0), event(1_100), event(0), event(1_100)];
  const { requests, violations } = audit(...told);
  assert.deepEqual([requests, violations], [2, 0]);
});

test('audit: hosts are apart, the worst first, the rest counted', () => {
  const auditor = new PolitenessAuditor();
  for (const host of ['b', 'c', 'd']) {
    auditor.add(event(0, { host }));
    auditor.add(event(host === 'c' ? 100 : host === 'd' ? 1_060 : 2_000, { host }));
  }
  const { hosts, hostCount, violations } = auditor.report(2);
  assert.deepEqual([hostCount, violations], [3, 1]);
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['c', 'd'],
  );
});

test('audit: the most within ten seconds slides, and counts bursts that are not kept whole', () => {
  const spaced = Array.from({ length: 40 }, (_, i) => event(5_000 + i * 1_000, { delayMs: 0 }));
  assert.equal(audit(...spaced).hosts[0]?.mostInWindow, 10);
  const burst = Array.from({ length: 500 }, (_, i) => event(i * 10, { delayMs: 0 }));
  assert.equal(audit(...burst).hosts[0]?.mostInWindow, 500);
});

test('audit: it agrees with a plain count over any history', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 3_000 }),
    owed: fc.constantFrom(500, 1_000),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      let at = 0;
      const events = steps.map(({ wait, owed }) => {
        at += 1 + wait;
        return event(at, { delayMs: owed });
      });
      let expected = 0;
      for (let i = 1; i < events.length; i++) {
        const last = events[i - 1] as FetchEvent;
        const next = events[i] as FetchEvent;
        const open = Math.max(...events.slice(0, i).map((one) => one.endedAt));
        if (next.startedAt - last.answeredAt < last.delayMs || next.startedAt < open) expected++;
      }
      assert.equal(audit(...events).violations, expected);
    }),
  );
});

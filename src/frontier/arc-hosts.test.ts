/** Arcs that come and go: what their hosts leave behind, and who may come back to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankHost, hostKeyOf, NO_BYTES, rankOf, urlKeyOf, type Waiting } from '../record/index.ts';
import { arcOf } from '../url/index.ts';
import { Frontier, type Lease, POLITE } from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const [OURS, LEAVING] = ['a.example', 'b.example'] as const;
const arc = arcOf(hostKeyOf(LEAVING));

function waiting(host: string, path = ''): Waiting {
  const url = `http://${host}/${path}`;
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  return {
    key: urlKeyOf(url),
    url,
    rank: rankOf(0.5, NOW),
    ...rest,
    parent: NO_BYTES,
    again: false,
  };
}

function frontier(): Frontier {
  assert.notEqual(arcOf(hostKeyOf(OURS)), arc);
  const made = new Frontier(POLITE, 60_000, () => 0.9);
  made.push([waiting(OURS), waiting(LEAVING)], NOW);
  return made;
}

function namesOf(leases: readonly Lease[]): string[] {
  return leases.map(({ host }) => host.host).sort();
}

test('an arc that is taken over: each host waits out one whole pause (P5)', () => {
  const made = new Frontier(POLITE, 60_000, () => 0.9);
  made.arcs.restore({ ...blankHost(LEAVING), turnAt: NOW - 9_000 }, NOW, false);
  made.take(10, 10, NOW + POLITE.delayMs - 1);
  assert.equal(made.wanted(10).length, 0);
  made.take(10, 10, NOW + POLITE.delayMs);
  assert.equal(made.wanted(10).length, 1, 'its URLs are read when its turn has come');
});

test('an arc that is taken over: a host of which nobody wrote a row waits, too (P5)', () => {
  const made = new Frontier(POLITE, 60_000, () => 0.9);
  made.arcs.tookOver(NOW);
  made.push([waiting(OURS)], NOW + 1);
  assert.deepEqual(made.take(10, 10, NOW + POLITE.delayMs - 1), []);
  assert.deepEqual(namesOf(made.take(10, 10, NOW + POLITE.delayMs)), [OURS]);
  made.push([waiting(LEAVING)], NOW + 5_000);
  assert.deepEqual(namesOf(made.take(10, 10, NOW + 5_000)), [LEAVING], 'later ones do not');
});

test('an arc that leaves: nothing of it is leased from then on, the others go on', () => {
  const made = frontier();
  made.arcs.close(arc);
  assert.deepEqual(namesOf(made.take(10, 10, NOW)), [OURS]);
  assert.equal(made.arcs.underWay(arc), 0);
});

test('a forgotten arc: its hosts, leases and wanted refills are gone, others are as they were', () => {
  const made = frontier();
  assert.deepEqual(namesOf(made.take(10, 10, NOW)), [OURS, LEAVING]);
  assert.equal(made.arcs.underWay(arc), 1);
  made.arcs.forget(arc);
  const { hosts, leased, wanted } = made.stats();
  assert.deepEqual({ hosts, leased, wanted }, { hosts: 1, leased: 1, wanted: 0 });
  assert.equal(made.knows(LEAVING), false);
  assert.deepEqual([...made.arcs.resting(NOW - 1, arc)], []);
});

test('who comes back for a host that is gone: conclude, settle, release, refill do nothing', () => {
  const made = frontier();
  const lease = made.take(10, 10, NOW).find(({ host }) => host.host === LEAVING) as Lease;
  made.arcs.forget(arc);
  const before = made.stats();
  assert.equal(made.conclude(lease, undefined, 0), undefined);
  assert.equal(made.bind(lease, '192.0.2.1', NOW), false);
  made.settle(lease);
  made.release(lease, NOW);
  made.giveUp(lease, NOW);
  made.refill(lease.host, [waiting(LEAVING, 'x')], 8, []);
  assert.deepEqual(made.stats(), before);
  assert.deepEqual(namesOf(made.take(10, 10, NOW + 60_000)), []);
});

test('the arc comes back: a late lease of the time before does not touch the new host', () => {
  const made = frontier();
  const lease = made.take(10, 10, NOW).find(({ host }) => host.host === LEAVING) as Lease;
  made.arcs.forget(arc);
  made.arcs.restore(blankHost(LEAVING), NOW, false);
  made.settle(lease);
  made.take(10, 10, NOW + POLITE.delayMs);
  const [host] = made.wanted(10);
  assert.ok(host !== undefined && host !== lease.host);
  made.refill(host, [waiting(LEAVING)], 8, []);
  assert.deepEqual(namesOf(made.take(10, 10, NOW + POLITE.delayMs)), [LEAVING]);
});

test('a robots.txt on a host that leaves: who waited for it asks for its own again', () => {
  const made = frontier();
  const lease = made.take(10, 10, NOW).find(({ host }) => host.host === OURS) as Lease;
  assert.ok(lease.kind === 'robots');
  made.conclude(lease, undefined, 0);
  made.errands.forward(lease.errand, `http://${LEAVING}/robots.txt`);
  made.settle(lease);
  assert.ok(lease.host.isAwaitingRobots);
  made.arcs.forget(arc);
  assert.ok(!lease.host.isAwaitingRobots);
  assert.deepEqual(namesOf(made.take(10, 10, NOW + 60_000)), [OURS]);
});

test('neighbours at one address: the one that stays is asked, the pause of the address holds', () => {
  const made = new Frontier({ ...POLITE, addressDelayMs: 1_000 }, 60_000, () => 0.9);
  const address = '192.0.2.7';
  for (const host of [OURS, LEAVING]) made.arcs.restore({ ...blankHost(host), address }, NOW, true);
  const rows = (host: string) => [waiting(host)];
  made.take(10, 10, NOW + 5_000);
  for (const host of made.wanted(10)) made.refill(host, rows(host.host), 8, []);
  const [first] = made.take(10, 10, NOW + 5_000);
  assert.ok(first !== undefined);
  made.arcs.forget(first.host.arc);
  const other = first.host.host === OURS ? LEAVING : OURS;
  assert.deepEqual(namesOf(made.take(10, 10, NOW + 9_000)), [other]);
});

test('URLs that a store may have taken in unheard: their hosts read them from it', () => {
  const made = frontier();
  made.arcs.reread([waiting(OURS, 'new'), waiting('c.example')], NOW);
  made.take(10, 10, NOW + 60_000);
  assert.deepEqual(
    made
      .wanted(10)
      .map(({ host }) => host)
      .sort(),
    [OURS, 'c.example'],
  );
});

/** Lines of regions: who is taken by whom, and how long anybody waits for it (K4, F3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../base/instant.ts';
import { seededRandom } from '../base/random.ts';
import { blankHost, NO_BYTES, urlKeyOf } from '../record/index.ts';
import { Group } from './group.ts';
import { Host } from './host.ts';
import { Lines, type Nearness } from './lines.ts';
import { Ready } from './ready.ts';

const NOW = 1_000_000;
const TAKE_OVER_MS = 10_000;
/** `h.eu.example` is in `eu`; `h.example` nobody knows where. */
const NEAR: Nearness = {
  hintOf: (host, address) => address || (/\.(\w+)\.example$/.exec(host)?.[1] ?? ''),
  takeOverMs: TAKE_OVER_MS,
};

function groupOf(name: string, rank: number): Group {
  const group = new Group('');
  const host = new Host(blankHost(name), group, false);
  const url = `http://${name}/`;
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  host.window.add({ key: urlKeyOf(url), url, rank, ...rest, parent: NO_BYTES, again: false }, 10);
  group.put(host);
  return group;
}

const by = (region: string, now = NOW) => ({ region, now });

/** Takes by priority alone. */
function linesOf(names: readonly string[], heard: readonly string[]) {
  const lines = new Lines(() => 0.9, NEAR);
  for (const region of heard) lines.hear(by(region));
  for (const [rank, name] of names.entries()) lines.add(groupOf(name, rank), NOW);
  const take = (region: string, now = NOW) => {
    const group = lines.pick(by(region, now));
    if (group !== undefined) lines.remove(group);
    return group?.next?.host;
  };
  return { lines, take };
}

test('lines: its own region first, then hosts without one, and nothing that others come for', () => {
  const names = ['a.as.example', 'a.example', 'a.eu.example', 'b.eu.example', 'b.example'];
  const { take } = linesOf(names, ['eu', 'as']);
  const taken = Array.from({ length: 5 }, () => take('eu'));
  assert.deepEqual(taken, ['a.eu.example', 'b.eu.example', 'a.example', 'b.example', undefined]);
  assert.equal(take('as'), 'a.as.example');
});

test('lines: who has waited for its own region long enough is taken by anybody, longest first', () => {
  const { lines, take } = linesOf(['a.as.example', 'a.eu.example'], ['eu', 'as', '']);
  const late = groupOf('late.as.example', 0);
  lines.add(late, NOW + 1);
  lines.hear(by('as', NOW + TAKE_OVER_MS));
  assert.equal(take('', NOW + TAKE_OVER_MS - 1), undefined);
  assert.equal(take('eu', NOW + TAKE_OVER_MS), 'a.eu.example', 'near ones are still first');
  assert.equal(take('eu', NOW + TAKE_OVER_MS), 'a.as.example');
  assert.equal(take('eu', NOW + TAKE_OVER_MS), undefined, 'the other came later');
  assert.equal(take('eu', NOW + TAKE_OVER_MS + 1), 'late.as.example');
});

test('lines: a region of which nobody was heard for a minute is waited for by nobody', () => {
  const { lines, take } = linesOf(['a.sa.example', 'a.as.example'], ['eu', 'as']);
  assert.equal(take('eu'), 'a.sa.example', 'nobody is there');
  const again = groupOf('b.as.example', 0);
  lines.hear(by('eu', NOW + MINUTE_MS - 1));
  lines.add(again, NOW + MINUTE_MS - 1);
  assert.equal(take('eu', NOW + MINUTE_MS - 1), 'a.as.example', 'it waited');
  assert.equal(take('eu', NOW + MINUTE_MS - 1), undefined);
  assert.equal(take('eu', NOW + MINUTE_MS), 'b.as.example');
});

test('lines: a wait goes on when one is passed over, and begins anew with another turn', () => {
  const { lines, take } = linesOf([], ['eu', 'as']);
  const group = groupOf('a.as.example', 0);
  for (let now = NOW; now < NOW + TAKE_OVER_MS; now += 1_000) {
    lines.add(group, now);
    assert.equal(lines.pick(by('eu', now)), undefined);
    lines.remove(group);
  }
  const later = NOW + TAKE_OVER_MS;
  lines.add(group, later);
  assert.equal(lines.pick(by('eu', later)), group);
  lines.remove(group);
  const host = group.next as Host;
  host.turnAt = later;
  lines.hear(by('as', later));
  lines.add(group, later);
  assert.equal(take('eu', later + TAKE_OVER_MS - 1), undefined);
  assert.equal(take('eu', later + TAKE_OVER_MS), 'a.as.example');
});

test('lines: who is ready when a second region is heard of stands in its line from then on', () => {
  const lines = new Lines(() => 0.9, NEAR);
  const names = ['a.as.example', 'a.eu.example'];
  for (const [rank, name] of names.entries()) lines.add(groupOf(name, rank), NOW);
  assert.equal(lines.pick(by(''))?.next?.host, 'a.as.example');
  lines.hear(by('as'));
  assert.equal(lines.pick(by('as'))?.next?.host, 'a.as.example');
  lines.hear(by('eu'));
  assert.equal(lines.size, 2);
  assert.equal(lines.pick(by('eu'))?.next?.host, 'a.eu.example');
  assert.equal(lines.pick(by('')), undefined);
});

test('lines: where the next host of an address is in another region, its line is that one', () => {
  const { lines } = linesOf([], ['eu', 'as']);
  const group = groupOf('a.as.example', 0);
  const [first] = [group.next as Host];
  first.turnAt = 5;
  lines.add(group, NOW);
  const earlier = new Host(blankHost('b.eu.example'), group, false);
  earlier.errands = [{ url: '', origin: '', for: earlier, hops: 0 }];
  group.put(earlier);
  lines.moved(group, NOW);
  assert.equal(lines.pick(by('eu')), group);
  assert.equal(lines.pick(by('as')), undefined);
  group.drop(earlier);
  lines.moved(group, NOW);
  assert.equal(lines.pick(by('as')), group);
  lines.remove(group);
  assert.deepEqual([lines.size, lines.nextAt(by('as'))], [0, undefined]);
});

test('lines: an address that was learned moves a host to its region', () => {
  const { lines, take } = linesOf([], ['eu', 'as']);
  const group = groupOf('a.as.example', 0);
  (group.next as Host).address = 'eu';
  lines.add(group, NOW);
  assert.equal(take('as'), undefined);
  assert.equal(take('eu'), 'a.as.example');
});

test('lines: who is left alone takes the best of all, near or not', () => {
  const { take } = linesOf(['a.as.example', 'a.eu.example', 'a.example'], ['eu', 'as']);
  assert.equal(take('eu', NOW + MINUTE_MS), 'a.as.example');
  assert.equal(take('eu', NOW + MINUTE_MS), 'a.eu.example');
});

test('lines: nextAt() is when there is something for whoever asks', () => {
  const { lines } = linesOf(['a.as.example'], ['eu', 'as']);
  assert.equal(lines.nextAt(by('as')), 0);
  assert.equal(lines.nextAt(by('eu')), NOW + TAKE_OVER_MS);
  assert.equal(lines.nextAt(by('')), NOW + TAKE_OVER_MS);
  const late = NOW + MINUTE_MS - 1;
  lines.add(groupOf('b.as.example', 0), late);
  lines.remove(lines.pick(by('as', late)) as Group);
  lines.remove(lines.pick(by('as', late)) as Group);
  lines.add(groupOf('c.as.example', 0), late);
  assert.equal(lines.nextAt(by('eu', late)), late + 1, 'then nobody of it is waited for');
  assert.equal(lines.nextAt(by('eu', late + 1)), 0);
});

test('lines: near hosts without end starve nobody: each is taken after as many as came before', () => {
  const random = seededRandom('near ones');
  const lines = new Lines(() => random.next(), NEAR);
  for (const region of ['eu', 'as']) lines.hear(by(region));
  const waiting = new Set<Group>();
  for (let nth = 0; nth < 50; nth++) {
    lines.add(groupOf(`near${nth}.eu.example`, nth), NOW);
    const far = groupOf(`far${nth}.${nth % 2 ? 'as.' : ''}example`, 1_000 + nth);
    waiting.add(far);
    lines.add(far, NOW);
  }
  const now = NOW + TAKE_OVER_MS;
  let takes = 0;
  for (; waiting.size > 0; takes++) {
    lines.hear(by('as', now));
    const group = lines.pick(by('eu', now)) as Group;
    lines.remove(group);
    // Whoever is near comes back at once, and is better than all others.
    if (!waiting.delete(group)) lines.add(group, now);
    assert.ok(takes < 2_000, `${waiting.size} wait after ${takes} takes`);
  }
  assert.ok(takes > 100, `${takes}: near ones come first`);
});

test('lines: where all say the same region, or none, picks are as from one line', () => {
  const [one, another] = [seededRandom('same'), seededRandom('same')];
  const lines = new Lines(() => one.next(), {
    hintOf: () => assert.fail('nobody asks where a host is'),
    takeOverMs: TAKE_OVER_MS,
  });
  const ready = new Ready(() => another.next());
  const groups = Array.from({ length: 40 }, (_, nth) => groupOf(`h${nth}.example`, (nth * 7) % 40));
  const twins = Array.from({ length: 40 }, (_, nth) => groupOf(`h${nth}.example`, (nth * 7) % 40));
  for (const group of groups) lines.add(group, NOW);
  for (const [nth, twin] of twins.entries()) ready.add(twin, nth + 1);
  lines.hear(by('eu'));
  while (lines.size > 0) {
    const [group, twin] = [lines.pick(by('eu')) as Group, ready.pick() as Group];
    assert.equal(group.next?.host, twin.next?.host);
    lines.remove(group);
    ready.remove(twin);
  }
});

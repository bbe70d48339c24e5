import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/random.ts';
import { blankHost, NO_BYTES, urlKeyOf } from '../record/index.ts';
import { Group } from './group.ts';
import { Host } from './host.ts';
import { Ready } from './ready.ts';

let arrivals = 0;

function groupOf(name: string, rank: number): Group {
  const group = new Group('');
  const host = new Host(blankHost(name), group, false);
  const url = `http://${name}/`;
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  host.window.add({ key: urlKeyOf(url), url, rank, ...rest, parent: NO_BYTES, again: false }, 10);
  group.put(host);
  return group;
}

test('ready: four in five picks are the best, one in five the one that waits longest', () => {
  const random = seededRandom('ready');
  const ready = new Ready(() => random.next());
  const [oldest, best] = [groupOf('old.example', 900), groupOf('best.example', 1)];
  for (const group of [oldest, groupOf('other.example', 500), best]) ready.add(group, ++arrivals);
  const picks = Array.from({ length: 10_000 }, () => ready.pick());
  const share = (group: Group) => picks.filter((one) => one === group).length / picks.length;
  assert.ok(Math.abs(share(best) - 0.8) < 0.02, `${share(best)}`);
  assert.ok(Math.abs(share(oldest) - 0.2) < 0.02, `${share(oldest)}`);
});

test('ready: a group that better ones keep overtaking is picked all the same', () => {
  const random = seededRandom('starving');
  const ready = new Ready(() => random.next());
  const poor = groupOf('poor.example', 2 ** 31);
  for (let n = 0; n < 20; n++) ready.add(groupOf(`h${n}.example`, n), ++arrivals);
  ready.add(poor, ++arrivals);
  let rounds = 0;
  for (let picked = ready.pick(); picked !== poor; picked = ready.pick()) {
    assert.ok(++rounds < 500, 'its time comes');
    ready.remove(picked as Group);
    ready.add(picked as Group, ++arrivals);
  }
  ready.remove(poor);
  assert.ok(!ready.has(poor));
});

test('ready: an only group is picked, and none when there is none', () => {
  const ready = new Ready(() => 0);
  assert.equal(ready.pick(), undefined);
  const group = groupOf('h.example', 1);
  ready.add(group, ++arrivals);
  assert.equal(ready.pick(), group);
  ready.remove(group);
  assert.equal(ready.pick(), undefined);
  assert.equal(ready.size, 0);
});

test('ready: the order of arrival does not grow with those who have left', () => {
  const ready = new Ready(() => 0);
  const stays = groupOf('stays.example', 5);
  ready.add(stays, ++arrivals);
  const [a, b] = [groupOf('a.example', 1), groupOf('b.example', 2)];
  for (let n = 0; n < 50_000; n++) {
    for (const group of [a, b]) ready.add(group, ++arrivals);
    for (const group of [a, b]) ready.remove(group);
  }
  ready.add(a, ++arrivals);
  assert.equal(ready.pick(), stays);
  assert.ok(ready.arrivalsKept < 2_000, `${ready.arrivalsKept}`);
});

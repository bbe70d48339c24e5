import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostSketch } from '../quality/index.ts';
import { blankHost } from '../record/index.ts';
import { Awake } from './awake.ts';
import { Group } from './group.ts';
import { Host } from './host.ts';

const FAMILIES = 40;

function busyHost(awake: Awake, n: number): Host {
  const host = new Host(blankHost(`h${n}.example`), new Group(''), true);
  const sketch = new HostSketch();
  for (let i = 0; i < FAMILIES; i++) sketch.touch([`/a${i}/*`, '/', undefined], 9).at(0);
  for (const [, family] of sketch.levels[0]?.entries() ?? []) family.admitted = 9;
  awake.add(host, sketch);
  return host;
}

test('awake: of many full sketches the oldest sleep as bytes, and of small ones many more are awake', () => {
  const full = new Awake();
  const hosts = Array.from({ length: 8_000 }, (_, n) => busyHost(full, n));
  assert.ok(full.size >= 1_000 && full.size < 6_000, `${full.size} are awake`);
  assert.ok(hosts[0]?.sketch instanceof Uint8Array, 'the first sleeps');
  assert.ok(hosts.at(-1)?.sketch instanceof HostSketch, 'the last is awake');
  assert.deepEqual([...full.hosts()], hosts.slice(-full.size));
  const small = new Awake();
  for (let n = 0; n < 20_000; n++) {
    small.add(new Host(blankHost(`s${n}.example`), new Group(''), true), new HostSketch());
  }
  assert.equal(small.size, 20_000);
});

test('awake: what a sketch gathers while it is awake counts, too', () => {
  const awake = new Awake();
  const hosts = Array.from({ length: 8_000 }, (_, n) => {
    const host = new Host(blankHost(`h${n}.example`), new Group(''), true);
    awake.add(host, new HostSketch());
    return host;
  });
  for (const { sketch } of hosts) {
    if (!(sketch instanceof HostSketch)) continue;
    for (let i = 0; i < FAMILIES; i++) sketch.touch([`/a${i}/*`, '/', undefined], 9);
    awake.weigh(sketch);
  }
  busyHost(awake, 9_000);
  assert.ok(awake.size < 6_000, `${awake.size} are awake`);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { MemoryGroup } from '../adapters/memory/arc-group.ts';
import { MemoryTenures } from '../adapters/memory/tenures.ts';
import type { Mention } from '../events/index.ts';
import { NO_BYTES, urlKeyOf } from '../record/index.ts';
import { arcOf } from '../url/index.ts';
import { type ArcKeeper, Arcs } from './arcs.ts';

const TERM_MS = 10_000;

/** A small cluster in virtual time; `acting` says who acts for each arc, at this instant. */
function cluster() {
  const clock = new VirtualClock();
  const group = new MemoryGroup();
  const tenures = new MemoryTenures(() => clock.now());
  const acting = new Map<number, string>();
  const got: string[] = [];
  const join = async (holder: string, drainMs = 0) => {
    const keeper: ArcKeeper = {
      async take(arc) {
        await clock.sleepUntil(clock.now() + 50);
        assert.equal(acting.get(arc), undefined, `arc ${arc} of ${acting.get(arc)}, to ${holder}`);
        acting.set(arc, holder);
      },
      async leave(arc) {
        await clock.sleepUntil(clock.now() + drainMs);
        assert.equal(acting.get(arc), holder);
        acting.delete(arc);
      },
      async accept(mentions) {
        got.push(...mentions.map(({ url }) => `${holder} ${url}`));
      },
    };
    const ports = { group: group.connect(), tenures, clock };
    const arcs = new Arcs(ports, keeper, { holder, termMs: TERM_MS });
    await arcs.open();
    return arcs;
  };
  const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
  return { clock, tenures, join, pass, acting, got };
}

const url = 'https://a.test/';
const mention: Mention = {
  ...{ url, kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, parent: NO_BYTES },
};

it('one node: every arc is its own, and what is handed to it is accepted', async () => {
  const { join, pass, got } = cluster();
  const one = await join('one');
  await pass(1_000);
  assert.equal(one.arcs.length, 64);
  assert.ok(one.isMine(urlKeyOf(url)));
  await one.hand([mention]);
  await pass(1);
  assert.deepEqual(got, [`one ${url}`]);
  await one.close();
  assert.deepEqual(one.arcs, []);
});

it('nodes come and go, draining slowly: never two act for an arc, at rest one does (K1)', async () => {
  const { join, pass, acting } = cluster();
  const one = await join('one', 25_000);
  await pass(1_000);
  const two = await join('two', 3_000);
  await pass(2_000);
  assert.equal(two.arcs.length, 0, 'the other still drains');
  await pass(30_000);
  assert.equal(one.arcs.length, 32);
  assert.equal(two.arcs.length, 32);
  const three = await join('three');
  await pass(60_000);
  assert.equal(new Set([...one.arcs, ...two.arcs, ...three.arcs]).size, 64);
  await two.close();
  await pass(60_000);
  assert.equal(acting.size, 64);
  assert.equal(one.arcs.length + three.arcs.length, 64);
  await Promise.all([one.close(), three.close()]);
  assert.equal(acting.size, 0);
});

it('a slow drain: the other arcs are renewed meanwhile', async () => {
  const { join, pass } = cluster();
  const one = await join('one', 5 * TERM_MS);
  await pass(1_000);
  const two = await join('two');
  await pass(3 * TERM_MS);
  assert.equal(one.arcs.length, 32);
  await pass(5 * TERM_MS);
  assert.equal(two.arcs.length, 32);
  await Promise.all([one.close(), two.close()]);
});

it('its engine is away: by its own clock nothing is its own after a term (K5)', async () => {
  const { join, pass, tenures } = cluster();
  const one = await join('one');
  await pass(1_000);
  const renew = tenures.renew.bind(tenures);
  tenures.renew = () => Promise.reject(new Error('no answer'));
  await pass(TERM_MS + 1);
  assert.deepEqual(one.arcs, []);
  assert.ok(!one.isMine(urlKeyOf(url)));
  tenures.renew = renew;
  await pass(2 * TERM_MS);
  assert.equal(one.arcs.length, 64, 'back with the engine');
  await one.close();
});

it('a mention for an arc that is not ours yet: waits for whoever takes it', async () => {
  const { join, pass, got, tenures } = cluster();
  await tenures.take([arcOf(urlKeyOf(url))], 'a dead one', 7_000);
  const one = await join('one');
  await pass(1_000);
  await one.hand([mention]);
  await pass(1_000);
  assert.deepEqual(got, []);
  await pass(TERM_MS);
  assert.deepEqual(got, [`one ${url}`]);
  await one.close();
});

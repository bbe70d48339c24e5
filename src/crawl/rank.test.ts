/** The rating job over small webs, and PageRank against graphs worked out by other means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryRunFiles } from '../adapters/memory/run-files.ts';
import { MemoryShardStore } from '../adapters/memory/shard-store.ts';
import { CrawlError } from '../base/errors.ts';
import { DAY_MS } from '../base/instant.ts';
import { HOST_FLAGS } from '../record/index.ts';
import {
  hostOfIndex,
  hostsIn,
  mixedWeb,
  NOW,
  pageOf,
  portsFor,
  queueIn,
  RULES,
  type Visited,
  visitAll,
} from './rank.testkit.ts';
import { Ranking, runRank } from './rank.ts';
import { type RankDesk, restingDesk } from './rank-desk.ts';
import type { RankPorts } from './rank-graph.ts';

const SMALL = { blockHosts: 3, runPairs: 5 };

/** One page a host, linking to the first page of each of its targets. */
function webOf(graph: readonly (readonly number[])[]): Visited {
  return Object.fromEntries(
    graph.map((targets, i) => [pageOf(i), targets.map((target) => pageOf(target))]),
  );
}

function rankIn(ports: RankPorts, more: object = {}) {
  const options = { rules: RULES, top: 1_000, ...more };
  return runRank(ports, restingDesk(ports.store), options);
}

/** What the job says of each host: its rank as a multiple of the average. */
async function ranksOf(graph: readonly (readonly number[])[], more = {}): Promise<number[]> {
  const ports = portsFor();
  await visitAll(ports.store, webOf(graph));
  const { top } = await rankIn(ports, more);
  const ranks = new Map(top.map(({ host, rank }) => [host, rank]));
  return graph.map((_, i) => ranks.get(hostOfIndex(i)) ?? Number.NaN);
}

/** The same by the definition, with a whole matrix. */
function denseRanks(graph: readonly (readonly number[])[]): number[] {
  const n = graph.length;
  let rank = new Array<number>(n).fill(1 / n);
  for (let round = 0; round < 200; round++) {
    const next = new Array<number>(n).fill(0);
    let lost = 0;
    for (const [i, targets] of graph.entries()) {
      const others = [...new Set(targets)].filter((target) => target !== i);
      if (others.length === 0) lost += rank[i] as number;
      for (const t of others) next[t] = (next[t] as number) + (rank[i] as number) / others.length;
    }
    rank = next.map((flow) => 0.15 / n + 0.85 * (flow + lost / n));
  }
  return rank.map((r) => r * n);
}

test('rank: two hosts that both link to a third: as worked out by hand', async () => {
  // c = 0.15/3 + 0.85 (a + b + c/3), a = b = 0.05 + 0.85 c/3, a + b + c = 1
  const c = (0.05 + 1.7 * 0.05) / (1 - 0.85 / 3 - (1.7 * 0.85) / 3);
  const a = 0.05 + (0.85 * c) / 3;
  const expected = [a, a, c].map((rank) => 3 * rank);
  const ranks = await ranksOf([[2], [2], []]);
  for (const [i, rank] of ranks.entries()) {
    assert.ok(Math.abs(rank - (expected[i] as number)) < 1e-3, `${rank} of ${expected[i]}`);
  }
});

test('rank: a ring is all alike, and a host that links to itself gains nothing', async () => {
  assert.deepEqual(await ranksOf([[1, 0], [2], [0]]), [1, 1, 1]);
});

test('rank: any graph, any size of blocks and runs: the ranks of the definition', async () => {
  const graphs = fc
    .integer({ min: 1, max: 12 })
    .chain((n) =>
      fc.array(fc.array(fc.nat(n - 1), { maxLength: 5 }), { minLength: n, maxLength: n }),
    );
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 14 }), async (graph, blockHosts) => {
      const expected = denseRanks(graph);
      for (const [i, rank] of (await ranksOf(graph, { blockHosts, runPairs: 2 })).entries()) {
        const wanted = expected[i] as number;
        assert.ok(Math.abs(rank - wanted) < 2e-3 * wanted, `host ${i}: ${rank}, not ${wanted}`);
      }
    }),
    { numRuns: 40 },
  );
});

test('rank: domains that link to a host are counted once each, its own not at all', async () => {
  const ports = portsFor();
  await visitAll(ports.store, {
    'http://a.one.com/': ['http://t.three.com/', 'http://u.three.com/x'],
    'http://b.one.com/': ['http://t.three.com/other'],
    'http://two.com/': ['http://t.three.com/', 'http://unknown.example/'],
    'http://u.three.com/': ['http://t.three.com/'],
    'http://t.three.com/': [],
  });
  await rankIn(ports, SMALL);
  const found = Object.fromEntries((await hostsIn(ports.store)).map((h) => [h.host, h.inDomains]));
  const others = { 'a.one.com': 0, 'b.one.com': 0, 'two.com': 0 };
  assert.deepEqual(found, { ...others, 't.three.com': 2, 'u.three.com': 1 });
});

test('rank: in little memory the same hosts, queue and report as in much', async () => {
  const [small, large] = [portsFor(), portsFor()];
  for (const { store } of [small, large]) await mixedWeb(store);
  const reports = [await rankIn(small, SMALL), await rankIn(large)];
  assert.deepEqual(reports[0], reports[1]);
  assert.ok((reports[0]?.moved ?? 0) > 100, 'URLs moved');
  assert.deepEqual(await hostsIn(small.store), await hostsIn(large.store));
  assert.deepEqual(await queueIn(small.store), await queueIn(large.store));
});

test('rank: a URL waits once, at the place of its priority, and none is lost', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  const before = (await queueIn(ports.store)).map((row) => row.split(' ')[0]);
  await rankIn(ports);
  const after = (await queueIn(ports.store)).map((row) => row.split(' ')[0]);
  assert.deepEqual([...after].sort(), [...before].sort());
});

test('rank: run twice, the second moves nothing and reads no page', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  const first = await rankIn(ports);
  const second = await rankIn(ports);
  assert.ok(first.renewed > 40 && first.pages > 100);
  assert.deepEqual([second.renewed, second.pages], [0, 0]);
  assert.deepEqual([second.moved, second.rated], [0, 0]);
  assert.deepEqual(second.top, first.top);
});

test('rank: after more visits only those hosts are read, and the end is that of a fresh job', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  await rankIn(ports);
  await visitAll(ports.store, { [pageOf(3, 50)]: [pageOf(20)], [pageOf(41, 0)]: [pageOf(3)] }, NOW);
  const again = await rankIn(ports);
  assert.equal(again.renewed, 2);
  const fresh = { ...ports, files: new MemoryRunFiles() };
  const anew = await rankIn(fresh);
  assert.deepEqual(anew.top, again.top);
  assert.deepEqual([anew.moved, anew.rated], [0, 0]);
});

test('rank: a damaged graph is made again', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  const first = await rankIn(ports);
  let isHurt = true;
  const { files } = ports;
  const hurt = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from([10, 0, 0, 0, 1, 2, 3]);
    throw new CrawlError('E_STORE_DAMAGED', 'graph is damaged', '');
  };
  const damagedFiles = {
    write: (name: string) => files.write(name),
    read: async (name: string) => (name === 'graph' && isHurt ? hurt() : files.read(name)),
    drop: async (name: string) => {
      if (name === 'graph') isHurt = false;
      await files.drop(name);
    },
  };
  const second = await rankIn({ ...ports, files: damagedFiles });
  assert.equal(second.pages, first.pages);
  assert.deepEqual(second.top, first.top);
});

test('rank: killed after any of its writes, the next job ends where an undisturbed one does', async () => {
  const whole = portsFor();
  await mixedWeb(whole.store);
  await rankIn(whole);
  const expected = [await hostsIn(whole.store), await queueIn(whole.store)];
  for (let writes = 0; writes < 60; writes += 7) {
    const ports = portsFor();
    await mixedWeb(ports.store);
    const names = (await queueIn(ports.store)).map((row) => row.split(' ')[0]).sort();
    const desk = dyingDesk(restingDesk(ports.store), writes);
    await assert.rejects(runRank(ports, desk, { rules: RULES }), /killed/);
    const left = (await queueIn(ports.store)).map((row) => row.split(' ')[0]).sort();
    assert.deepEqual(left, names, 'every URL waits once');
    await rankIn(ports);
    assert.deepEqual([await hostsIn(ports.store), await queueIn(ports.store)], expected);
  }
});

function dyingDesk(desk: RankDesk, writes: number): RankDesk {
  let left = writes;
  const spend = () => {
    if (left-- <= 0) throw new Error('killed');
  };
  return {
    ...desk,
    move: async (moved) => {
      spend();
      await desk.move(moved);
    },
    rate: async (hosts) => {
      spend();
      await desk.rate(hosts);
    },
  };
}

test('rank: spam is denied pending review, freed by trust, and starved where denial is off', async () => {
  const store = new MemoryShardStore();
  const ports = portsFor(store);
  await mixedWeb(store);
  const spam = async () => (await hostsIn(store)).find(({ host }) => host === 'spam.test');
  const report = await rankIn(ports);
  assert.deepEqual([report.starved, report.denied], [1, 1]);
  assert.equal((await spam())?.flags, HOST_FLAGS.denied);
  const trusted = { rules: { denies: true, trusted: new Set(['spam.test']) } };
  assert.equal((await rankIn(ports, trusted)).denied, 0);
  assert.deepEqual([(await spam())?.flags, (await spam())?.authority !== 0], [0, true]);
  await rankIn(ports, { rules: { denies: false, trusted: new Set() } });
  assert.deepEqual([(await spam())?.flags, (await spam())?.authority], [0, 0]);
  const queued = (await queueIn(store)).filter((row) => row.startsWith('http://spam.test/q'));
  for (const row of queued) assert.ok(Number(row.split(' ')[1]) < 0.1, row);
});

test('rank: an empty store is rated without harm', async () => {
  const report = await rankIn(portsFor());
  assert.deepEqual([report.hosts, report.edges, report.top], [0, 0, []]);
});

function rankingIn(ports: RankPorts, everyMs = DAY_MS): Ranking {
  const options = { rules: () => RULES, everyMs, share: 1 };
  return new Ranking(ports, restingDesk(ports.store), options);
}

/** The same ports at another time. */
function at(ports: RankPorts, now: number): RankPorts {
  return { ...ports, clock: { ...ports.clock, now: () => now } };
}

test('ranking: one job at a time, whoever asks', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  const ranking = rankingIn(ports);
  const jobs = [ranking.run({}, 10), ranking.run({ top: 3 }, 10)];
  const [first, second] = await Promise.all(jobs);
  assert.equal(first, second);
  assert.equal((await ranking.run({ top: 3 }, 10)).top.length, 3);
});

test('ranking: due after its interval, by the report of the last one, or a jump of the clock', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  await rankingIn(ports).run({}, 500);
  const isDueAt = (now: number) => rankingIn(at(ports, now)).isDue(500);
  assert.equal(await isDueAt(NOW + 1), false);
  assert.equal(await isDueAt(NOW + DAY_MS - 1), false);
  assert.equal(await isDueAt(NOW + DAY_MS), true);
  assert.equal(await isDueAt(NOW - 2 * DAY_MS), true);
  assert.equal(await rankingIn(at(ports, NOW + DAY_MS), 0).isDue(500), false, 'switched off');
});

test('ranking: a crawl that doubled is due after ten minutes, a small one is not', async () => {
  const ports = portsFor();
  let now = NOW;
  const ranking = rankingIn({ ...ports, clock: { ...ports.clock, now: () => now } });
  assert.equal(await ranking.isDue(0), false, 'never rated: counted from the start');
  now += 9 * 60_000;
  assert.equal(await ranking.isDue(5_000), false);
  now += 60_000;
  assert.equal(await ranking.isDue(999), false);
  assert.equal(await ranking.isDue(5_000), true);
  await ranking.run({}, 5_000);
  now += 60 * 60_000;
  assert.equal(await ranking.isDue(9_999), false);
  assert.equal(await ranking.isDue(10_000), true);
});

test('ranking: stopped in the middle it lets its host go, and the next job does the rest', async () => {
  const ports = portsFor();
  await mixedWeb(ports.store);
  let holds = 0;
  let held = 0;
  const desk: RankDesk = {
    ...restingDesk(ports.store),
    hold: async () => {
      held++;
      if (++holds === 3) void ranking.stop();
    },
    release: () => void held--,
  };
  const options = { rules: () => RULES, everyMs: DAY_MS, share: 1 };
  const ranking = new Ranking(ports, desk, options);
  await assert.rejects(ranking.run({}, 0), { code: 'E_STORE_DOWN' });
  assert.deepEqual([holds, held], [3, 0]);
  const whole = portsFor();
  await mixedWeb(whole.store);
  await rankIn(whole);
  await rankIn(ports);
  assert.deepEqual(await queueIn(ports.store), await queueIn(whole.store));
});

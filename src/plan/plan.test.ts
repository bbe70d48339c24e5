import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_INPUTS, type PlanInputs } from './inputs.ts';
import { type Plan, planCapacity } from './plan.ts';
import { type FigureKey, figureOf } from './quoted.ts';

type Parts = { readonly [S in keyof PlanInputs]?: Partial<PlanInputs[S]> };

function withParts(parts: Parts): PlanInputs {
  const { load, keep, filter, fleet, prices } = DEFAULT_INPUTS;
  return {
    load: { ...load, ...parts.load },
    keep: { ...keep, ...parts.keep },
    filter: { ...filter, ...parts.filter },
    fleet: { ...fleet, ...parts.fleet },
    prices: { ...prices, ...parts.prices },
  };
}

function expect(plan: Plan, figures: Partial<Record<FigureKey, number>>): void {
  for (const [key, value] of Object.entries(figures)) {
    const { value: computed } = figureOf(plan, key as FigureKey);
    assert.ok(Math.abs(computed - value) <= value * 1e-9, `${key}: ${computed}, by hand ${value}`);
  }
}

// 8,640,000 pages are 100 a second: every figure below is worked out on paper.
const HUNDRED: Parts = {
  load: { pagesPerDay: 8_640_000, pageBytes: 50_000, peakFactor: 2, linksPerPage: 10 },
  keep: { compressionRatio: 5, copies: 3, retentionMs: 10 * 86_400_000, recordBytes: 100 },
  fleet: { fetcherRate: 30, hostDelayMs: 2_000, shardRate: 60, nodeDiskBytes: 1e12 },
};

test('plan: a hundred pages a second come to the figures that paper gives', () => {
  expect(planCapacity(withParts(HUNDRED)), {
    'load.pagesPerSecond': 100,
    'load.pagesPerSecondPeak': 200,
    'load.bandwidth': 5e6,
    'load.bandwidthPeak': 10e6,
    'load.bytesPerDay': 432e9,
    'load.checksPerSecond': 1_000,
    'storage.storedPerDay': 86.4e9,
    'storage.storedPerMonth': 2_592e9,
    'storage.retained': 864e9,
    'storage.retainedCopies': 2_592e9,
    'storage.records': 8.64e9,
    'filter.knownUrls': 86.4e6,
    'filter.exactMemory': 691.2e6,
    'fleet.hostsNeeded': 400,
    'fleet.shards': 4,
    'fleet.shardRecords': 2.16e9,
    'fleet.fetchers': 7,
    'fleet.nodes': 7,
    'fleet.diskNodes': 3,
  });
});

test('plan: returns to unchanged pages cost requests, not bytes, links or storage', () => {
  const load = { ...HUNDRED.load, recrawlShare: 0.5, unchangedShare: 0.8 };
  expect(planCapacity(withParts({ ...HUNDRED, load })), {
    'load.pagesPerSecond': 100,
    'load.bandwidth': 3e6,
    'load.checksPerSecond': 600,
    'storage.storedPerDay': 51.84e9,
    'filter.knownUrls': 43.2e6,
    'fleet.returnsPerYear': 36.5,
  });
});

test('plan: the bill is amounts times prices, and nothing else', () => {
  const prices = { storageTbMonth: 10, trafficTb: 2, nodeMonth: 50, writesMillion: 4 };
  const { bill } = planCapacity(withParts({ ...HUNDRED, prices }));
  // 2.592 TB, 7 nodes, 5 MB/s for 30 days = 12.96 TB, 259.2 million bodies in three copies.
  const costs = bill.lines.map(({ cost }) => Number(cost.toFixed(6)));
  assert.deepEqual(costs, [25.92, 350, 0, 25.92, 3_110.4]);
  assert.equal(Number(bill.perMonth.toFixed(6)), 3_512.24);
  assert.equal(Number(bill.perMillionPages.toFixed(6)), 13.550309);
});

test('nodes: whatever runs out first decides, and is named', () => {
  const nodes = (fleet: Parts['fleet']) =>
    planCapacity(withParts({ ...HUNDRED, fleet: { ...HUNDRED.fleet, ...fleet } })).fleet.nodes;
  assert.match(nodes({}).formula, /fetcher/);
  const thin = nodes({ nodeBandwidthBytes: 1e6 });
  assert.equal(thin.value, 10);
  assert.match(thin.formula, /network/);
  const small = nodes({ nodeMemoryBytes: 1e6 });
  assert.ok(small.value > 100);
  assert.match(small.formula, /filter/);
});

test('hosts: a quota that is reached before the delay asks for more of them', () => {
  const { hostsNeeded } = planCapacity(withParts({ fleet: { hostQuotaPerDay: 10 } })).fleet;
  assert.equal(hostsNeeded.value, 1e6);
  assert.match(hostsNeeded.formula, /a host and day/);
});

test('findings: too few hosts, too few bits and nothing to remember are each said once', () => {
  const of = (parts: Parts) => planCapacity(withParts(parts)).findings.map((one) => one.message);
  assert.deepEqual(of({}), []);
  const [hosts, ...more] = of({ ...HUNDRED, fleet: { ...HUNDRED.fleet, hosts: 50 } });
  assert.match(hosts ?? '', /^50 hosts, asked once in 2 s, allow 2,160,000 pages a day/);
  assert.deepEqual(more, []);
  const fleet = { ...HUNDRED.fleet, hosts: 50, hostQuotaPerDay: 1_000 };
  assert.match(of({ ...HUNDRED, fleet })[0] ?? '', /allow 50,000 pages a day/);
  assert.match(of({ filter: { bitsPerUrl: 8 } })[0] ?? '', /8 bits a URL give 2\.16% at best/);
  assert.deepEqual(of({ filter: { bitsPerUrl: 15 } }), []);
  assert.match(of({ load: { recrawlShare: 1 } })[0] ?? '', /every fetch is a return/i);
  assert.deepEqual(of({ load: { recrawlShare: 1 }, filter: { knownUrls: 1e9 } }), []);
});

const positive = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const share = positive(0, 1);
const anyInputs: fc.Arbitrary<PlanInputs> = fc.record({
  load: fc.record({
    pagesPerDay: positive(1, 1e13),
    pageBytes: positive(1, 1e9),
    peakFactor: positive(1, 1_000),
    recrawlShare: share,
    unchangedShare: share,
    linksPerPage: positive(0, 10_000),
  }),
  keep: fc.record({
    retentionMs: positive(1, 1e12),
    compressionRatio: positive(1, 100),
    duplicateShare: share,
    copies: fc.integer({ min: 1, max: 20 }),
    recordBytes: positive(1, 1e5),
  }),
  filter: fc.record({
    knownUrls: fc.option(positive(1, 1e14), { nil: undefined }),
    bitsPerUrl: fc.option(positive(1, 64), { nil: undefined }),
    falsePositive: positive(0.0001, 0.01),
  }),
  fleet: fc.record({
    fetcherRate: positive(0.01, 1e6),
    hostDelayMs: positive(0, 1e8),
    hostQuotaPerDay: positive(1, 1e9),
    hosts: fc.option(positive(1, 1e10), { nil: undefined }),
    shardRate: positive(1, 1e6),
    shardBytes: positive(1e6, 1e15),
    nodeMemoryBytes: positive(1e6, 1e13),
    nodeBandwidthBytes: positive(1e3, 1e12),
    nodeDiskBytes: positive(1e6, 1e15),
  }),
  prices: fc.record({
    currency: fc.constant('units'),
    storageTbMonth: positive(0, 1e6),
    trafficTb: positive(0, 1e6),
    nodeMonth: positive(0, 1e6),
    memoryGbMonth: positive(0, 1e6),
    writesMillion: positive(0, 1e6),
  }),
});

function allFigures(plan: Plan) {
  return [plan.load, plan.storage, plan.filter, plan.fleet].flatMap((group) =>
    Object.values(group as unknown as Record<string, { value: number; formula: string }>),
  );
}

test('property: every figure is a finite number with a sentence that holds only numbers', () => {
  const seen = fc.property(anyInputs, (inputs) => {
    const plan = planCapacity(inputs);
    for (const { value, formula } of allFigures(plan)) {
      assert.ok(Number.isFinite(value) && value >= 0, formula);
      assert.doesNotMatch(formula, /NaN|Infinity|undefined/);
      assert.notEqual(formula, '');
    }
    for (const { cost } of plan.bill.lines) assert.ok(Number.isFinite(cost) && cost >= 0);
    assert.ok(Number.isFinite(plan.bill.perMillionPages));
  });
  fc.assert(seen, { numRuns: 60 });
});

const BODIES: readonly FigureKey[] = [
  ...(['load.bandwidth', 'load.bandwidthPeak', 'load.bytesPerDay'] as const),
  ...(['storage.storedPerDay', 'storage.storedPerMonth', 'storage.retainedCopies'] as const),
];

test('property: units: pages a thousand times as large move bytes of bodies, nothing else', () => {
  const scaled = fc.property(anyInputs, (inputs) => {
    const large = { ...inputs.load, pageBytes: inputs.load.pageBytes * 1_000 };
    const [one, thousand] = [planCapacity(inputs), planCapacity({ ...inputs, load: large })];
    for (const key of BODIES) {
      const [value, more] = [figureOf(one, key).value, figureOf(thousand, key).value];
      assert.ok(Math.abs(more - value * 1_000) <= value * 1e-6, key);
    }
    assert.equal(thousand.load.pagesPerSecond.value, one.load.pagesPerSecond.value);
    assert.deepEqual(thousand.filter, one.filter);
    assert.deepEqual(thousand.fleet.shards, one.fleet.shards);
    assert.deepEqual(thousand.storage.records, one.storage.records);
  });
  fc.assert(scaled, { numRuns: 40 });
});

const LOAD = ['load.pagesPerSecondPeak', 'load.bandwidth', 'load.checksPerSecond'] as const;
const SIZE = ['storage.retainedCopies', 'storage.records', 'filter.blockedMemory'] as const;
const FLEET = ['fleet.hostsNeeded', 'fleet.shards', 'fleet.fetchers', 'fleet.nodes'] as const;
const WATCHED: readonly FigureKey[] = [...LOAD, ...SIZE, ...FLEET, 'fleet.diskNodes'];

/** More of the input never means less of anything (1), or never more of anything (-1). */
const DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  'load.pagesPerDay': 1,
  'load.pageBytes': 1,
  'load.peakFactor': 1,
  'load.linksPerPage': 1,
  'load.unchangedShare': -1,
  'load.recrawlShare': -1,
  'keep.retentionMs': 1,
  'keep.copies': 1,
  'keep.recordBytes': 1,
  'keep.compressionRatio': -1,
  'keep.duplicateShare': -1,
  'filter.falsePositive': -1,
  'fleet.hostDelayMs': 1,
  'fleet.hostQuotaPerDay': -1,
  'fleet.fetcherRate': -1,
  'fleet.shardRate': -1,
  'fleet.shardBytes': -1,
  'fleet.nodeMemoryBytes': -1,
  'fleet.nodeBandwidthBytes': -1,
  'fleet.nodeDiskBytes': -1,
  'prices.storageTbMonth': 1,
  'prices.trafficTb': 1,
  'prices.nodeMonth': 1,
  'prices.memoryGbMonth': 1,
  'prices.writesMillion': 1,
};

type Loose = Record<string, Record<string, number>>;

for (const [path, direction] of Object.entries(DIRECTIONS)) {
  const word = direction === 1 ? 'lowers' : 'raises';
  test(`property: more of ${path} never ${word} what is needed, nor the bill`, () => {
    const [section, name] = path.split('.') as [string, string];
    const moved = fc.property(anyInputs, anyInputs, (one, other) => {
      const [low, high] = inOrder(one, other, section, name).map(planCapacity) as [Plan, Plan];
      const slack = 1e-9;
      for (const key of WATCHED) {
        const change = (figureOf(high, key).value - figureOf(low, key).value) * direction;
        assert.ok(change >= -slack * figureOf(low, key).value, key);
      }
      const change = (high.bill.perMonth - low.bill.perMonth) * direction;
      assert.ok(change >= -slack * low.bill.perMonth, 'bill');
    });
    fc.assert(moved, { numRuns: 15 });
  });
}

/** The first inputs twice, with the smaller and the larger value of one field. */
function inOrder(one: PlanInputs, other: PlanInputs, section: string, name: string): PlanInputs[] {
  const a = one as unknown as Loose;
  const values = [a[section]?.[name], (other as unknown as Loose)[section]?.[name]] as number[];
  return values
    .sort((x, y) => x - y)
    .map((value) => ({ ...a, [section]: { ...a[section], [name]: value } }) as never);
}

/**
 * From settings to the inputs of a plan: each input and the setting that gives it.
 *
 * A setting that nobody gave leaves the input as the preset (or the default) has it.
 */
import { entryByKey, type Resolution, type SettingKey, valueIn } from '../../config/index.ts';
import type { PlanInputs } from '../../plan/index.ts';

type Sources = {
  readonly [S in keyof PlanInputs]: { readonly [N in keyof PlanInputs[S]]: SettingKey };
};

const SOURCES: Sources = {
  load: {
    pagesPerDay: 'plan.pagesPerDay',
    pageBytes: 'plan.pageSize',
    peakFactor: 'plan.peakFactor',
    recrawlShare: 'plan.recrawlShare',
    unchangedShare: 'plan.unchangedShare',
    linksPerPage: 'plan.linksPerPage',
  },
  keep: {
    retentionMs: 'plan.retention',
    compressionRatio: 'plan.compressionRatio',
    duplicateShare: 'plan.duplicateShare',
    copies: 'plan.replication',
    recordBytes: 'fleet.recordSize',
  },
  filter: {
    knownUrls: 'plan.knownUrls',
    bitsPerUrl: 'fleet.bitsPerUrl',
    falsePositive: 'store.falsePositive',
  },
  fleet: {
    fetcherRate: 'fleet.fetcherRate',
    hostDelayMs: 'polite.delay',
    hostQuotaPerDay: 'polite.hostQuotaPerDay',
    hosts: 'fleet.hosts',
    shardRate: 'fleet.shardRate',
    shardBytes: 'fleet.shardSize',
    nodeMemoryBytes: 'fleet.nodeMemory',
    nodeBandwidthBytes: 'fleet.nodeBandwidth',
    nodeDiskBytes: 'fleet.nodeDisk',
  },
  prices: {
    currency: 'price.currency',
    storageTbMonth: 'price.priceStorage',
    trafficTb: 'price.priceTraffic',
    nodeMonth: 'price.priceNode',
    memoryGbMonth: 'price.priceMemory',
    writesMillion: 'price.priceWrites',
  },
};

export function inputsOf(resolution: Resolution, base: PlanInputs): PlanInputs {
  const given = Object.entries(SOURCES).map(([section, sources]) => {
    const values = Object.entries(sources).flatMap(([name, key]) =>
      isGiven(key, resolution) ? [[name, settingOf(key, resolution)]] : [],
    );
    return [section, { ...base[section as keyof PlanInputs], ...Object.fromEntries(values) }];
  });
  return Object.fromEntries(given) as PlanInputs;
}

/** A pause between requests is also given as a rate; the settings keep the two in step. */
function isGiven(key: SettingKey, { explicit }: Resolution): boolean {
  return explicit.has(key) || (key === 'polite.delay' && explicit.has('polite.rate'));
}

function settingOf(key: SettingKey, { settings }: Resolution): unknown {
  const entry = entryByKey(key);
  if (entry === undefined) throw new Error(`broken invariant: ${key} is in the table`);
  return valueIn(settings, entry);
}

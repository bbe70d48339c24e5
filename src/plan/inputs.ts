/**
 * What a plan starts from: the load, what is kept of it, the filter, the machines, the prices.
 *
 * Sizes are decimal (1 KB is 1,000 bytes), because disks, networks and prices are. The defaults
 * are neutral: one copy, nothing recrawled, no duplicates, rates that `docs/bench.md` reaches
 * on one core with room to spare, and prices that stand in for one's own.
 *
 * Every number must be finite and positive; shares lie between 0 and 1. Whoever reads inputs
 * from people (the settings' kinds, the dashboard's sliders) sees to it.
 */
export interface PlanInputs {
  readonly load: Load;
  readonly keep: Keep;
  readonly filter: Filter;
  readonly fleet: Fleet;
  readonly prices: Prices;
}

export interface Load {
  /** Fetches a day, first visits and returns together. */
  readonly pagesPerDay: number;
  /** One page as it crosses the network. */
  readonly pageBytes: number;
  readonly peakFactor: number;
  /** Of the fetches: returns to pages that are known. */
  readonly recrawlShare: number;
  /** Of the returns: answered with 304 or the same bytes, and cheap for it. */
  readonly unchangedShare: number;
  readonly linksPerPage: number;
}

export interface Keep {
  readonly retentionMs: number;
  /** Bytes fetched for one byte stored. */
  readonly compressionRatio: number;
  /** Of the pages: bodies that are stored already, under another URL. */
  readonly duplicateShare: number;
  readonly copies: number;
  /** What the store remembers of one URL. */
  readonly recordBytes: number;
}

export interface Filter {
  /** Unless given: the new URLs of as many days as are retained. */
  readonly knownUrls: number | undefined;
  /** Unless given: as many as the target takes. */
  readonly bitsPerUrl: number | undefined;
  readonly falsePositive: number;
}

export interface Fleet {
  readonly fetcherRate: number;
  readonly hostDelayMs: number;
  readonly hostQuotaPerDay: number;
  /** Hosts that there are to ask, if known. */
  readonly hosts: number | undefined;
  readonly shardRate: number;
  readonly shardBytes: number;
  readonly nodeMemoryBytes: number;
  readonly nodeBandwidthBytes: number;
  readonly nodeDiskBytes: number;
}

/** A month is 30 days. */
export interface Prices {
  readonly currency: string;
  readonly storageTbMonth: number;
  readonly trafficTb: number;
  readonly nodeMonth: number;
  readonly memoryGbMonth: number;
  readonly writesMillion: number;
}

export const SECONDS_PER_DAY = 86_400;
export const MS_PER_DAY = 86_400_000;
export const DAYS_PER_MONTH = 30;

export const DEFAULT_INPUTS: PlanInputs = {
  load: {
    pagesPerDay: 10e6,
    pageBytes: 100e3,
    peakFactor: 3,
    recrawlShare: 0,
    unchangedShare: 0.7,
    linksPerPage: 50,
  },
  keep: {
    retentionMs: 30 * MS_PER_DAY,
    compressionRatio: 4,
    duplicateShare: 0,
    copies: 1,
    recordBytes: 150,
  },
  filter: { knownUrls: undefined, bitsPerUrl: undefined, falsePositive: 0.001 },
  fleet: {
    fetcherRate: 500,
    hostDelayMs: 1_000,
    hostQuotaPerDay: 100_000,
    hosts: undefined,
    shardRate: 2_500,
    shardBytes: 100e9,
    nodeMemoryBytes: 16e9,
    nodeBandwidthBytes: 125e6,
    nodeDiskBytes: 20e12,
  },
  prices: {
    currency: 'units',
    storageTbMonth: 20,
    trafficTb: 0,
    nodeMonth: 100,
    memoryGbMonth: 0,
    writesMillion: 0,
  },
};

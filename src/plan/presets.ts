/**
 * Estimates that crawler designs commonly quote, to be computed again.
 *
 * Each is the inputs that an estimate names, and the figures that it draws from them. A quoted
 * figure is kept as quoted, right or wrong: `quoted.ts` says which ones follow.
 */
import { DEFAULT_INPUTS, type PlanInputs } from './inputs.ts';
import type { Quote } from './quoted.ts';

export interface Preset {
  readonly what: string;
  readonly inputs: PlanInputs;
  readonly quotes: readonly Quote[];
}

type Parts = { readonly [S in keyof PlanInputs]?: Partial<PlanInputs[S]> };

function inputs(parts: Parts): PlanInputs {
  const { load, keep, filter, fleet, prices } = DEFAULT_INPUTS;
  return {
    load: { ...load, ...parts.load },
    keep: { ...keep, compressionRatio: 1, ...parts.keep },
    filter: { ...filter, ...parts.filter },
    fleet: { ...fleet, ...parts.fleet },
    prices: { ...prices, ...parts.prices },
  };
}

export const PRESETS = {
  'billion-a-day': {
    what: '1 billion pages a day, kept for 30 days, 14 bits a URL',
    inputs: inputs({
      load: { pagesPerDay: 1e9, pageBytes: 100e3, peakFactor: 3 },
      filter: { bitsPerUrl: 14, falsePositive: 0.0001 },
    }),
    quotes: [
      { figure: 'load.pagesPerSecond', value: 11_574 },
      { figure: 'load.pagesPerSecondPeak', value: 34_722 },
      { figure: 'load.bandwidth', value: 11.6e9 },
      { figure: 'storage.storedPerDay', value: 100e12 },
      { figure: 'storage.retained', value: 3e15 },
      { figure: 'filter.knownUrls', value: 30e9 },
      { figure: 'filter.filterMemory', value: 53e9 },
      { figure: 'filter.falsePositive', value: 0.0001 },
    ],
  },
  'five-billion-a-day': {
    what: '5 billion pages a day, 30% duplicates, 50 billion URLs known, 1% false positives',
    inputs: inputs({
      load: { pagesPerDay: 5e9, pageBytes: 100e3, peakFactor: 2.6, linksPerPage: 20 },
      keep: { duplicateShare: 0.3, recordBytes: 110 },
      filter: { knownUrls: 50e9, falsePositive: 0.01 },
      fleet: { hosts: 500e6, fetcherRate: 500 },
    }),
    quotes: [
      { figure: 'load.pagesPerSecond', value: 58_000 },
      { figure: 'load.pagesPerSecondPeak', value: 150_000 },
      { figure: 'load.bandwidth', value: 5.8e9 },
      { figure: 'load.checksPerSecond', value: 1.16e6 },
      { figure: 'load.bytesPerDay', value: 500e12 },
      { figure: 'storage.retained', value: 10e15 },
      { figure: 'storage.records', value: 5.5e12 },
      { figure: 'filter.bitsPerUrl', value: 10 },
      { figure: 'filter.filterMemory', value: 60e9 },
      { figure: 'filter.falsePositive', value: 0.01 },
      { figure: 'fleet.shards', value: 64 },
      { figure: 'fleet.shardRecords', value: 85e9 },
      { figure: 'fleet.fetchers', value: 450 },
    ],
  },
  'billion-a-month': {
    what: '1 billion pages, each visited once a month, 10 billion URLs known',
    inputs: inputs({
      load: { pagesPerDay: 1e9 / 30, pageBytes: 100e3, peakFactor: 259.2 },
      keep: { recordBytes: 100 },
      filter: { knownUrls: 10e9, falsePositive: 0.01 },
      fleet: { fetcherRate: 1_000 },
    }),
    quotes: [
      { figure: 'load.pagesPerSecond', value: 385 },
      { figure: 'load.pagesPerSecondPeak', value: 100_000 },
      { figure: 'storage.retained', value: 100e12 },
      { figure: 'storage.records', value: 1e12 },
      { figure: 'filter.filterMemory', value: 12e9 },
      { figure: 'fleet.fetchers', value: 100 },
    ],
  },
  'thousand-a-second': {
    what: '1,000 pages a second, 30% duplicates, 10 billion URLs in 10 GB',
    inputs: inputs({
      load: { pagesPerDay: 86.4e6, pageBytes: 50e3, peakFactor: 1 },
      keep: { duplicateShare: 0.3 },
      filter: { knownUrls: 10e9, bitsPerUrl: 8, falsePositive: 0.001 },
      fleet: { fetcherRate: 20 },
    }),
    quotes: [
      { figure: 'load.pagesPerSecond', value: 1_000 },
      {
        figure: 'storage.storedPerMonth',
        value: 75e12,
        why: 'it counts 600 new bodies a second, which are 40% duplicates',
      },
      { figure: 'filter.filterMemory', value: 10e9 },
      { figure: 'filter.falsePositive', value: 0.001 },
      { figure: 'fleet.fetchers', value: 50 },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];

export function presetOf(name: PresetName): Preset {
  return PRESETS[name];
}

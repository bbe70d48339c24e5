/**
 * The dials of the planner: which input each one turns, how far, and what it is called on the
 * command line. Large amounts turn on a logarithmic scale, in steps of two figures.
 */
import { type PlanInputs, sayBytes, sayCount, sayShare, sayTime } from '../../../plan/index.ts';

const DAY_MS = 86_400_000;

export interface Dial {
  readonly name: string;
  readonly flag: string;
  readonly min: number;
  readonly max: number;
  readonly isLog?: boolean;
  readonly step?: number;
  readonly say: (value: number) => string;
  /** As `orb plan` takes it. */
  readonly write: (value: number) => string;
  readonly get: (inputs: PlanInputs) => number | undefined;
  readonly set: (inputs: PlanInputs, value: number) => PlanInputs;
}

type Groups = Omit<PlanInputs, 'prices'>;

function dial<G extends keyof Groups>(
  group: G,
  field: keyof PlanInputs[G],
  shape: Omit<Dial, 'get' | 'set' | 'write'> & { readonly write?: Dial['write'] },
): Dial {
  return {
    write: String,
    ...shape,
    get: (inputs) => inputs[group][field] as number | undefined,
    set: (inputs, value) => ({ ...inputs, [group]: { ...inputs[group], [field]: value } }),
  };
}

const share = { min: 0, max: 0.95, step: 0.05, say: sayShare };
const rounded = (value: number) => Number(value.toPrecision(2));

export const DIALS: readonly Dial[] = [
  dial('load', 'pagesPerDay', {
    ...{ name: 'Pages a day', flag: '--pages-per-day', min: 1e4, max: 1e11, isLog: true },
    say: sayCount,
  }),
  dial('load', 'pageBytes', {
    ...{ name: 'Size of a page', flag: '--page-size', min: 1e3, max: 1e7, isLog: true },
    ...{ say: sayBytes, write: (value) => `${value}B` },
  }),
  dial('keep', 'retentionMs', {
    ...{ name: 'Bodies kept for', flag: '--retention', min: DAY_MS, max: 3650 * DAY_MS },
    ...{ isLog: true, say: sayTime, write: (value) => `${value}ms` },
  }),
  dial('load', 'peakFactor', {
    ...{ name: 'Peak over average', flag: '--peak-factor', min: 1, max: 20, step: 0.1 },
    say: (value) => `× ${sayCount(value)}`,
  }),
  dial('load', 'recrawlShare', {
    name: 'Returns to known pages',
    flag: '--recrawl-share',
    ...share,
  }),
  dial('keep', 'duplicateShare', { name: 'Duplicates', flag: '--duplicate-share', ...share }),
  dial('keep', 'compressionRatio', {
    ...{ name: 'Compression', flag: '--compression-ratio', min: 1, max: 10, step: 0.5 },
    say: (value) => `${sayCount(value)} to 1`,
  }),
  dial('keep', 'copies', {
    ...{ name: 'Copies of a body', flag: '--replication', min: 1, max: 5, step: 0.5 },
    say: sayCount,
  }),
  dial('filter', 'falsePositive', {
    ...{ name: 'False positives', flag: '--false-positive', min: 1e-4, max: 0.01, isLog: true },
    say: sayShare,
  }),
  dial('fleet', 'fetcherRate', {
    ...{ name: 'Pages a second of a fetcher', flag: '--fetcher-rate', min: 10, max: 1e4 },
    ...{ isLog: true, say: sayCount },
  }),
  dial('fleet', 'hostDelayMs', {
    ...{ name: 'Pause between requests to a host', flag: '--delay', min: 100, max: 60_000 },
    ...{ isLog: true, say: sayTime, write: (value) => `${value}ms` },
  }),
];

/** Steps of a slider on a logarithmic scale. */
export const LOG_STEPS = 1_000;

export function positionOf({ isLog, min, max }: Dial, value: number): number {
  if (!isLog) return value;
  return (LOG_STEPS * Math.log(value / min)) / Math.log(max / min);
}

export function valueAt({ isLog, min, max }: Dial, position: number): number {
  if (!isLog) return position;
  return Math.min(max, Math.max(min, rounded(min * (max / min) ** (position / LOG_STEPS))));
}

/** The same plan on the command line: what differs from where it began. */
export function commandFor(inputs: PlanInputs, base: PlanInputs, preset: string): string {
  const given = DIALS.filter((one) => one.get(inputs) !== one.get(base)).map(
    (one) => ` ${one.flag} ${one.write(one.get(inputs) as number)}`,
  );
  const prices = PRICES.filter(({ field }) => inputs.prices[field] !== base.prices[field]).map(
    ({ flag, field }) => ` ${flag} ${inputs.prices[field]}`,
  );
  return `orb plan${preset === '' ? '' : ` --preset ${preset}`}${[...given, ...prices].join('')}`;
}

/** In the order of the bill's lines. */
export const PRICES = [
  { field: 'storageTbMonth', flag: '--price-storage', each: 'a TB' },
  { field: 'nodeMonth', flag: '--price-node', each: 'a node' },
  { field: 'memoryGbMonth', flag: '--price-memory', each: 'a GB' },
  { field: 'trafficTb', flag: '--price-traffic', each: 'a TB' },
  { field: 'writesMillion', flag: '--price-writes', each: 'a million' },
] as const;

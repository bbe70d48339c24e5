/** How politely, how often, how much: the numbers that the frontier's decisions use. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import {
  DOMAINS,
  type DomainPolicy,
  FARM,
  type FarmPolicy,
  SOFT_404,
  type Soft404Policy,
  TRAPS,
  type TrapPolicy,
} from '../quality/index.ts';

export interface Politeness {
  /** Product token that robots.txt groups are matched with. */
  readonly agent: string;
  /** Pause between two requests to a host that names no Crawl-delay (P1). */
  readonly delayMs: number;
  /** Pause between two requests to one address, whatever the host (P4). */
  readonly addressDelayMs: number;
  /** Agreed pauses, by host (P3); they replace both the default and a Crawl-delay. */
  readonly delayMsByHost: ReadonlyMap<string, number>;
  /** Requests open at one host at a time: 1, but for `--rate max` on private addresses. */
  readonly lanes: number;
  /** A host that takes t to answer is not asked again for slowFactor × t (P3). */
  readonly slowFactor: number;
  readonly delayMsMax: number;
  readonly retry: RetryPolicy;
  readonly robotsLifeMs: number;
  readonly fetchesPerDayMax: number;
  readonly newPerDayMax: number;
  /** Pages of one host in the whole crawl; 0 is no limit. */
  readonly pagesPerHostMax: number;
  readonly quality: QualityPolicy;
}

/** What is thought of pages and URLs (../quality/). */
export interface QualityPolicy {
  readonly traps: TrapPolicy;
  readonly soft404: Soft404Policy;
  readonly farm: FarmPolicy;
  readonly domains: DomainPolicy;
}

export interface RetryPolicy {
  /** Tries after the first. */
  readonly times: number;
  readonly firstMs: number;
  readonly factor: number;
  /** Answers 429/503 do not say that the page is broken: they get this many tries. */
  readonly busyTimes: number;
  readonly forbiddenMs: number;
  readonly errorsUntilDown: number;
  readonly downMs: number;
  readonly downMsMax: number;
}

export const POLITE: Politeness = {
  agent: 'Orbweaver',
  delayMs: SECOND_MS,
  addressDelayMs: SECOND_MS,
  delayMsByHost: new Map(),
  lanes: 1,
  slowFactor: 2,
  delayMsMax: 10 * MINUTE_MS,
  retry: {
    times: 3,
    firstMs: 10 * SECOND_MS,
    factor: 4,
    busyTimes: 10,
    forbiddenMs: 7 * DAY_MS,
    errorsUntilDown: 5,
    downMs: HOUR_MS,
    downMsMax: DAY_MS,
  },
  robotsLifeMs: DAY_MS,
  fetchesPerDayMax: 100_000,
  newPerDayMax: 1_000_000,
  pagesPerHostMax: 0,
  quality: { traps: TRAPS, soft404: SOFT_404, farm: FARM, domains: DOMAINS },
};

/** A plain page of a plain host, and what a story says more than that of it. */
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import { POLITE } from '../frontier/index.ts';
import {
  blankHost,
  blankRecord,
  type HostRecord,
  type UrlRecord,
  urlKeyOf,
} from '../record/index.ts';
import { tellWhy } from './why.ts';
import type { WhyFacts } from './why-facts.ts';

export const NOW = Date.UTC(2026, 0, 31, 12);
export const PAGE = 'https://example.com/docs/a';
export const HOME = 'https://example.com/';

export function record(more: Partial<UrlRecord> = {}): UrlRecord {
  return {
    ...blankRecord(PAGE, NOW - DAY_MS),
    ...{ state: 'indexed', httpStatus: 200, lastFetchedAt: NOW - HOUR_MS, depth: 1 },
    ...{ priority: 0.5, parent: urlKeyOf(HOME) },
    ...more,
  };
}

export function host(more: Partial<HostRecord> = {}): HostRecord {
  return { ...blankHost('example.com'), lastFetchAt: NOW - HOUR_MS, ...more };
}

export function facts(more: Partial<WhyFacts> = {}): WhyFacts {
  return {
    ...{ given: PAGE, url: PAGE, now: NOW, isRunning: true, isBlockedHost: false },
    scope: { in: true, reason: 'a host of a seed', hopsOutside: 0 },
    ...{ refusal: undefined, denial: undefined },
    record: record(),
    parent: { record: { ...blankRecord(HOME, NOW), priority: 0.8 }, text: 'Docs' },
    ...{ original: undefined, host: host(), notes: {}, robots: undefined, politeness: POLITE },
    ...{ purposes: [], policy: undefined, tries: [] },
    ...more,
  };
}

/** The sentences that a plain page does not have. */
export function told(more: Partial<WhyFacts>): string[] {
  const plain = new Set(tellWhy(facts()).story);
  return [...tellWhy(facts(more)).story].filter((sentence) => !plain.has(sentence));
}

/** One story: the situation, what differs from a plain page, the sentences that come of it. */
export type Story = readonly [string, Partial<WhyFacts>, readonly string[]];

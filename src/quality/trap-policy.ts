/**
 * The numbers of the trap detector (Q1), in one place; docs/traps.md explains them and says
 * what a trap costs. An operator overrules by `isOn` and by `allowed`.
 */
import { DAY_MS } from '../base/instant.ts';

export interface TrapPolicy {
  readonly isOn: boolean;
  /** What an operator vouches for: tests of path and query. */
  readonly allowed: readonly RegExp[];
  /** Pages of one family after which the detector looks where they lead. */
  readonly watchFrom: number;
  /** A family that is estimated to have more pages than this has no end. */
  readonly sizeMax: number;
  /** Pages that are asked downwards of such a family, to find its last ones. */
  readonly trialPages: number;
  /** Pages watched before a family whose segments repeat is judged. */
  readonly repeatsFrom: number;
  /** Pages with two parameters or more before combinations are judged. */
  readonly facetsFrom: number;
  /** Pages of a counter (steps.ts) that is good for nothing else; fewer when it counts dates. */
  readonly counterFrom: number;
  readonly calendarFrom: number;
  /** Links in a row within one family. */
  readonly chainMax: number;
  /** Pages watched without a result: the family is cleared until it has twice as many. */
  readonly watchMax: number;
  /** Copies among the hundred pages of a stretch. */
  readonly copiesMax: number;
  /** One page that names more new URLs of one shape than this is suspect. */
  readonly outlinksMax: number;
  /** Share of a host's URLs that makes one shape suspect. */
  readonly shareMax: number;
  /** When a verdict is looked at again, and with how many pages. */
  readonly probeAfterMs: number;
  readonly probes: number;
  /** When URLs that were skipped wait again. */
  readonly againAfterMs: number;
}

export const TRAPS: TrapPolicy = {
  isOn: true,
  allowed: [],
  watchFrom: 100,
  sizeMax: 500_000,
  trialPages: 80,
  repeatsFrom: 40,
  facetsFrom: 300,
  counterFrom: 600,
  calendarFrom: 150,
  chainMax: 300,
  watchMax: 1_000,
  copiesMax: 80,
  outlinksMax: 500,
  shareMax: 0.8,
  probeAfterMs: DAY_MS,
  probes: 3,
  againAfterMs: 30 * DAY_MS,
};

/** A date this many years on is one that only a program writes pages for. */
export const YEAR_AHEAD = 2;

/**
 * How often a page changes, from visits that only tell whether it did (T5).
 *
 * Changes are taken to come at random at an unknown rate. A visit sees 'changed since the last
 * one, at least once' or 'not changed', never how often: the observation is censored. What is
 * believed of the rate is a gamma distribution, its shape over a time; 'not changed for t' adds t
 * to the time, exactly. 'Changed within t' leaves no gamma distribution, and is replaced by the
 * one with the same mean and variance. So two numbers a page hold all visits, however unequal
 * the pauses between them, and a page with few visits stays near what its host's pages do.
 */
import { DAY_MS, MINUTE_MS } from '../base/instant.ts';

export interface Rate {
  /** About how many changes this belief rests on. */
  readonly shape: number;
  /** The time that they took. */
  readonly ms: number;
}

/** What was seen long ago counts less with every visit: a page may take up another habit. */
const KEPT_PER_VISIT = 1 - 1 / 200;
/** A belief must stay open to a surprise. */
const SHAPE_MIN = 0.05;
const SHAPE_MAX = 1_000;
/** A pause that is longer than this, by a clock that jumped or a crawl that slept, says no more. */
const ELAPSED_MS_MAX = 365 * DAY_MS;
/** Rates outside are not told apart: from once in ten seconds to once in a century. */
const CHANGE_MS = { min: MINUTE_MS / 6, max: 36_500 * DAY_MS } as const;
const PRIOR_SHAPE = 0.25;
/** So many changes leave a rate uncertain by a fifth: good enough to give up on a page. */
const SURE_SHAPE = 24;
/** Standard deviations by which a rate is doubted before a page is given up. */
const DOUBT = 0.5;

/** The belief before the first observation: what the host's pages do, held lightly. */
export function priorRate(changeMs: number): Rate {
  return { shape: PRIOR_SHAPE, ms: PRIOR_SHAPE * within(changeMs) };
}

/** Nothing was observed yet: the host's pages may have told more since. */
export function isPrior({ shape }: Rate): boolean {
  return shape === 0 || shape === PRIOR_SHAPE;
}

export function learn(before: Rate, elapsedMs: number, changed: boolean): Rate {
  const elapsed = Math.min(ELAPSED_MS_MAX, elapsedMs);
  if (!(elapsed > 0)) return before;
  const shape = Math.max(SHAPE_MIN, before.shape * KEPT_PER_VISIT);
  const ms = shape * changeMsOf(before);
  return bounded(changed ? afterChange(shape, ms, elapsed) : { shape, ms: ms + elapsed });
}

/** The mean time between two changes. */
export function changeMsOf({ shape, ms }: Rate): number {
  return within(ms / shape);
}

/** The mean time between two changes if the page is slower than it seems. */
export function doubtedChangeMs({ shape, ms }: Rate): number {
  return within(ms / Math.max(shape - DOUBT * Math.sqrt(shape), shape / 8));
}

/** Does the belief rest on enough to act against the page? */
export function isSure({ shape }: Rate): boolean {
  return shape >= SURE_SHAPE;
}

/**
 * Mean and variance of λ under density ∝ λ^(a−1) e^(−bλ) (1 − e^(−λt)): the difference of two
 * gamma densities, of which the second weighs c = (b / (b + t))^a.
 */
function afterChange(a: number, b: number, t: number): Rate {
  const c = Math.exp(-a * Math.log1p(t / b));
  const mean = (a / b - (c * a) / (b + t)) / (1 - c);
  const square = (a * (a + 1) * (1 / b ** 2 - c / (b + t) ** 2)) / (1 - c);
  const variance = square - mean ** 2;
  if (!(variance > 0) || !Number.isFinite(mean)) return { shape: a + 1, ms: b + t };
  return { shape: mean ** 2 / variance, ms: mean / variance };
}

function bounded({ shape, ms }: Rate): Rate {
  const kept = Math.min(SHAPE_MAX, Math.max(SHAPE_MIN, shape));
  return { shape: kept, ms: kept * within(ms / shape) };
}

function within(changeMs: number): number {
  return changeMs > CHANGE_MS.min ? Math.min(CHANGE_MS.max, changeMs) : CHANGE_MS.min;
}

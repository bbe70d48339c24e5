/**
 * The budget where it buys most freshness (T5).
 *
 * A page that changes at rate λ and is visited f times in the same time is fresh for the share
 * F = (f/λ)(1 − e^(−λ/f)) of it (Cho and Garcia-Molina 2003). To make Σ w·F largest under
 * Σ f = B, every page that is visited at all must have the same price w·∂F/∂f = μ, and one with
 * w/λ ≤ μ is not worth a visit: it changes faster than it matters. The price is found by
 * bisection, the way from a price to a frequency by Newton's method:
 *
 *   w/λ · (1 − e^(−r)(1 + r)) = μ,   r = λ/f
 *
 * Azar et al. (2018) solve the same for visits at random instants in closed form,
 * f = √(wλ/μ) − λ, and then visit at regular ones; this solves it for regular ones at once.
 * Kolobov et al. (2019) add what we do by `floor`: no page starves, whatever its price.
 */

/** Share of the time that a page is as we have it, in the long run. */
export function freshnessOf(changesPerMs: number, visitsPerMs: number): number {
  if (changesPerMs <= 0) return 1;
  if (visitsPerMs <= 0) return 0;
  const r = changesPerMs / visitsPerMs;
  return -Math.expm1(-r) / r;
}

/** How often a page is worth a visit at a price; 0 is never. */
export function frequencyOf(changesPerMs: number, weight: number, price: number): number {
  const y = (price * changesPerMs) / weight;
  if (!(y < 1)) return 0;
  return changesPerMs / gapOf(Math.max(y, Y_MIN));
}

const Y_MIN = 1e-12;
const NEWTON_STEPS = 40;
const CLOSE = 1e-10;

/** The r at which 1 − e^(−r)(1 + r) = y: rising in both, so Newton from the right side closes in. */
function gapOf(y: number): number {
  let r = y < 0.5 ? Math.sqrt(2 * y) : 1 - 1.3 * Math.log1p(-y);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const e = Math.exp(-r);
    const change = (1 - e * (1 + r) - y) / (r * e);
    const next = Math.max(r / 4, Math.min(r * 4, r - change));
    if (Math.abs(next - r) <= CLOSE * r) return next;
    r = next;
  }
  return r;
}

/** A page, or as many as look alike. */
export interface Demand {
  readonly count: number;
  readonly changesPerMs: number;
  readonly weight: number;
  /** Visits per ms that it is promised. */
  readonly floor: number;
}

export interface Limits {
  /** Visits in all, per ms. */
  readonly budget: number;
  /** No page is visited less, none more often than this. */
  readonly floor: number;
  readonly top: number;
}

/** Logarithms of prices that are tried, and how close is close enough. */
const PRICES = { low: -60, high: 60 } as const;
const PRICE_CLOSE = 1e-6;
const NEAR_STEP = 0.25;

/** The price at which the pages ask for just the budget; quick when `near` is a good guess. */
export function priceOf(pages: readonly Demand[], limits: Limits, near?: number): number {
  const isDear = (log: number) => demandAt(pages, Math.exp(log), limits) <= limits.budget;
  let { low, high } = near === undefined ? PRICES : bracket(Math.log(near), isDear);
  while (high - low > PRICE_CLOSE) {
    const middle = (low + high) / 2;
    if (isDear(middle)) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}

function bracket(near: number, isDear: (log: number) => boolean): { low: number; high: number } {
  let step = NEAR_STEP;
  const up = isDear(near) ? -1 : 1;
  let edge = near + up * step;
  while (isDear(edge) === (up === -1) && Math.abs(edge) < PRICES.high) {
    step *= 2;
    edge += up * step;
  }
  return up === 1 ? { low: near, high: edge } : { low: edge, high: near };
}

export function limitedFrequency(page: Demand, price: number, { floor, top }: Limits): number {
  const wanted = frequencyOf(page.changesPerMs, page.weight, price);
  return Math.min(top, Math.max(floor, page.floor, wanted));
}

function demandAt(pages: readonly Demand[], price: number, limits: Limits): number {
  let sum = 0;
  for (const page of pages) sum += page.count * limitedFrequency(page, price, limits);
  return sum;
}

/** How often each page is visited at the optimum. */
export function optimalFrequencies(pages: readonly Demand[], limits: Limits): Float64Array {
  const price = priceOf(pages, limits);
  return Float64Array.from(pages, (page) => limitedFrequency(page, price, limits));
}

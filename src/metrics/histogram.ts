/**
 * How many observations were at most so large, and their sum: a few numbers whatever is
 * observed, from which a reader computes quantiles over any stretch of time.
 */
import { assert } from '../base/assert.ts';
import type { Sample } from './family.ts';

export class Histogram {
  readonly #bounds: readonly number[];
  /** Of each bound's own slice; the last is for what is larger than all of them. */
  readonly #slices: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    assert(bounds.length > 0, 'a histogram has bounds');
    assert(
      bounds.every((bound, i) => i === 0 || bound > (bounds[i - 1] as number)),
      'the bounds of a histogram rise',
    );
    this.#bounds = bounds;
    this.#slices = new Float64Array(bounds.length + 1);
  }

  /** What is not a number is not observed: one of them would spoil the sum for good. */
  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    const slices = this.#slices;
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at++;
    slices[at] = (slices[at] as number) + 1;
    this.#sum += value;
  }

  samples(): Sample[] {
    let sofar = 0;
    const buckets = Array.from(this.#slices, (slice, i) => {
      sofar += slice;
      const le = i < this.#bounds.length ? String(this.#bounds[i]) : '+Inf';
      return { suffix: '_bucket', labels: { le }, value: sofar };
    });
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: sofar }];
  }
}

/** `first`, and each bound `factor` times the one before. */
export function bounds(first: number, factor: number, many: number): number[] {
  return Array.from({ length: many }, (_, i) => Number((first * factor ** i).toPrecision(6)));
}

/**
 * The pace of the last seconds, from counts read now and then. A crawl's average says little
 * about the present: a host that was slow an hour ago is not slow now.
 */
import type { Instant } from '../../base/instant.ts';

const SPAN_MS = 10_000;
const SAMPLES_MAX = 64;

export class Pace {
  readonly #samples: { readonly at: Instant; readonly count: number }[] = [];

  note(count: number, at: Instant): void {
    this.#samples.push({ at, count });
    const isOld = () => (this.#samples[1]?.at ?? Number.POSITIVE_INFINITY) <= at - SPAN_MS;
    while (this.#samples.length > SAMPLES_MAX || isOld()) this.#samples.shift();
  }

  /** Per second, over the last ten seconds or as much of them as there was. */
  get perSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return ((last.count - first.count) / (last.at - first.at)) * 1_000;
  }
}

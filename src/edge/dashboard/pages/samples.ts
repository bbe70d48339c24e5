/** Counts of a run as they were seen, and the rates between them. */
import type { Progress } from './api-types.ts';

export interface Sample {
  /** In seconds, by the clock of the service. */
  readonly at: number;
  readonly pages: number;
  readonly bytes: number;
}

export interface Rates {
  readonly pages: number;
  readonly bytes: number;
}

/** Ten minutes at one a second. */
const SAMPLES_MAX = 600;

/** Begins anew with a service that was started again: its counts begin at 0. */
export function added(samples: readonly Sample[], progress: Progress): readonly Sample[] {
  const { pages, bytes } = progress;
  const at = Date.parse(progress.now) / 1_000;
  const last = samples.at(-1);
  if (last === undefined || pages < last.pages) return [{ at, pages, bytes }];
  if (at <= last.at) return samples;
  return [...samples.slice(-SAMPLES_MAX), { at, pages, bytes }];
}

/** Over the last seconds; 0 as long as there is nothing to compare. */
export function ratesOf(samples: readonly Sample[], seconds = 5): Rates {
  const last = samples.at(-1);
  const first = last && samples.find(({ at }) => at >= last.at - seconds - 0.5);
  if (last === undefined || first === undefined || first === last) return { pages: 0, bytes: 0 };
  return between(first, last);
}

/** One column of instants and one of rates, as a chart takes them. */
export function curve(samples: readonly Sample[], of: keyof Rates): [number[], number[]] {
  const at: number[] = [];
  const rates: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [from, to] = [samples[i - 1] as Sample, samples[i] as Sample];
    at.push(to.at);
    rates.push(between(from, to)[of]);
  }
  return [at, rates];
}

function between(from: Sample, to: Sample): Rates {
  const seconds = to.at - from.at;
  return { pages: (to.pages - from.pages) / seconds, bytes: (to.bytes - from.bytes) / seconds };
}

/**
 * A family: one name, one help text, one kind, and its samples of now.
 *
 *   counter     only grows while the process lives; its name ends in `_total`
 *   gauge       goes up and down
 *   histogram   how many were at most so large, for quantiles over any time and many processes
 *
 * Units are seconds and bytes; a ratio is between 0 and 1.
 */
import { assert } from '../base/assert.ts';
import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** After the family's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export function counter(name: string, help: string, value: number | readonly Sample[]): Family {
  assert(name.endsWith('_total'), `${name}: a counter is a total`);
  return { name, help, type: 'counter', samples: samplesOf(value) };
}

export function gauge(name: string, help: string, value: number | readonly Sample[]): Family {
  assert(!name.endsWith('_total'), `${name}: a gauge is no total`);
  return { name, help, type: 'gauge', samples: samplesOf(value) };
}

export function histogram(name: string, help: string, value: Histogram): Family {
  return { name, help, type: 'histogram', samples: value.samples() };
}

function samplesOf(value: number | readonly Sample[]): readonly Sample[] {
  return typeof value === 'number' ? [{ value }] : value;
}

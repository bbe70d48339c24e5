/**
 * A count for each of a closed set of words. All stand at 0 from the start, so that a reader
 * sees the first of a kind as a rise from 0 and not as a number out of nowhere; a word that is
 * not in the set counts as `other`, so that what a server says never makes a new series.
 */
import type { Sample } from './family.ts';

export type Counts = Record<string, number>;

export const OTHER = 'other';

export function counts(words: readonly string[]): Counts {
  const all: Counts = Object.create(null);
  for (const word of [...words, OTHER]) all[word] = 0;
  return all;
}

export function count(all: Counts, word: string): void {
  const key = word in all ? word : OTHER;
  all[key] = (all[key] as number) + 1;
}

/** One sample for each word, under the label `label`. */
export function labelled(label: string, all: Readonly<Record<string, number>>): Sample[] {
  return Object.keys(all).map((word) => ({
    value: all[word] as number,
    labels: { [label]: word },
  }));
}

/**
 * Changed, or only its noise did? A page with a clock, a counter or another advertisement on
 * every visit has other bytes every time and says nothing new: it is a near-duplicate of itself.
 * It counts as unchanged, or every host could buy a visit an hour by printing the time.
 *
 * Stricter than for two pages: a sentence that is new on a page is news.
 */
import { bitsApart, halvesOf, isNear } from '../content/near.ts';

/** What of a text is kept to compare it with. */
export interface Prints {
  readonly simhash: bigint;
  readonly pairs: bigint;
}

/** A few words of some hundreds turn a bit or two of the pairs' fingerprint; a sentence turns more. */
const NOISE_BITS_MAX = 2;

/** A fingerprint of 0 is of no words, and tells nothing. */
export function isSameButNoise(before: Prints, after: Prints): boolean {
  if (before.simhash === 0n || after.simhash === 0n) return false;
  if (!isNear(halvesOf(before.simhash), halvesOf(after.simhash))) return false;
  return bitsApart(halvesOf(before.pairs), halvesOf(after.pairs)) <= NOISE_BITS_MAX;
}

/**
 * Changed, or only its noise did? A page with a clock, a counter or another advertisement on
 * every visit has other bytes every time and says nothing new: it is a near-duplicate of itself.
 * It counts as unchanged, or every host could buy a visit an hour by printing the time.
 */
import { halvesOf, isNear } from '../content/near.ts';

/** A fingerprint of 0 is of no words, and tells nothing. */
export function isSameButNoise(before: bigint, after: bigint): boolean {
  if (before === 0n || after === 0n) return false;
  return before === after || isNear(halvesOf(before), halvesOf(after));
}

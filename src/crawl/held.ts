/** The same answer for whoever asks within a while: what is dear is made once for all of them. */
import type { Instant } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';

/** `ms` may depend on what was made last. One that failed is made again by the next who asks. */
export function heldFor<T>(
  ms: number | ((last: T) => number),
  clock: Clock,
  make: () => Promise<T>,
): () => Promise<T> {
  let held: { readonly answer: Promise<T>; until: Instant } | undefined;
  return () => {
    if (held === undefined || clock.now() > held.until) {
      const begun = clock.now();
      const made = { answer: make(), until: Number.POSITIVE_INFINITY };
      held = made;
      made.answer.then(
        (last) => {
          made.until = begun + (typeof ms === 'number' ? ms : ms(last));
        },
        () => {
          if (held === made) held = undefined;
        },
      );
    }
    return held.answer;
  };
}

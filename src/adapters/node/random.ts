/** The machine's own randomness. The seeded kind is `../../base/random.ts`. */
import type { Random } from '../../ports/random.ts';

export function systemRandom(): Random {
  return { next: Math.random };
}

/**
 * A point in time: milliseconds since 1970, with fractions.
 *
 * Thinking code takes instants as arguments and never asks a clock; `ports/clock.ts`
 * is where they come from.
 */
export type Instant = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

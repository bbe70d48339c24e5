/**
 * Lending turns (D6): the owner of a hot host keeps its queue, its dedup and its one bucket, and
 * lends single turns to other seats of the arc, who have connections to spare.
 *
 *   owner   ├ answers ── opensIn ──┤ the turn: lastsMs ├ margin ├ pause ┤ next turn
 *   helper  asked ├──── heard ── opensIn ──┤ may ask ├ from asked: opensIn + lastsMs
 *
 * Clocks are not compared. The helper counts the beginning from when it heard, which is later than
 * the answer, and the end from when it asked, which is earlier: whatever the messages took, it asks
 * within the turn or not at all. A helper that slept finds its turn over, and an answer that comes
 * twice is used once: whoever calls this remembers what it asked. The whole turn lies within the
 * owner's term: so whoever is the next owner, its pause begins after it (P5).
 */
import type { Instant } from '../base/instant.ts';

/** A turn, counted from the instant at which the owner answered. */
export interface Loan {
  readonly opensInMs: number;
  readonly lastsMs: number;
}

export interface LendRules {
  readonly lastsMs: number;
  /** A request that is begun arrives within this. */
  readonly marginMs: number;
}

/** The next turn of a host as a loan, and when the host is ready after it. */
export function lend(
  readyAt: Instant,
  pauseMs: number,
  { now, leaseUntil }: { readonly now: Instant; readonly leaseUntil: Instant },
  { lastsMs, marginMs }: LendRules,
): { readonly loan: Loan; readonly readyAt: Instant } | undefined {
  const opensAt = Math.max(now, readyAt);
  const overAt = opensAt + lastsMs + marginMs;
  if (overAt >= leaseUntil) return undefined;
  return { loan: { opensInMs: opensAt - now, lastsMs }, readyAt: overAt + pauseMs };
}

/** When the helper may begin its request, by its own clock; undefined when that is never. */
export function windowOf(
  { opensInMs, lastsMs }: Loan,
  askedAt: Instant,
  heardAt: Instant,
): { readonly from: Instant; readonly to: Instant } | undefined {
  const from = heardAt + opensInMs;
  const to = askedAt + opensInMs + lastsMs;
  return from < to ? { from, to } : undefined;
}

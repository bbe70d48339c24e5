/**
 * Turns at addresses that several nodes ask, as whoever keeps the table decides them (P4): the rules
 * of ../ports/address-turns.ts without the way to it. Every instant is an argument.
 *
 *   nobody's ── claim ─▶ held by a claim ── rest ─▶ rests after a node ── over ─▶ nobody's
 *                           └─ `holdMs` have passed ────────────────────────────────┘
 *
 * Entries end by themselves, and are swept when they have become many. A table that is full gives
 * no turn at an address that it does not know.
 *
 * Not here: what is done when a table was lost (../crawl/ring-address.ts, ../adapters/redis/).
 */
import type { Instant } from '../base/instant.ts';

export interface TurnTerms {
  /** How long the turn is ours should we never be heard of again: pause included. */
  readonly holdMs: number;
  /** The pause that the address is owed after a request. */
  readonly pauseMs: number;
}

/** Who waited has this part of a pause to come back before others may have the turn. */
export const COME_BACK_SHARE = 0.25;

/** Held for a claim, or resting after one: then `id` is empty. */
interface Kept {
  readonly node: string;
  readonly id: string;
  readonly until: Instant;
}

/** Who claims, and which claim of all it is. */
export interface Claimant {
  readonly node: string;
  readonly id: string;
}

const ENTRIES_MAX = 200_000;
const SWEEP_FROM = 1_000;

export class AddressTable {
  readonly #kept = new Map<string, Kept>();
  /** Who comes next, for so long. */
  readonly #next = new Map<string, Kept>();
  readonly #entriesMax: number;
  #sweepAt = SWEEP_FROM;

  constructor(entriesMax = ENTRIES_MAX) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** 0 when the turn is the claimant's; else how long to wait. A claim heard twice is one claim. */
  claim(address: string, { node, id }: Claimant, terms: TurnTerms, now: Instant): number {
    const { holdMs, pauseMs } = terms;
    const kept = valid(this.#kept.get(address), now);
    if (kept?.id === id) return 0;
    const next = valid(this.#next.get(address), now);
    const isOurs = next === undefined || next.node === node;
    if (kept === undefined || (kept.id === '' && kept.node === node)) {
      if (!isOurs) return next.until - now;
      this.#next.delete(address);
      return this.#keep(address, { node, id, until: now + holdMs }, now) ? 0 : pauseMs;
    }
    const leftMs = kept.until - now;
    const waitMs = kept.id === '' ? leftMs : Math.min(leftMs, pauseMs);
    const until = now + waitMs + pauseMs * COME_BACK_SHARE;
    if (isOurs) this.#next.set(address, { node, id: '', until });
    return waitMs;
  }

  /** Said again: this turn is held. Whoever has the address by now keeps it. */
  hold(address: string, { node, id }: Claimant, leftMs: number, now: Instant): void {
    if (valid(this.#kept.get(address), now) !== undefined || leftMs <= 0) return;
    this.#keep(address, { node, id, until: now + leftMs }, now);
  }

  /** The turn is over; nothing is taken from whoever has the address by now. */
  rest(address: string, { node, id }: Claimant, restMs: number, now: Instant): void {
    const kept = valid(this.#kept.get(address), now);
    if (kept !== undefined && kept.id !== id) return;
    if (restMs > 0) this.#keep(address, { node, id: '', until: now + restMs }, now);
    else this.#kept.delete(address);
  }

  #keep(address: string, kept: Kept, now: Instant): boolean {
    if (this.#kept.size >= this.#sweepAt) this.sweep(now);
    if (this.#kept.size >= this.#entriesMax && !this.#kept.has(address)) return false;
    this.#kept.set(address, kept);
    return true;
  }

  /** Forgets what is over. */
  sweep(now: Instant): void {
    for (const map of [this.#kept, this.#next]) {
      for (const [address, { until }] of map) if (until <= now) map.delete(address);
    }
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * this.#kept.size);
  }
}

function valid(kept: Kept | undefined, now: Instant): Kept | undefined {
  return kept !== undefined && kept.until > now ? kept : undefined;
}

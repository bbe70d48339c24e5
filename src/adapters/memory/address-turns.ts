/**
 * Turns at addresses in memory: the reference of the `AddressTurns` port, and the table that the
 * nodes of a simulated cluster share.
 */
import type { Instant } from '../../base/instant.ts';
import {
  type AddressTurns,
  COME_BACK_SHARE,
  type Turn,
  type TurnAnswer,
  type TurnTerms,
} from '../../ports/address-turns.ts';

/** Held for a claim, or resting after one: then `id` is empty. */
interface Kept {
  readonly node: string;
  readonly id: string;
  readonly until: Instant;
}

export class MemoryAddressTable {
  readonly #now: () => Instant;
  readonly #forgetMs: number;
  readonly #kept = new Map<string, Kept>();
  /** Who comes next, for so long. */
  readonly #next = new Map<string, Kept>();
  readonly #held = new Map<string, { readonly address: string } & Kept>();
  #blankUntil: Instant = 0;
  #claims = 0;

  constructor(now: () => Instant, forgetMs = 0) {
    this.#now = now;
    this.#forgetMs = forgetMs;
  }

  connect(node: string): AddressTurns {
    return {
      claim: async (address, terms) => this.#claim(address, node, terms),
      rest: async (turn, restMs, isLost) => this.#rest(turn, isLost ? '' : node, restMs),
    };
  }

  /** What a server does that is flushed; nodes that live tell it again what they hold. */
  forget(lives: (node: string) => boolean = () => true): void {
    this.#kept.clear();
    this.#next.clear();
    this.#blankUntil = this.#now() + this.#forgetMs;
    for (const { address, ...kept } of this.#held.values()) {
      if (lives(kept.node)) this.#kept.set(address, kept);
    }
  }

  #claim(address: string, node: string, { holdMs, pauseMs }: TurnTerms): TurnAnswer {
    const now = this.#now();
    if (now < this.#blankUntil) return { kind: 'wait', waitMs: this.#blankUntil - now };
    const kept = valid(this.#kept.get(address), now);
    const next = valid(this.#next.get(address), now);
    const isOurs = next === undefined || next.node === node;
    if (kept === undefined || (kept.id === '' && kept.node === node)) {
      if (!isOurs) return { kind: 'wait', waitMs: next.until - now };
      this.#next.delete(address);
      return { kind: 'yours', turn: this.#hold(address, node, now + holdMs) };
    }
    const leftMs = kept.until - now;
    const waitMs = kept.id === '' ? leftMs : Math.min(leftMs, pauseMs);
    const until = now + waitMs + pauseMs * COME_BACK_SHARE;
    if (isOurs) this.#next.set(address, { node, id: '', until });
    return { kind: 'wait', waitMs };
  }

  #hold(address: string, node: string, until: Instant): Turn {
    const id = `${node} ${++this.#claims}`;
    this.#kept.set(address, { node, id, until });
    this.#held.set(id, { address, node, id, until });
    return { address, id };
  }

  #rest({ address, id }: Turn, node: string, restMs: number): void {
    const now = this.#now();
    this.#held.delete(id);
    const kept = valid(this.#kept.get(address), now);
    if (kept !== undefined && kept.id !== id) return;
    if (restMs > 0) this.#kept.set(address, { node, id: '', until: now + restMs });
    else this.#kept.delete(address);
  }
}

function valid(kept: Kept | undefined, now: Instant): Kept | undefined {
  return kept !== undefined && kept.until > now ? kept : undefined;
}

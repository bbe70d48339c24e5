/**
 * Turns at addresses in memory: the reference of the `AddressTurns` port, and the table that the
 * nodes of a simulated cluster share. Its rules are those of ../../frontier/address-table.ts.
 */
import type { Instant } from '../../base/instant.ts';
import { AddressTable, type Claimant, type TurnTerms } from '../../frontier/index.ts';
import type { AddressTurns, Turn, TurnAnswer } from '../../ports/address-turns.ts';

interface Held extends Claimant {
  readonly address: string;
  readonly until: Instant;
}

export class MemoryAddressTable {
  readonly #now: () => Instant;
  readonly #forgetMs: number;
  readonly #held = new Map<string, Held>();
  #table = new AddressTable();
  #blankUntil: Instant = 0;
  #claims = 0;

  constructor(now: () => Instant, forgetMs = 0) {
    this.#now = now;
    this.#forgetMs = forgetMs;
  }

  connect(node: string): AddressTurns {
    return {
      claim: async (address, terms) => this.#claim(address, node, terms),
      rest: async ({ address, id }, restMs, isLost) => {
        this.#held.delete(id);
        this.#table.rest(address, { node: isLost ? '' : node, id }, restMs, this.#now());
      },
    };
  }

  /** What a server does that is flushed; nodes that live tell it again what they hold. */
  forget(lives: (node: string) => boolean = () => true): void {
    const now = this.#now();
    this.#table = new AddressTable();
    this.#blankUntil = now + this.#forgetMs;
    for (const held of this.#held.values()) {
      if (lives(held.node)) this.#table.hold(held.address, held, held.until - now, now);
    }
  }

  #claim(address: string, node: string, terms: TurnTerms): TurnAnswer {
    const now = this.#now();
    if (now < this.#blankUntil) return { kind: 'wait', waitMs: this.#blankUntil - now };
    const turn: Turn = { address, id: `${node} ${++this.#claims}` };
    const waitMs = this.#table.claim(address, { node, id: turn.id }, terms, now);
    if (waitMs > 0) return { kind: 'wait', waitMs };
    this.#held.set(turn.id, { ...turn, node, until: now + terms.holdMs });
    return { kind: 'yours', turn };
  }
}

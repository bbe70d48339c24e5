/**
 * A step of the path, in a cluster: hosts behind one address may be several nodes' own, and to
 * whoever runs the address they are one crawler (P4). Right before a request its turn is claimed of
 * all nodes (../ports/address-turns.ts), and when its answer has begun the address rests.
 *
 *   bind ─▶ claim ─┬─ yours ─▶ exchange ─▶ over: rests for a pause
 *                  ├─ another node's: the lease goes back, nobody here asks it before
 *                  └─ nobody can say: asked, and from then on as seldom as our share of the circle
 *
 * So when the engine is away, all nodes together ask an address as often as one would, though two of
 * them may meet there: each waits as many pauses as there were nodes if all had as many arcs.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';
import {
  addressDelayMsOf,
  exchangeOf,
  type Frontier,
  type Lease,
  restAddressUntil,
} from '../frontier/index.ts';
import type { AddressTurns, Turn } from '../ports/address-turns.ts';
import type { Clock } from '../ports/clock.ts';
import { ARCS, shareOf } from '../url/index.ts';

export interface NeighbourParts {
  readonly turns: AddressTurns;
  readonly frontier: Frontier;
  readonly clock: Clock;
  /** Those that this node acts for. */
  readonly arcs: { readonly arcs: readonly number[] };
  readonly limits: { readonly connectMs: number; readonly firstByteMs: number };
}

/** A claim that is older is not connected for: whoever was stopped meanwhile sends nothing. */
const FRESH_MS = 3 * SECOND_MS;

/** After its claim a request is sent within this, or never. */
export function claimToSendMs(connectMs: number): number {
  return FRESH_MS + connectMs;
}

interface Claimed {
  readonly turn: Turn;
  /** By our clock, from before we asked. */
  readonly freshUntil: Instant;
  /** After it, the address rests so many times its pause. */
  readonly pauses: number;
}

/** An address is not claimed more often than this, whatever was agreed with its hosts. */
const PAUSE_MS_MIN = 20;
const NO_FATE = { sign: 'none', retryAfterMs: 0 } as const;

export class Neighbours {
  readonly #parts: NeighbourParts;
  readonly #claimed = new WeakMap<Lease, Claimed>();

  constructor(parts: NeighbourParts) {
    this.#parts = parts;
  }

  /**
   * False when it is another node's turn: the URL is back in the queue, and nothing may be sent.
   * `endsBy`: somebody else makes the request, until then (loan.ts).
   */
  async claim(lease: Lease, address: string, endsBy?: Instant): Promise<boolean> {
    const { turns, frontier, clock, limits } = this.#parts;
    const pauseMs = Math.max(PAUSE_MS_MIN, this.#pauseMsOf(lease));
    const askedAt = clock.now();
    const ownMs = claimToSendMs(limits.connectMs) + limits.firstByteMs;
    const lentMs = endsBy === undefined ? 0 : endsBy - askedAt;
    const holdMs = Math.max(ownMs, lentMs) + pauseMs;
    const answer = await turns.claim(address, { holdMs, pauseMs });
    if (answer.kind === 'wait') {
      if (frontier.leases.isOpen(lease)) restAddressUntil(lease.host, clock.now() + answer.waitMs);
      frontier.release(lease);
      return false;
    }
    const { turn } = answer;
    if (!frontier.leases.isOpen(lease)) {
      void turns.rest(turn, 0);
      return false;
    }
    const pauses = answer.kind === 'away' ? this.#nodes : 1;
    this.#claimed.set(lease, { turn, freshUntil: askedAt + FRESH_MS, pauses });
    return true;
  }

  /** May its request still be begun? */
  isFresh(lease: Lease): boolean {
    const claimed = this.#claimed.get(lease);
    return claimed === undefined || this.#parts.clock.now() < claimed.freshUntil;
  }

  /** The request is over, or was not made. */
  over(lease: Lease, outcome: Outcome): void {
    const { turns, frontier, clock } = this.#parts;
    const claimed = this.#claimed.get(lease);
    if (claimed === undefined) return;
    this.#claimed.delete(lease);
    const answeredAt = exchangeOf(outcome, NO_FATE)?.answeredAt;
    if (answeredAt === undefined) return void turns.rest(claimed.turn, 0);
    const restsUntil = answeredAt + claimed.pauses * this.#pauseMsOf(lease);
    const isOpen = frontier.leases.isOpen(lease);
    if (isOpen) restAddressUntil(lease.host, restsUntil);
    // A loan that was broken off rests for longer: its fetcher may still ask (loan.ts).
    const until = Math.max(restsUntil, lease.host.group.turnAt);
    void turns.rest(claimed.turn, until - clock.now(), !isOpen);
  }

  /** How many there were if each acted for as many arcs as we do. */
  get #nodes(): number {
    return 1 / Math.max(shareOf(this.#parts.arcs.arcs), 1 / ARCS);
  }

  #pauseMsOf({ host }: Lease): number {
    return addressDelayMsOf(host.host, this.#parts.frontier.policy);
  }
}

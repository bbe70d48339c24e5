/**
 * Turns at addresses that nodes of a ring share (P4): the table of an address is with the owner of the
 * arc in which the address's hash lies (ring-address-tables.ts), one question for a claim.
 *
 *   claim ─▶ owner of the address's arc ─▶ yours, or wait
 *              └─ silent ─▶ wait; ask again in a moment; silent for AWAY_MS ─▶ away
 *
 * An arc has a new owner some seconds after its last one died, and until then nobody asks there:
 * the address would be everybody's at once. Only an arc that nobody owns for long, since too many
 * of its seats are gone, does not stop those whose own arcs are well (neighbours.ts).
 *
 * A turn that is held for longer than a moment is said again and again: its table may have moved.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { AddressTurns, Turn, TurnAnswer, TurnTerms } from '../ports/address-turns.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import { type AddressTableParts, AddressTables, arcOfAddress } from './ring-address-tables.ts';
import { type AddressQuestion, addressQuestion, callerOf, waitIn } from './ring-address-wire.ts';

export interface RingAddressParts extends AddressTableParts {
  readonly calls: RingCalls;
  /** Of this process and no other, ever. */
  readonly holder: string;
  readonly notice?: (text: string) => void;
}

/** A claim is good for 3 s: half of that remains to connect in (neighbours.ts). */
const CLAIM_MS = 1.5 * SECOND_MS;
const REST_MS = 5 * SECOND_MS;
/** Whoever is silent is not asked again before. */
const SILENT_MS = SECOND_MS;
const AWAY_MS = 60 * SECOND_MS;
const STALE_MS = 10 * SECOND_MS;
/** Several times while a table is blank. */
const AGAIN_MS = 3 * SECOND_MS;

interface Silence {
  readonly since: Instant;
  askAt: Instant;
}

interface Held {
  readonly turn: Turn;
  readonly until: Instant;
}

export class RingAddressTurns implements AddressTurns {
  readonly #parts: RingAddressParts;
  readonly #tables: AddressTables;
  readonly #node: string;
  readonly #held = new Map<string, Held>();
  readonly #silent = new Map<number, Silence>();
  readonly #closed = new AbortController();
  #claims = 0;
  #isAway = false;
  #isReminding = false;

  /** Answers the others from now on. */
  constructor(parts: RingAddressParts) {
    this.#parts = parts;
    this.#node = callerOf(parts.holder);
    this.#tables = new AddressTables(parts);
    parts.calls.serve('address', async (question, arc) => this.#tables.answer(question, arc));
  }

  async claim(address: string, { holdMs, pauseMs }: TurnTerms): Promise<TurnAnswer> {
    const { clock } = this.#parts;
    const arc = arcOfAddress(address);
    const turn: Turn = { address, id: `${++this.#claims}` };
    const askedAt = clock.now();
    const silence = this.#silenceOf(arc);
    if (silence !== undefined && askedAt < silence.askAt) return this.#unanswered(silence, turn);
    if (silence !== undefined) silence.askAt = askedAt + CLAIM_MS;
    const waitMs = await this.#ask('claim', turn, holdMs, pauseMs, CLAIM_MS);
    if (waitMs === undefined) {
      const answer = this.#unanswered(this.#fellSilent(arc), turn);
      // The claim may have been heard, and its answer lost.
      if (answer.kind === 'wait') void this.rest(turn, 0);
      return answer;
    }
    this.#answers(arc);
    if (waitMs > 0) return { kind: 'wait', waitMs };
    this.#held.set(turn.id, { turn, until: askedAt + holdMs });
    if (!this.#isReminding) void this.#remind();
    return { kind: 'yours', turn };
  }

  async rest(turn: Turn, restMs: number, isLost = false): Promise<void> {
    this.#held.delete(turn.id);
    await this.#ask(isLost ? 'restLost' : 'rest', turn, restMs, 0, REST_MS);
  }

  close(): void {
    this.#closed.abort();
    this.#tables.close();
  }

  /** Undefined when nobody answers, or what is no answer. */
  async #ask(
    kind: AddressQuestion['kind'],
    { address, id }: Turn,
    ms: number,
    pauseMs: number,
    patienceMs: number,
  ): Promise<number | undefined> {
    const { calls } = this.#parts;
    const question = addressQuestion({ kind, node: this.#node, address, ms, pauseMs }, Number(id));
    const arc = arcOfAddress(address);
    const answer = await calls.tryOwner(arc, 'address', question, patienceMs);
    return answer && waitIn(answer);
  }

  #unanswered({ since, askAt }: Silence, turn: Turn): TurnAnswer {
    const now = this.#parts.clock.now();
    if (now < since + AWAY_MS) return { kind: 'wait', waitMs: Math.max(SILENT_MS, askAt - now) };
    return { kind: 'away', turn };
  }

  /** One of which nothing was heard because nothing was asked is none. */
  #silenceOf(arc: number): Silence | undefined {
    const silence = this.#silent.get(arc);
    const isOld = silence !== undefined && this.#parts.clock.now() > silence.askAt + STALE_MS;
    return isOld ? undefined : silence;
  }

  #fellSilent(arc: number): Silence {
    const now = this.#parts.clock.now();
    const since = this.#silenceOf(arc)?.since ?? now;
    const silence = { since, askAt: now + SILENT_MS };
    this.#silent.set(arc, silence);
    if (now >= silence.since + AWAY_MS) this.#sayAway(true);
    return silence;
  }

  #answers(arc: number): void {
    if (this.#silent.delete(arc) && this.#silent.size === 0) this.#sayAway(false);
  }

  #sayAway(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    const what = 'the table of addresses on the ring';
    const meanwhile = 'hosts behind one address are asked as seldom as each node can tell';
    const text = isAway ? `${what} has parts without an owner: ${meanwhile}` : `${what} is whole`;
    this.#parts.notice?.(text);
  }

  /** While anything is held: whoever keeps the table by now is told. */
  async #remind(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#closed;
    this.#isReminding = true;
    while (this.#held.size > 0 && !signal.aborted) {
      const known = [...this.#held.values()];
      await clock.sleepUntil(clock.now() + AGAIN_MS, signal);
      for (const { turn, until } of known) {
        const leftMs = until - clock.now();
        if (!this.#held.has(turn.id) || signal.aborted) continue;
        if (leftMs <= 0) this.#held.delete(turn.id);
        else void this.#ask('hold', turn, leftMs, 0, AGAIN_MS);
      }
    }
    this.#isReminding = false;
  }
}

/**
 * An owner of the ring as a lender (../ports/lender.ts): a replica borrows requests of its hot
 * hosts, makes them, and brings back what came of them in pieces (D6).
 *
 *   lease   one small question; the owner has nothing to lend ─▶ a wait
 *   ack     piece 0, 1, 2, 3 ─▶ it has so much ─▶ the next ones from there ─▶ settled or lost
 *
 * A piece that is heard twice is taken once, and what is asked again is answered as before. One
 * long result at a time is on its way, so that what keeps the ring together is not behind it.
 *
 * Not here: what the owner does with them (ring-lend.ts).
 */
import type { Outcome } from '../fetch/index.ts';
import type { FetchLimits } from '../ports/http.ts';
import type { Lender, LentBatch, LentRequest } from '../ports/lender.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import type { Peer } from '../ring/index.ts';
import { resultOf } from './lend-result.ts';
import { encodeResult } from './ring-lend-result.ts';
import {
  type BroughtSoFar,
  decodeBatch,
  decodeBrought,
  encodeLendQuestion,
  LOANS_MAX,
  PIECE_BYTES_MAX,
} from './ring-lend-wire.ts';

/** Pieces of one result that are under way at a time. */
const PIECES_MAX = 4;

export interface BorrowCounts {
  borrowed: number;
  borrowedSettled: number;
  borrowedLost: number;
}

export interface LenderParts {
  readonly calls: RingCalls;
  readonly counts: BorrowCounts;
  /** Where this node is (K4). */
  readonly region: string;
  /** This node's own: an owner may ask for less, never for more. */
  readonly limits: FetchLimits;
}

export class RingLender implements Lender {
  readonly #owner: Peer;
  readonly #parts: LenderParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(owner: Peer, parts: LenderParts) {
    this.#owner = owner;
    this.#parts = parts;
  }

  get name(): string {
    return this.#owner.at;
  }

  async lease(n: number, seconds: number): Promise<LentBatch> {
    const { region, limits, counts } = this.#parts;
    const ask = { kind: 'ask', n: Math.min(n, LOANS_MAX), seconds, region } as const;
    const batch = decodeBatch(await this.#ask(encodeLendQuestion(ask)));
    if (batch === undefined) throw new Error('its answer is none');
    counts.borrowed += batch.requests.length;
    const requests = batch.requests.map((one) => ({ ...one, limits: lesser(one.limits, limits) }));
    return { ...batch, requests };
  }

  async ack({ id, limits }: LentRequest, outcome: Outcome): Promise<'settled' | 'lost'> {
    const result = encodeResult(resultOf(outcome, limits.bodyBytes));
    const isLong = result.length > PIECE_BYTES_MAX;
    const end = await (isLong ? this.#inTurn(id, result) : this.#bring(id, result));
    this.#parts.counts[end === 'settled' ? 'borrowedSettled' : 'borrowedLost']++;
    return end;
  }

  #inTurn(id: string, result: Uint8Array): Promise<'settled' | 'lost'> {
    const mine = this.#last.then(() => this.#bring(id, result));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #bring(id: string, result: Uint8Array): Promise<'settled' | 'lost'> {
    for (let have = 0; ; ) {
      const starts = Array.from({ length: PIECES_MAX }, (_, nth) => have + nth * PIECE_BYTES_MAX);
      const sent = starts.filter((at) => at < result.length);
      const told = await Promise.all(sent.map((at) => this.#bringPiece(id, result, at)));
      for (const { end } of told) if (end !== 'more') return end;
      const most = Math.max(...told.map((one) => one.have));
      if (most <= have || most >= result.length) throw new Error('it takes nothing');
      have = most;
    }
  }

  async #bringPiece(id: string, result: Uint8Array, at: number): Promise<BroughtSoFar> {
    const piece = result.subarray(at, at + PIECE_BYTES_MAX);
    const question = { kind: 'bring', id, at, total: result.length, piece } as const;
    const told = decodeBrought(await this.#ask(encodeLendQuestion(question)));
    if (told === undefined) throw new Error('its answer is none');
    return told;
  }

  async #ask(question: Uint8Array): Promise<Uint8Array> {
    const answer = await this.#parts.calls.askNode(this.#owner, 'lend', question);
    if (answer === undefined) throw new Error('it does not answer');
    return answer;
  }
}

function lesser(one: FetchLimits, other: FetchLimits): FetchLimits {
  const least = (name: keyof FetchLimits) => Math.min(one[name], other[name]);
  return {
    ...{ connectMs: least('connectMs'), firstByteMs: least('firstByteMs') },
    ...{ wholeMs: least('wholeMs'), headerBytes: least('headerBytes') },
    bodyBytes: least('bodyBytes'),
  };
}

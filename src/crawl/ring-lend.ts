/**
 * The owner's side of lending on a ring (D6): a host that is hot is asked by whoever has hands to
 * spare and a seat of its arc, each time in a turn that its owner has taken for it (P5).
 *
 *   ask     has the owner's worker no hand free? ─▶ turns of hosts in arcs that the asker keeps, too
 *           else, or nobody's turn has come ─▶ none, and when to ask again
 *   bring   pieces, gathered while the loan is out ─▶ whole ─▶ its visit goes on (lend.ts) ─▶ settled
 *
 * What others make this node hold is bounded: so many loans, of each no more than what was asked
 * for can weigh, and of all together BYTES_MAX; what is over goes back to the queue. With the loan
 * its pieces are gone, however it ends.
 */
import { SECOND_MS } from '../base/instant.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import type { RingSeats } from '../ports/ring-seats.ts';
import type { Peer } from '../ring/index.ts';
import { arcOf } from '../url/index.ts';
import type { Lending, Lent } from './lend.ts';
import { decodeResult } from './ring-lend-result.ts';
import {
  type BroughtSoFar,
  decodeLendQuestion,
  encodeBatch,
  encodeBrought,
  type LendQuestion,
} from './ring-lend-wire.ts';

/** Nobody asks more often than this for nothing. */
const WAIT_MS_MIN = SECOND_MS / 4;
const IDLE_MS = SECOND_MS;
const OUT_MAX = 1_024;
const BYTES_MAX = 64 * 1024 * 1024;
/** Around body and fields. */
const RESULT_BYTES = 16 * 1024;
/** Ends that are remembered, for whoever did not hear the answer. */
const ENDS_MAX = 1_024;

type Ask = LendQuestion & { readonly kind: 'ask' };
type Bring = LendQuestion & { readonly kind: 'bring' };
type End = 'settled' | 'lost';

interface Out {
  readonly helper: string;
  readonly lent: Lent;
  readonly pieces: Uint8Array[];
  have: number;
  /** Undefined until the first piece says so; then there is room for all of it. */
  total: number | undefined;
  ending: Promise<End> | undefined;
}

export interface RingLendParts {
  readonly lending: Pick<Lending, 'lease' | 'ack' | 'isHot'>;
  readonly calls: RingCalls;
  readonly seats: RingSeats;
  readonly counts: { lent: number; lentSettled: number; lentLost: number };
}

export class RingLending {
  readonly #parts: RingLendParts;
  readonly #out = new Map<string, Out>();
  readonly #ends = new Map<string, End>();
  #bytes = 0;

  /** Answers the others from now on. */
  constructor(parts: RingLendParts) {
    this.#parts = parts;
    parts.calls.serve('lend', (question, _arc, from) => this.#answer(question, from));
  }

  /** What is held of results that are not whole. */
  get gatheredBytes(): number {
    return this.#bytes;
  }

  async #answer(question: Uint8Array, from: Peer): Promise<Uint8Array> {
    const asked = decodeLendQuestion(question);
    if (asked === undefined) return NOTHING;
    if (asked.kind === 'ask') return this.#lend(asked, from);
    return encodeBrought(await this.#take(asked, from));
  }

  // ---- lent -----------------------------------------------------------------------------

  async #lend({ n, seconds, region }: Ask, from: Peer): Promise<Uint8Array> {
    const { lending, seats } = this.#parts;
    const room = Math.min(n, OUT_MAX - this.#out.size);
    const arcs = lending.isHot ? seats.sharedWith(from) : NO_ARCS;
    if (room <= 0 || arcs.size === 0) return NOTHING;
    const { leases, waitMs } = await lending.lease({
      ...{ fetcher: from.id, region, shard: undefined, n: room, seconds },
      fits: (host) => arcs.has(arcOf(host.key)),
    });
    const requests = leases.map(({ id, shard, request, from: begun, until }) => {
      const { url, address, headers, limits } = request;
      return { id, shard, url, address, headers, limits, forMs: until - begun };
    });
    const { bytes, told } = encodeBatch({ requests, waitMs: Math.max(WAIT_MS_MIN, waitMs) });
    for (const lent of leases.slice(0, told)) this.#follow(lent, from.id);
    for (const lent of leases.slice(told)) void this.#giveBack(lent, from.id);
    return bytes;
  }

  #follow(lent: Lent, helper: string): void {
    const out: Out = {
      ...{ helper, lent, pieces: [], have: 0, total: undefined, ending: undefined },
    };
    this.#parts.counts.lent++;
    this.#out.set(lent.id, out);
    const over = async () => {
      const end = (await out.ending?.catch(() => undefined)) ?? 'lost';
      this.#parts.counts[end === 'settled' ? 'lentSettled' : 'lentLost']++;
      this.#drop(out);
      this.#out.delete(lent.id);
      this.#ends.set(`${helper} ${lent.id}`, end);
      const [oldest] = this.#ends.keys();
      if (this.#ends.size > ENDS_MAX && oldest !== undefined) this.#ends.delete(oldest);
    };
    void lent.ended.then(over, over);
  }

  #giveBack({ id, shard }: Lent, helper: string): Promise<unknown> {
    return this.#parts.lending.ack(shard, helper, id, { kind: 'returned' });
  }

  // ---- brought --------------------------------------------------------------------------

  async #take({ id, at, total, piece }: Bring, from: Peer): Promise<BroughtSoFar> {
    const out = this.#out.get(id);
    if (out === undefined || out.helper !== from.id) {
      return { end: this.#ends.get(`${from.id} ${id}`) ?? 'lost', have: 0 };
    }
    if (out.ending === undefined) {
      if (!this.#hasRoom(out, total)) {
        this.#drop(out);
        out.ending = this.#giveBack(out.lent, out.helper).then(() => 'lost');
      } else if (at === out.have) {
        out.pieces.push(Uint8Array.from(piece));
        out.have += piece.length;
      }
      if (out.have < total && out.ending === undefined) return { end: 'more', have: out.have };
      out.ending ??= this.#settle(out);
    }
    return { end: await out.ending, have: total };
  }

  /** The first piece says how long all of it is, and there is room for that or for nothing. */
  #hasRoom(out: Out, total: number): boolean {
    if (out.total !== undefined) return out.total === total;
    const { bodyBytes, headerBytes } = out.lent.request.limits;
    const most = bodyBytes + 2 * headerBytes + RESULT_BYTES;
    if (total > most || this.#bytes + total > BYTES_MAX) return false;
    out.total = total;
    this.#bytes += total;
    return true;
  }

  #drop(out: Out): void {
    this.#bytes -= out.total ?? 0;
    out.total = undefined;
    out.pieces.length = 0;
  }

  async #settle(out: Out): Promise<End> {
    const { helper, lent } = out;
    const result = decodeResult(Buffer.concat(out.pieces));
    this.#drop(out);
    if (result === undefined) {
      await this.#giveBack(lent, helper);
      return 'lost';
    }
    const end = await this.#parts.lending.ack(lent.shard, helper, lent.id, result);
    if (end === 'settled') return result.kind === 'returned' ? 'lost' : 'settled';
    if (end !== 'lost') await this.#giveBack(lent, helper);
    return 'lost';
  }
}

const NO_ARCS: ReadonlySet<number> = new Set();
const NOTHING = encodeBatch({ requests: [], waitMs: IDLE_MS }).bytes;

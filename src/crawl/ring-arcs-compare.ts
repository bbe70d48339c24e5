/**
 * Copies compared, at both ends: sums are taken of a moment, and reading takes a while (D4).
 *
 * The owner says with its sums which entry was its last on disk when it began to read; rows that are
 * a little younger do no harm, for the entries after it are applied again, in order. A seat whose
 * copy is whole is compared only if it stands at that very entry, and remembers from then on which
 * rows entries have changed: those are younger than what comes.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import { type ArcCopies, BadRows } from '../ports/arc-copies.ts';
import type { Clock } from '../ports/clock.ts';
import type { ArcEvent, ArcState, ArcTalk, NodeId, Peer, RowsPiece } from '../ring/index.ts';
import type { Held } from './ring-arcs.ts';
import type { Post } from './ring-arcs-post.ts';
import { isComing, RowsIn, RowsOut, type Summed, Summing, type Wanted } from './ring-arcs-rows.ts';

/** Of all buckets of a check. */
const COMES_MS_MAX = 60 * SECOND_MS;

type Sums = ArcTalk & { readonly kind: 'sums' };

export interface ComparingParts {
  readonly copies: ArcCopies;
  readonly post: Post;
  readonly clock: Clock;
  readonly held: (arc: number) => Held | undefined;
  readonly event: (arc: number, event: ArcEvent) => void;
  readonly isNonsense: (from: NodeId) => void;
  readonly failed: (error: unknown) => void;
}

export class Comparing {
  readonly #parts: ComparingParts;
  readonly #out: RowsOut;
  readonly #in = new RowsIn();
  readonly #summing: Summing;
  readonly #busy = new Set<number>();
  readonly #since = new Map<number, Instant>();
  #isOver = false;

  constructor(parts: ComparingParts) {
    this.#parts = parts;
    this.#summing = new Summing((arc) => this.#sum(arc));
    const { copies, post } = parts;
    const isOwned = (arc: number, epoch: number) => this.#owns(arc, epoch);
    this.#out = new RowsOut(copies, post, isOwned, (error) => this.#failed(undefined, error));
  }

  get bytes(): { readonly rowBytesIn: number; readonly rowBytesOut: number } {
    return { rowBytesIn: this.#in.bytes, rowBytesOut: this.#out.bytes };
  }

  sum(arc: number, { to, isCheck }: Summed): void {
    if (!this.#isOver) this.#summing.want(arc, { to, isCheck });
  }

  send(to: Peer, wanted: Wanted): void {
    if (!this.#isOver) this.#out.send(to, wanted);
  }

  gathered(from: Peer, piece: RowsPiece): readonly Uint8Array[] | undefined {
    const held = this.#parts.held(piece.arc);
    if (held === undefined || !isComing(held.state, from.place, piece)) return undefined;
    return this.#in.got(from, piece);
  }

  /** A comparison has come to its end, or to nothing. */
  over(arc: number): void {
    this.#since.delete(arc);
    this.#in.forget(arc);
    this.#parts.copies.watch(arc, false);
  }

  /** Of a copy that is whole: what was found to differ and does not come is left to the next check. */
  isLate(arc: number, { coming, at }: ArcState): boolean {
    const isWhole = coming?.epoch === at.epoch && coming.anchor <= at.index;
    return isWhole && this.#parts.clock.now() > (this.#since.get(arc) ?? 0) + COMES_MS_MAX;
  }

  compare(from: NodeId, arc: number, sums: Sums): void {
    const held = this.#parts.held(arc);
    if (held === undefined || this.#busy.has(arc) || this.#isOver) return;
    // After all that came before is on disk: sums of a moment that is known.
    held.order.run({ after: () => void this.#compare(from, arc, held, sums) });
  }

  end(): void {
    this.#isOver = true;
    this.#summing.end();
  }

  async #compare(from: NodeId, arc: number, held: Held, message: Sums): Promise<void> {
    const { kind: _, sums, ...rest } = message;
    const { epoch, anchor, isCheck } = message;
    const { durable: at, state, remade } = held;
    const event = { kind: 'compared', from, ...rest, of: sums.length, at, remade } as const;
    const isThere = at.epoch === epoch && at.index === anchor;
    if (this.#busy.has(arc) || (isCheck && !isThere)) return;
    const isSame = state.coming?.epoch === epoch && state.coming.anchor === anchor;
    if (isSame || epoch < state.promised) {
      this.#parts.event(arc, { ...event, differing: [] });
      return;
    }
    this.#busy.add(arc);
    try {
      this.#parts.copies.watch(arc, true);
      this.#since.set(arc, this.#parts.clock.now());
      const mine = await this.#parts.copies.sums(arc, sums.length);
      const differing = sums.flatMap((sum, bucket) => (sum === mine[bucket] ? [] : [bucket]));
      if (this.#isOver) return;
      this.#parts.event(arc, { ...event, differing });
      if (held.state.coming === undefined) this.over(arc);
    } catch (error) {
      this.#failed(from, error);
    } finally {
      this.#busy.delete(arc);
    }
  }

  /** What a copy cannot do because of what was asked is a mistake of whoever asked. */
  #failed(from: NodeId | undefined, error: unknown): void {
    if (this.#isOver) return;
    if (!(error instanceof BadRows)) this.#parts.failed(error);
    else if (from !== undefined) this.#parts.isNonsense(from);
  }

  async #sum(arc: number): Promise<((summed: Summed) => void) | undefined> {
    const held = this.#parts.held(arc);
    const { promised: epoch } = held?.state ?? {};
    if (held === undefined || epoch === undefined || !this.#owns(arc, epoch)) return undefined;
    const { index: anchor } = held.durable;
    try {
      const sums = await this.#parts.copies.sums(arc);
      if (!this.#owns(arc, epoch) || this.#isOver) return undefined;
      return ({ to, isCheck }) =>
        this.#parts.event(arc, { kind: 'summed', to, isCheck, epoch, anchor, sums });
    } catch (error) {
      this.#failed(undefined, error);
      return undefined;
    }
  }

  #owns(arc: number, epoch: number): boolean {
    const held = this.#parts.held(arc);
    const { state, durable } = held ?? {};
    return state?.owning !== undefined && state.promised === epoch && durable?.epoch === epoch;
  }
}

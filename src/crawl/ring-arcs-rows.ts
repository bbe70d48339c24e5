/**
 * Bringing copies up: sums of buckets, and the rows of those that differ, in pieces (D4).
 *
 *   owner   sums once for all who ask ─▶ ······· ─▶ pieces of bucket 3, 7 … as fast as they are read
 *   seat    ··· compared with its own ─▶ wants 3, 7 ··· gathered ─▶ the bucket is replaced
 *
 * One arc is summed at a time, and one bucket is on its way to a node at a time. What is lost on
 * the way is wanted again: the owner offers its sums until the seat says that it has everything.
 */
import type { ArcCopies } from '../ports/arc-copies.ts';
import type { ArcState, NodeId, Peer, RowsPiece } from '../ring/index.ts';
import type { Post } from './ring-arcs-post.ts';

/** Of a bucket that is being gathered. */
const BUCKET_BYTES_MAX = 64 * 1024 * 1024;

export interface Wanted {
  readonly arc: number;
  readonly epoch: number;
  readonly anchor: number;
  readonly bucket: number;
  readonly of: number;
}

/** Owner: rows on their way to one node. */
export class RowsOut {
  bytes = 0;
  readonly #copies: ArcCopies;
  readonly #post: Post;
  readonly #isOwned: (arc: number, epoch: number) => boolean;
  readonly #failed: (error: unknown) => void;
  readonly #lanes = new Map<string, Map<string, Wanted>>();

  constructor(
    copies: ArcCopies,
    post: Post,
    isOwned: (arc: number, epoch: number) => boolean,
    failed: (error: unknown) => void,
  ) {
    this.#failed = failed;
    this.#copies = copies;
    this.#post = post;
    this.#isOwned = isOwned;
  }

  /** What waits already is not sent twice. */
  send(to: Peer, wanted: Wanted): void {
    const name = `${wanted.arc} ${wanted.bucket}`;
    const lane = this.#lanes.get(to.id);
    if (lane !== undefined) {
      lane.set(name, wanted);
      return;
    }
    const first = new Map([[name, wanted]]);
    this.#lanes.set(to.id, first);
    void this.#work(to, first);
  }

  async #work(to: Peer, lane: Map<string, Wanted>): Promise<void> {
    try {
      for (let next = firstOf(lane); next !== undefined; next = firstOf(lane)) {
        const [name, wanted] = next;
        const isSent = await this.#sendBucket(to, wanted);
        if (!isSent) break;
        if (lane.get(name) === wanted) lane.delete(name);
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#lanes.delete(to.id);
    }
  }

  /** False when the node does not read. */
  async #sendBucket(to: Peer, wanted: Wanted): Promise<boolean> {
    const { arc, bucket, of } = wanted;
    let part = 0;
    let last = EMPTY;
    for await (const rows of this.#copies.rows(arc, bucket, of)) {
      if (part > 0 && !(await this.#sendPiece(to, wanted, part - 1, last, false))) return false;
      if (!this.#isOwned(arc, wanted.epoch)) return true;
      last = rows;
      part++;
    }
    // Whoever owns it still has dropped nothing while it was read.
    if (!this.#isOwned(arc, wanted.epoch)) return true;
    return this.#sendPiece(to, wanted, Math.max(0, part - 1), last, true);
  }

  async #sendPiece(to: Peer, wanted: Wanted, part: number, rows: Uint8Array, isLast: boolean) {
    if (!(await this.#post.room(to))) return false;
    this.#post.send(to, { kind: 'piece', ...wanted, part, isLast, rows });
    this.bytes += rows.length;
    return true;
  }
}

const EMPTY: Uint8Array = new Uint8Array();

function firstOf<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  for (const entry of map) return entry;
  return undefined;
}

/** Seat: pieces of one bucket for each arc, until the last has come. */
export class RowsIn {
  bytes = 0;
  readonly #gathered = new Map<
    number,
    { of: string; readonly parts: Uint8Array[]; bytes: number }
  >();

  /** All rows of a bucket, when this was the last piece of it. */
  got(from: Peer, piece: RowsPiece): readonly Uint8Array[] | undefined {
    const { arc, epoch, anchor, bucket, part, isLast, rows } = piece;
    this.bytes += rows.length;
    const of = `${from.id} ${epoch} ${anchor} ${bucket}`;
    if (part === 0) this.#gathered.set(arc, { of, parts: [], bytes: 0 });
    const gathered = this.#gathered.get(arc);
    const isNext = gathered?.of === of && gathered.parts.length === part;
    if (gathered === undefined || !isNext || gathered.bytes + rows.length > BUCKET_BYTES_MAX) {
      this.#gathered.delete(arc);
      return undefined;
    }
    gathered.bytes += rows.length;
    if (rows.length > 0) gathered.parts.push(rows);
    if (!isLast) return undefined;
    this.#gathered.delete(arc);
    return gathered.parts;
  }

  forget(arc: number): void {
    this.#gathered.delete(arc);
  }
}

/** Is this piece one that the seat has asked its owner for? */
export function isComing({ coming, owner }: ArcState, from: NodeId, piece: RowsPiece): boolean {
  const { epoch, anchor, bucket, of } = piece;
  const isSame = coming?.epoch === epoch && coming.anchor === anchor && coming.of === of;
  return isSame && owner === from && coming.buckets.includes(bucket);
}

export interface Summed {
  readonly to: NodeId;
  readonly isCheck: boolean;
}

/** Owner: who waits for sums of which arc. */
export class Summing {
  readonly #waiting = new Map<number, Map<NodeId, Summed>>();
  readonly #sum: (arc: number) => Promise<((summed: Summed) => void) | undefined>;
  #isBusy = false;

  /** `sum` answers how to tell one who waits; undefined when there is nothing to tell. */
  constructor(sum: (arc: number) => Promise<((summed: Summed) => void) | undefined>) {
    this.#sum = sum;
  }

  want(arc: number, summed: Summed): void {
    const waiting = this.#waiting.get(arc) ?? new Map<NodeId, Summed>();
    const isCheck = summed.isCheck && (waiting.get(summed.to)?.isCheck ?? true);
    waiting.set(summed.to, { to: summed.to, isCheck });
    this.#waiting.set(arc, waiting);
    if (!this.#isBusy) void this.#work();
  }

  end(): void {
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let next = firstOf(this.#waiting); next !== undefined; next = firstOf(this.#waiting)) {
      const [arc, waiting] = next;
      const tell = await this.#sum(arc);
      this.#waiting.delete(arc);
      if (tell !== undefined) for (const summed of waiting.values()) tell(summed);
    }
    this.#isBusy = false;
  }
}

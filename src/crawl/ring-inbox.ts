/**
 * The inbox of an arc on a ring: mentions that other nodes have handed to its owner, on their way
 * to its crawler (E1, D4). They wait in rows of the arc, so they move with it.
 *
 *   add ──▶ written together, one write at a time ──▶ kept by K ──▶ the asker goes on
 *   read ◀── oldest first ── rows ── told, durable ──▶ removed
 *
 * A row's key is the epoch in which it came and a number: epochs only rise, so the rows of all
 * owners stay in the order in which they came, and nobody has to ask what the last number was.
 *
 * An inbox that is full says 'later', and whoever asks waits: its settling stands still. Two nodes
 * could so wait for each other, each with its inbox full because it settles nothing. So whoever has
 * waited long is urgent, and gets in up to a second limit: then its next batch settles what its own
 * inbox held, by far more than the one row that it took.
 */
import { decodeMentions, type Mention } from '../events/index.ts';
import type { ArcTable, TableRow } from '../ports/arc-table.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import { NotOurs } from '../ports/tenures.ts';
import { canonicalize } from '../url/index.ts';

/** Of 16 KiB at most, and mostly far less. */
export const INBOX_ROWS_MAX = 1_024;
export const URGENT_ROWS_MAX = 8 * INBOX_ROWS_MAX;
const ROWS_PER_LOOK = 32;
const ROWS_PER_WRITE = 16;
const KEY_BYTES = 12;

interface Handed {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What comes in for one arc in one epoch. */
interface Desk {
  readonly epoch: number;
  readonly counted: Promise<void>;
  rows: number;
  next: number;
  queue: Handed[];
  isWriting: boolean;
}

export class Inbox {
  readonly #table: ArcTable;
  readonly #arcs: Pick<RingArcs, 'epochOf'>;
  readonly #desks = new Map<number, Desk>();
  readonly #readers = new Map<number, () => void>();

  constructor(table: ArcTable, arcs: Pick<RingArcs, 'epochOf'>) {
    this.#table = table;
    this.#arcs = arcs;
  }

  /** Resolves with true when it is kept; with false, and nothing is done, when there is no room. */
  async add(arc: number, bytes: Uint8Array, isUrgent: boolean): Promise<boolean> {
    const desk = this.#deskOf(arc);
    await desk.counted;
    if (desk.rows >= (isUrgent ? URGENT_ROWS_MAX : INBOX_ROWS_MAX)) return false;
    desk.rows++;
    await new Promise<void>((resolve, reject) => {
      desk.queue.push({ bytes, resolve, reject });
      if (!desk.isWriting) void this.#write(arc, desk);
    });
    return true;
  }

  /** Tells them in order, each row again until it was told without a failure. Ends by the signal. */
  async read(
    arc: number,
    tell: (mentions: readonly Mention[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let after: Uint8Array | undefined; !signal.aborted; ) {
      const news = this.#news(arc, signal);
      const rows = await this.#table.rows(arc, after, ROWS_PER_LOOK);
      const last = rows[rows.length - 1];
      if (last === undefined) {
        await news;
        continue;
      }
      const mentions = mentionsIn(rows);
      if (mentions.length > 0) await tell(mentions);
      await this.#table.remove(
        arc,
        rows.map(({ key }) => key),
      );
      after = last.key;
      const desk = this.#desks.get(arc);
      if (desk !== undefined) desk.rows = Math.max(0, desk.rows - rows.length);
    }
  }

  #deskOf(arc: number): Desk {
    const epoch = this.#arcs.epochOf(arc);
    if (epoch === undefined) throw new NotOurs([arc]);
    const known = this.#desks.get(arc);
    if (known?.epoch === epoch) return known;
    const count = async () => {
      desk.rows += await this.#table.count(arc, URGENT_ROWS_MAX);
    };
    const desk: Desk = {
      ...{ epoch, rows: 0, next: 0, queue: [], isWriting: false },
      counted: Promise.resolve().then(count),
    };
    desk.counted.catch(() => this.#desks.delete(arc));
    this.#desks.set(arc, desk);
    return desk;
  }

  /** One at a time, or a row could be seen before one that comes before it, which then is missed. */
  async #write(arc: number, desk: Desk): Promise<void> {
    desk.isWriting = true;
    while (desk.queue.length > 0) {
      const batch = desk.queue.splice(0, ROWS_PER_WRITE);
      const rows = batch.map(({ bytes }) => ({
        key: keyOf(desk.epoch, desk.next++),
        value: bytes,
      }));
      try {
        await this.#table.put(arc, rows);
        for (const { resolve } of batch) resolve();
        this.#readers.get(arc)?.();
      } catch (error) {
        desk.rows -= batch.length;
        for (const { reject } of batch) reject(error);
      }
    }
    desk.isWriting = false;
  }

  /** Resolves when something is added after this call. */
  #news(arc: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#readers.get(arc)?.();
      this.#readers.set(arc, wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

function keyOf(epoch: number, nth: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeUIntBE(epoch, 0, 6);
  key.writeUIntBE(nth, 6, 6);
  return key;
}

/** Whoever wrote them said that they are canonical: what is not would break what is built on it. */
function mentionsIn(rows: readonly TableRow[]): Mention[] {
  const mentions = rows.flatMap(({ value }) => decodeMentions(value) ?? []);
  return mentions.filter(({ url }) => canonicalize(url) === url);
}

/**
 * What a node has to say to others about arcs: all that one turn of it says to a node goes in one
 * message, and no more is under way than that node reads.
 *
 *   parts of this turn ─▶ waiting ─▶ message 17 ─▶ ···▶ its next message says "heard 17"
 *                            └ while half a window is under way, it waits here
 *
 * A node that reads nothing is left by Peers when too much waits for it; so less is sent, and what
 * would not fit is lost, like any message: whoever said it says it again. Rows of whole copies
 * are read only when there is room for them.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Peers } from '../ports/peers.ts';
import {
  encodePart,
  encodeTalk,
  PART_BYTES_MAX,
  type Peer,
  type Talk,
  type TalkPart,
} from '../ring/index.ts';

/** Under way to one node: less than it takes for Peers to leave it, whatever Chord says beside. */
const WINDOW_BYTES = 256 * 1024;
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** So much heard without a word of our own is confirmed at once. */
const CONFIRM_BYTES = 16 * 1024;
/** What was not confirmed in this time is lost. */
const LOST_MS = 3 * SECOND_MS;
const IDLE_MS = 120 * SECOND_MS;

interface Box {
  to: Peer;
  readonly waiting: Uint8Array[];
  waitingBytes: number;
  readonly underWay: { readonly seq: number; readonly bytes: number }[];
  underWayBytes: number;
  seq: number;
  heard: number;
  unconfirmedBytes: number;
  movedAt: Instant;
  usedAt: Instant;
  readonly wishes: (() => void)[];
}

export class Post {
  readonly counts = { messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0 };
  isLeaving = false;
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #boxes = new Map<string, Box>();
  readonly #turn: () => Promise<void>;
  readonly #due = new Set<Box>();

  /** `turn` resolves when what is under way now has had its say. */
  constructor(peers: Peers, clock: Clock, turn: () => Promise<void> = () => Promise.resolve()) {
    this.#peers = peers;
    this.#clock = clock;
    this.#turn = turn;
  }

  send(to: Peer, part: TalkPart): void {
    const box = this.#boxFor(to);
    const bytes = encodePart(part);
    const isTooMuch = box.waitingBytes + bytes.length > WAITING_BYTES_MAX;
    if (isTooMuch || bytes.length > PART_BYTES_MAX) return;
    box.waiting.push(bytes);
    box.waitingBytes += bytes.length;
    this.#later(box);
  }

  heard(from: Peer, { seq, heard }: Talk, bytes: number): void {
    const box = this.#boxFor(from);
    this.counts.messagesIn++;
    this.counts.bytesIn += bytes;
    box.heard = seq;
    box.unconfirmedBytes += bytes;
    if (heard <= box.seq) this.#confirmed(box, heard);
    if (box.unconfirmedBytes >= CONFIRM_BYTES || box.waiting.length > 0) this.#later(box);
  }

  /** False when the node does not read: what was wanted there is not sent. */
  async room(to: Peer): Promise<boolean> {
    const box = this.#boxFor(to);
    const isFree = () => box.underWayBytes + box.waitingBytes < WINDOW_BYTES / 2;
    const until = this.#clock.now() + 2 * LOST_MS;
    while (!isFree() && this.#clock.now() < until) {
      await new Promise<void>((resolve) => box.wishes.push(resolve));
    }
    return isFree();
  }

  /** Now and then: what was lost makes room, and whoever was not heard for long is forgotten. */
  tend(): void {
    const now = this.#clock.now();
    for (const [id, box] of this.#boxes) {
      if (now > box.usedAt + IDLE_MS) this.#boxes.delete(id);
      if (box.underWay.length > 0 && now > box.movedAt + LOST_MS) this.#confirmed(box, box.seq);
      else wake(box);
      if (box.waiting.length > 0) this.#later(box);
    }
  }

  /** Nobody waits for room any more. */
  end(): void {
    for (const box of this.#boxes.values()) wake(box);
    this.#boxes.clear();
  }

  #boxFor(to: Peer): Box {
    const now = this.#clock.now();
    const known = this.#boxes.get(to.id);
    if (known !== undefined) {
      known.to = to;
      known.usedAt = now;
      return known;
    }
    const box: Box = {
      ...{ to, waiting: [], waitingBytes: 0, underWay: [], underWayBytes: 0, seq: 0 },
      ...{ heard: 0, unconfirmedBytes: 0, movedAt: now, usedAt: now, wishes: [] },
    };
    this.#boxes.set(to.id, box);
    return box;
  }

  #confirmed(box: Box, seq: number): void {
    const { underWay } = box;
    while (underWay[0] !== undefined && underWay[0].seq <= seq) {
      box.underWayBytes -= underWay.shift()?.bytes ?? 0;
      box.movedAt = this.#clock.now();
    }
    wake(box);
  }

  /** At the end of this turn, when all that it has to say is said. */
  #later(box: Box): void {
    this.#due.add(box);
    if (this.#due.size === 1) void this.#turn().then(() => this.#flush());
  }

  #flush(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const box of due) {
      while (box.waiting.length > 0 && box.underWayBytes < WINDOW_BYTES) this.#sendNext(box);
      if (box.unconfirmedBytes >= CONFIRM_BYTES) this.#sendNext(box);
    }
  }

  #sendNext(box: Box): void {
    let [count, bytes] = [0, 0];
    for (const part of box.waiting) {
      if (bytes + part.length > PART_BYTES_MAX) break;
      bytes += part.length;
      count++;
    }
    const parts = box.waiting.splice(0, count);
    box.waitingBytes -= bytes;
    box.unconfirmedBytes = 0;
    box.seq++;
    const head = { isLeaving: this.isLeaving, seq: box.seq, heard: box.heard };
    void this.#send(box, encodeTalk(head, parts));
  }

  async #send(box: Box, message: Uint8Array): Promise<void> {
    const { seq } = box;
    if (box.underWay.length === 0) box.movedAt = this.#clock.now();
    box.underWay.push({ seq, bytes: message.length });
    box.underWayBytes += message.length;
    this.counts.messagesOut++;
    this.counts.bytesOut += message.length;
    const end = await this.#peers.send(box.to, message);
    if (end.kind === 'sent') return;
    box.waiting.splice(0);
    box.waitingBytes = 0;
    this.#confirmed(box, seq);
  }
}

function wake({ wishes }: Box): void {
  for (const wish of wishes.splice(0)) wish();
}

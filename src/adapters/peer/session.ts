/**
 * A connection with a node that proved itself: messages both ways, and limits that hold for members, too.
 *
 *   0 message     1 are you alive?     2 yes
 *
 * A member that sends faster than it is worth hearing is not read for a moment; one that does not
 * read while we have something for it is left. Neither makes anything grow.
 */
import type { Instant } from '../../base/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Peer } from '../../ring/index.ts';
import type { PeerLimits } from './limits.ts';
import type { Line } from './line.ts';

const MESSAGE = Buffer.from([0]);
const PROBE = Buffer.from([1]);
const ALIVE = Buffer.from([2]);
const NO_BYTES = Buffer.alloc(0);
const WINDOW_MS = 100;

export interface SessionParts {
  readonly line: Line;
  readonly peer: Peer;
  readonly life: string;
  readonly isDialled: boolean;
  readonly clock: Clock;
  readonly limits: PeerLimits;
  /** False: the message was nonsense. */
  readonly hear: (from: Peer, message: Uint8Array) => boolean;
}

export class Session {
  readonly peer: Peer;
  readonly life: string;
  readonly line: Line;
  readonly isDialled: boolean;
  /** When a message was last sent or heard. */
  usedAt: Instant;
  readonly #parts: SessionParts;
  readonly #waiting = new Set<(isAlive: boolean) => void>();
  #windowFrom: Instant;
  #heard = 0;

  constructor(parts: SessionParts) {
    const { line, peer, life, isDialled, clock } = parts;
    this.#parts = parts;
    this.line = line;
    this.peer = peer;
    this.life = life;
    this.isDialled = isDialled;
    this.usedAt = clock.now();
    this.#windowFrom = this.usedAt;
  }

  start(): void {
    this.line.want((frame) => this.#frame(frame), this.#parts.limits.messageBytesMax + 1);
  }

  /** False when the other end does not read: it is left. */
  send(message: Uint8Array): boolean {
    this.usedAt = this.#parts.clock.now();
    return this.#write(MESSAGE, message);
  }

  /** True when this life of the node shows itself in time. */
  async isAlive(): Promise<boolean> {
    const { clock, limits } = this.#parts;
    const stop = new AbortController();
    const answer = new Promise<boolean>((resolve) => this.#waiting.add(resolve));
    this.#write(PROBE, NO_BYTES);
    const late = clock.sleepUntil(clock.now() + limits.aliveMs, stop.signal);
    const isAlive = await Promise.race([
      answer,
      this.line.closed.then(() => false),
      late.then(() => false),
    ]);
    stop.abort();
    return isAlive;
  }

  #write(kind: Uint8Array, bytes: Uint8Array): boolean {
    if (this.line.unsentBytes > this.#parts.limits.unsentBytesMax) {
      this.line.close('it does not read');
    }
    this.line.send(kind, bytes);
    return this.line.isOpen;
  }

  #frame(frame: Uint8Array): void {
    this.#count();
    const kind = frame[0];
    if (kind === MESSAGE[0]) this.#message(frame.subarray(1));
    else if (kind === PROBE[0] && frame.length === 1) this.#write(ALIVE, NO_BYTES);
    else if (kind === ALIVE[0] && frame.length === 1) this.#shown();
    else this.line.close('nonsense');
  }

  #message(message: Uint8Array): void {
    const { hear, peer, clock } = this.#parts;
    this.usedAt = clock.now();
    if (!hear(peer, message)) this.line.close('nonsense');
  }

  #shown(): void {
    for (const resolve of this.#waiting) resolve(true);
    this.#waiting.clear();
  }

  #count(): void {
    const { clock, limits } = this.#parts;
    const now = clock.now();
    if (now >= this.#windowFrom + WINDOW_MS) {
      this.#windowFrom = now;
      this.#heard = 0;
    }
    this.#heard++;
    if (this.#heard < limits.burst) return;
    this.line.want(undefined);
    void clock.sleepUntil(this.#windowFrom + WINDOW_MS).then(() => {
      if (this.line.isOpen) this.start();
    });
  }
}

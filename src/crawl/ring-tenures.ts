/**
 * Who may act for an arc, on a ring: its owner, while a majority of its seats has promised to choose
 * nobody else (../ring/arc-state.ts). No engine is asked: the promises come with the arc's log.
 *
 *   take    owned, and the term as it stands lasts for as long as was asked ─▶ held, in this epoch
 *   renew   still so, and in the same epoch: another may have had it in between
 *   release the ring may hand it on
 *
 * The terms of the ring are longer than those that are asked for here, and renewed every second:
 * an owner that the seats have not heard of for a while is refused well before its end.
 */
import { CrawlError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { ArcLog } from '../ports/arc-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import type { Tenures } from '../ports/tenures.ts';
import { ARCS, wholeOf } from '../url/index.ts';

export class RingTenures implements Tenures {
  readonly #ring: RingArcs;
  readonly #clock: Clock;
  /** The arcs that this node crawls, and the epochs in which it took them. */
  readonly #taken = new Map<number, number>();

  constructor(ring: RingArcs, clock: Clock) {
    this.#ring = ring;
    this.#clock = clock;
  }

  /** There is one holder here: this node. */
  async take(arcs: readonly number[], _holder: string, termMs: number) {
    const taken = new Map<number, number>();
    for (const arc of arcs) {
      const epoch = this.#epochFor(arc, termMs);
      if (epoch === undefined) continue;
      this.#ring.hold(arc);
      this.#taken.set(arc, epoch);
      taken.set(arc, epoch);
    }
    return taken;
  }

  async renew(arcs: readonly number[], _holder: string, termMs: number) {
    return arcs.filter((arc) => {
      const epoch = this.#taken.get(arc);
      return epoch !== undefined && this.#epochFor(arc, termMs) === epoch;
    });
  }

  async release(arcs: readonly number[], _holder: string) {
    for (const arc of arcs) {
      if (this.#taken.delete(arc)) this.#ring.release(arc);
    }
  }

  async split(): Promise<readonly number[]> {
    throw new CrawlError(
      'E_CONFIG',
      'a ring keeps its arcs whole: none can be split',
      'add nodes: arcs are spread over them',
    );
  }

  /** As the seats have promised it: longer than any term that is asked for. */
  actsUntil(arc: number): Instant {
    const whole = wholeOf(arc);
    return this.isHeld(whole) ? this.#ring.actsUntil(whole) : 0;
  }

  async arcs(): Promise<readonly number[]> {
    return Array.from({ length: ARCS }, (_, arc) => arc);
  }

  /** Is it the same tenure in which this node took it? What its crawler knows is of no other. */
  isHeld(arc: number): boolean {
    const epoch = this.#taken.get(arc);
    return epoch !== undefined && this.#ring.epochOf(arc) === epoch;
  }

  /**
   * The log as the crawler's store may write it: not in a later epoch, which this node owns by now
   * and the crawler has not taken.
   */
  logOf(log: ArcLog): ArcLog {
    return {
      epochOf: (arc) => (this.isHeld(arc) ? log.epochOf(arc) : undefined),
      write: (arc, bodies, isAwaited) => log.write(arc, bodies, isAwaited),
    };
  }

  #epochFor(arc: number, termMs: number): number | undefined {
    const isLong = this.#ring.actsUntil(arc) >= this.#clock.now() + termMs;
    return isLong ? this.#ring.epochOf(arc) : undefined;
  }
}

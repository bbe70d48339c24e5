/**
 * The log of each arc that a node of a ring owns: what is written there reaches the copies (D4, D5).
 *
 * Promises (crawl/ring-arcs.test.ts):
 *   1. Only an owner writes, and only while its term lasts: others are told NotOurs, at once or by
 *      `kept`.
 *   2. `kept` of an awaited write resolves when K nodes have it and all that was written to the arc
 *      before it, this one included; in the mode 'async' at once.
 *   3. What an entry's body says is opaque. A body is at most BODY_BYTES_MAX long.
 *
 * How a write is made, so that nobody is told of an entry that this node could still forget:
 *
 *   const w = log.write(arc, bodies, isAwaited)   the entries have their numbers
 *   engine: rows and w.saved, in one batch        begun in the same turn, without an await
 *   w.isDurable()                                 durable here: now they may be counted, and are sent
 *   await w.kept                                  they may be relied on
 */
import type { SavedArc } from './arc-copies.ts';

export { BODY_BYTES_MAX } from '../ring/index.ts';

export interface ArcLog {
  /** The epoch of an arc that this node owns and may act for at this instant. */
  epochOf(arc: number): number | undefined;
  /** Throws NotOurs. Without bodies it only waits for what was written before. */
  write(arc: number, bodies: readonly Uint8Array[], isAwaited: boolean): LogWrite;
}

export interface LogWrite {
  readonly saved: SavedArc;
  isDurable(): void;
  /** The engine failed: nobody knows whether it is durable, so this node must stop. */
  failed?(error: unknown): void;
  /** Progress is not awaited: it resolves once it is durable here. */
  readonly kept: Promise<void>;
}

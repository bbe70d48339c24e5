/**
 * What a node does with an arc (arcs.ts says when): its hosts come from the store, and leave in
 * good order (K1, P5).
 *
 *   take    hosts from the store ─▶ frontier, each after one whole pause
 *   leave   nothing more is leased ─▶ visits under way end, or are broken off ─▶ turns and
 *           sketches are committed ─▶ forgotten, between two commits
 *   accept  mentions from other nodes ─▶ the sieve ─▶ durable
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { type HostRecord, hostKeyOf } from '../record/index.ts';
import { covers, firstBytesOf, hostOf } from '../url/index.ts';
import type { Admit, Mention } from './admit.ts';
import type { ArcKeeper } from './arcs.ts';
import { sane } from './host-sane.ts';
import type { Comeback } from './recrawl.ts';
import type { Settling } from './settle.ts';

export interface KeptParts {
  readonly clock: Clock;
  readonly store: ShardStore;
  readonly frontier: Frontier;
  readonly settling: Settling;
  readonly admit: Admit;
  readonly comeback: Comeback;
  /** How long visits under way may take to end by themselves. */
  readonly drainMs: number;
  /** Scopes may have widened on other nodes. */
  readonly recallScopes: () => Promise<void>;
  readonly wake: () => void;
}

const LOOK_MS = 20;
/** … and what they left behind to be written. */
const WRITE_MS = 10 * SECOND_MS;
const SCOPES_MS = 10 * SECOND_MS;

export class Keeper implements ArcKeeper {
  readonly #parts: KeptParts;
  #recalledAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: KeptParts) {
    this.#parts = parts;
  }

  async take(arc: number): Promise<void> {
    const { clock, store, frontier, comeback, wake } = this.#parts;
    const records: HostRecord[] = [];
    for await (const hosts of store.hosts(firstBytesOf(arc))) {
      records.push(...hosts);
    }
    const now = clock.now();
    frontier.arcs.tookOver(now);
    for (const host of records) frontier.arcs.restore(sane(host, now), now, false);
    comeback.lookBack();
    wake();
  }

  async leave(arc: number): Promise<void> {
    const { clock, frontier, settling, drainMs } = this.#parts;
    frontier.arcs.close(arc);
    await this.#untilQuiet(arc, clock.now() + drainMs);
    await settling.wire.breakOff((url) => covers(arc, hostKeyOf(hostOf(url))));
    await this.#untilQuiet(arc, clock.now() + WRITE_MS);
    try {
      await this.#rest(arc);
    } finally {
      await settling.alone(async () => frontier.arcs.forget(arc));
    }
  }

  async accept(mentions: readonly Mention[]): Promise<void> {
    const { admit, settling } = this.#parts;
    if (admit.isOutOfScope(mentions)) await this.#recallScopes();
    const admitted = admit.arrived(mentions, this.#parts.clock.now());
    await settling.add({ ...admitted, change: {} });
  }

  /** What a node hands on was in scope for it: a seed may have been redirected there (F10). */
  async #recallScopes(): Promise<void> {
    const now = this.#parts.clock.now();
    if (now - this.#recalledAt < SCOPES_MS) return;
    this.#recalledAt = now;
    await this.#parts.recallScopes();
  }

  async #untilQuiet(arc: number, until: Instant): Promise<void> {
    const { clock, frontier } = this.#parts;
    while (frontier.arcs.underWay(arc) > 0 && clock.now() < until) {
      await clock.sleepUntil(clock.now() + LOOK_MS);
    }
  }

  /** Turns that no visit has written yet, and sketches; whoever is next takes a pause anyway. */
  async #rest(arc: number): Promise<void> {
    const { clock, frontier, settling } = this.#parts;
    const now = clock.now();
    const resting = [...frontier.arcs.resting(now, arc)];
    const sketches = [...frontier.attention.unsaved(arc)];
    if (resting.length + sketches.length === 0) return;
    const written = settling.add({ candidates: [], resting, sketches, change: {} });
    const isOver = new AbortController();
    try {
      await Promise.race([written, clock.sleepUntil(now + WRITE_MS, isOver.signal)]);
    } finally {
      isOver.abort();
    }
  }
}

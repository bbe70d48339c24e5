/**
 * The arcs of one node of a cluster: what the group says that it should own (ports/arc-group.ts),
 * what it may act for (ports/tenures.ts), and what it therefore does.
 *
 *   assigned ─▶ tenure taken ─▶ keeper.take ─▶ ours: leased, followed, renewed
 *   not any more ─▶ not ours at once ─▶ keeper.leave ─▶ tenure released
 *   split ─▶ both halves ours, nothing stops ─▶ one of them is not wanted here: it leaves, as above
 *
 * An arc is ours only while its term lasts by our own clock, counted from before it was asked
 * for. So a node that was stopped for a minute, or has lost its engine, knows without asking
 * that it must not send another request, and whoever is next need not trust it to (P5, K5).
 */
import type { Instant } from '../base/instant.ts';
import type { Mention } from '../events/index.ts';
import type { ArcGroup } from '../ports/arc-group.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { Tenures } from '../ports/tenures.ts';
import { halvesOf, overlap, quarterOf, splitFrom, withPartsOf } from '../url/index.ts';

/** Whoever walks the arcs. */
export interface ArcKeeper {
  /** Ours from when it resolves; nothing of the arc is known before. */
  take(arc: number, epoch: number): Promise<void>;
  /** Ours no more: resolves when no request of it is under way and nothing of it is written. */
  leave(arc: number): Promise<void>;
  /** Resolves when they are durable. */
  accept(mentions: readonly Mention[]): Promise<void>;
}

export interface ArcPorts {
  readonly group: ArcGroup<Mention>;
  readonly tenures: Tenures;
  readonly clock: Clock;
}

export interface ArcOptions {
  /** Of this process and no other, ever. */
  readonly holder: string;
  readonly termMs: number;
  /** Told when the engine that keeps the tenures fails. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Tenures are looked after this often in a term: two that fail in a row do no harm. */
const LOOKS_PER_TERM = 4;

/** An arc whose tenure we have. */
interface Held {
  state: 'coming' | 'ours' | 'going';
  until: Instant;
}

export class Arcs implements Ownership<Mention> {
  readonly #ports: ArcPorts;
  readonly #keeper: ArcKeeper;
  readonly #options: ArcOptions;
  readonly #held = new Map<number, Held>();
  readonly #moves = new Set<Promise<void>>();
  #wanted: ReadonlySet<number> = new Set();
  #nap = new AbortController();
  #isClosed = false;
  #tending: Promise<void> | undefined;

  constructor(ports: ArcPorts, keeper: ArcKeeper, options: ArcOptions) {
    this.#ports = ports;
    this.#keeper = keeper;
    this.#options = options;
  }

  /** Resolves when the node takes part in the group; arcs come after that. */
  async open(): Promise<void> {
    await this.#ports.group.open({
      assigned: (arcs) => {
        if (!this.#isClosed) this.#wanted = new Set(arcs);
        this.#nap.abort();
      },
      arrived: async (arc, mentions) => {
        if (!this.holds(arc)) throw new Error(`arc ${arc} is not ours any more`);
        await this.#keeper.accept(mentions);
      },
    });
    this.#tending = this.#tend();
  }

  get tenures(): Tenures {
    return this.#ports.tenures;
  }

  get arcs(): readonly number[] {
    return [...this.#held].flatMap(([arc, held]) => (this.#isOurs(held) ? [arc] : []));
  }

  /** May a request of it still go out, and what came of one be written? Also while it leaves. */
  mayAct(arc: number): boolean {
    const held = this.#around(arc);
    return held !== undefined && held.state !== 'coming' && this.#ports.clock.now() < held.until;
  }

  /**
   * When that ends unless it is renewed: nobody else acts for it before, unless we let go of it. What
   * is lent may last so long: the engine may have promised more than is asked for at a time.
   */
  lendsUntil(arc: number): Instant {
    if (!this.mayAct(arc)) return 0;
    const { until } = this.#around(arc) as Held;
    return Math.max(until, this.#ports.tenures.actsUntil?.(arc) ?? 0);
  }

  /** The engine says so: whatever our clock says, these are not ours (any more). */
  lost(arcs: readonly number[]): void {
    for (const [arc, held] of this.#held) {
      if (!arcs.some((lost) => overlap(lost, arc))) continue;
      held.until = 0;
      if (held.state === 'ours') this.#move(this.#leave(arc));
    }
  }

  /** It, or what it is part of. */
  holds(arc: number): boolean {
    const held = this.#around(arc);
    return held !== undefined && this.#isOurs(held);
  }

  isMine(key: Uint8Array): boolean {
    return this.holds(quarterOf(key));
  }

  #around(arc: number): Held | undefined {
    let held: Held | undefined;
    for (let at: number | undefined = arc; at !== undefined && !held; at = splitFrom(at)) {
      held = this.#held.get(at);
    }
    return held;
  }

  #isOurs({ state, until }: Held): boolean {
    return state === 'ours' && this.#ports.clock.now() < until;
  }

  hand(mentions: readonly Mention[]): Promise<void> {
    return this.#ports.group.hand(mentions);
  }

  /** Gives every arc back in good order. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted = new Set();
    this.#nap.abort();
    await this.#tending;
    await this.#ports.group.close();
  }

  async #tend(): Promise<void> {
    const { clock } = this.#ports;
    while (!this.#isClosed || this.#held.size > 0) {
      this.#nap = new AbortController();
      const nextAt = clock.now() + this.#options.termMs / LOOKS_PER_TERM;
      await this.#look().catch((error: unknown) => this.#options.onTrouble?.(error));
      await clock.sleepUntil(nextAt, this.#nap.signal);
    }
    await Promise.all(this.#moves);
  }

  async #look(): Promise<void> {
    for (const [arc, { state }] of this.#held) {
      if (state === 'ours' && !this.#wanted.has(arc)) this.#move(this.#leave(arc));
    }
    await this.#renew();
    await this.#take([...this.#wanted].filter((arc) => !this.#isNear(arc)));
  }

  async #renew(): Promise<void> {
    const { clock, tenures } = this.#ports;
    const { holder, termMs } = this.#options;
    const asked = [...this.#held.keys()];
    if (asked.length === 0) return;
    const until = clock.now() + termMs;
    const kept = new Set(await tenures.renew(asked, holder, termMs));
    for (const arc of asked) {
      const held = this.#held.get(arc);
      if (held === undefined) continue;
      if (withPartsOf(arc).some((part) => kept.has(part))) held.until = until;
      if (held.state !== 'ours' || kept.has(arc)) continue;
      if (held.until === until) this.#splitUp(arc, until, kept);
      else this.#move(this.#leave(arc));
    }
  }

  /** The engine has: its parts are ours as it was, but for those that were lost since. */
  #splitUp(arc: number, until: Instant, kept: ReadonlySet<number>): void {
    const [whole, ...parts] = withPartsOf(arc);
    this.#held.delete(whole as number);
    const ours = parts.filter((part) => kept.has(part));
    for (const part of ours) this.#held.set(part, { state: 'ours', until });
    const isLost = (part: number) => !ours.some((one) => overlap(one, part));
    for (const part of parts.filter((one) => halvesOf(one).length === 0 && isLost(one))) {
      this.#held.set(part, { state: 'ours', until: 0 });
      this.#move(this.#leave(part));
    }
    this.#follow();
    this.#nap.abort();
  }

  /** What is held as a whole is not taken in parts, nor the other way round. */
  #isNear(arc: number): boolean {
    return withPartsOf(arc).some((one) => this.#held.has(one)) || this.#around(arc) !== undefined;
  }

  async #take(arcs: readonly number[]): Promise<void> {
    const { clock, tenures } = this.#ports;
    const { holder, termMs } = this.#options;
    if (arcs.length === 0) return;
    const until = clock.now() + termMs;
    for (const [arc, epoch] of await tenures.take(arcs, holder, termMs)) {
      const held: Held = { state: 'coming', until };
      this.#held.set(arc, held);
      this.#move(this.#come(arc, epoch, held));
    }
  }

  async #come(arc: number, epoch: number, held: Held): Promise<void> {
    try {
      await this.#keeper.take(arc, epoch);
    } catch (error) {
      await this.#part(arc);
      throw error;
    }
    held.state = 'ours';
    this.#follow();
    if (!this.#wanted.has(arc)) this.#nap.abort();
  }

  /** The tenure is kept until nothing of it is under way any more. */
  async #leave(arc: number): Promise<void> {
    const held = this.#held.get(arc);
    if (held === undefined) return;
    held.state = 'going';
    this.#follow();
    await this.#keeper.leave(arc).catch((error: unknown) => this.#options.onTrouble?.(error));
    await this.#part(arc);
  }

  /** Not taken again before it is released: the release would end the new tenure. */
  async #part(arc: number): Promise<void> {
    const held = this.#held.get(arc);
    if (held !== undefined) held.until = 0;
    try {
      await this.#ports.tenures.release([arc], this.#options.holder);
    } finally {
      this.#held.delete(arc);
      this.#nap.abort();
    }
  }

  #move(move: Promise<void>): void {
    const ended = move
      .catch((error: unknown) => this.#options.onTrouble?.(error))
      .finally(() => this.#moves.delete(ended));
    this.#moves.add(ended);
  }

  #follow(): void {
    this.#ports.group.follow(this.arcs);
  }
}

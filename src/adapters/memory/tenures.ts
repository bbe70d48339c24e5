/**
 * Tenures of nodes that live in one process: a simulation, or a test.
 */
import type { Instant } from '../../base/instant.ts';
import type { Tenures } from '../../ports/tenures.ts';
import { ARCS, halvesOf, withPartsOf } from '../../url/index.ts';

interface Tenure {
  readonly holder: string;
  readonly epoch: number;
  readonly until: Instant;
}

export class MemoryTenures implements Tenures {
  readonly #now: () => Instant;
  readonly #tenures = new Map<number, Tenure>();
  readonly #there = new Set(Array.from({ length: ARCS }, (_, arc) => arc));

  constructor(now: () => Instant) {
    this.#now = now;
  }

  async take(arcs: readonly number[], holder: string, termMs: number) {
    const taken = new Map<number, number>();
    for (const arc of arcs.filter((one) => this.#there.has(one))) {
      const before = this.#tenures.get(arc);
      if (before !== undefined && before.holder !== holder && this.#isHeld(before)) continue;
      const epoch = (before?.epoch ?? 0) + 1;
      this.#tenures.set(arc, { holder, epoch, until: this.#now() + termMs });
      taken.set(arc, epoch);
    }
    return taken;
  }

  async renew(arcs: readonly number[], holder: string, termMs: number) {
    const held = arcs.flatMap(withPartsOf).filter((arc) => this.isHeldBy(arc, holder));
    for (const arc of held) this.#end(arc, this.#now() + termMs);
    return held;
  }

  async release(arcs: readonly number[], holder: string) {
    for (const arc of arcs.flatMap(withPartsOf)) {
      if (this.isHeldBy(arc, holder)) this.#end(arc, 0);
    }
  }

  async split(arc: number) {
    const halves = this.#there.has(arc) ? halvesOf(arc) : [];
    if (halves.length === 0) return [];
    const tenure = this.#tenures.get(arc);
    this.#there.delete(arc);
    this.#tenures.delete(arc);
    for (const half of halves) {
      this.#there.add(half);
      if (tenure !== undefined) this.#tenures.set(half, tenure);
    }
    return halves;
  }

  async arcs() {
    return [...this.#there].sort((a, b) => a - b);
  }

  /** At this instant, by the engine's clock. */
  isHeldBy(arc: number, holder: string): boolean {
    const tenure = this.#tenures.get(arc);
    return tenure?.holder === holder && this.#isHeld(tenure);
  }

  #end(arc: number, until: Instant): void {
    const tenure = this.#tenures.get(arc);
    if (tenure !== undefined) this.#tenures.set(arc, { ...tenure, until });
  }

  #isHeld({ until }: Tenure): boolean {
    return until > this.#now();
  }
}

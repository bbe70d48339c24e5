/**
 * The cache of a node that has no others to share with: the reference of the `SharedCache` port.
 *
 * What is kept is bounded in number; what was put first goes first.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type CacheEntry,
  type CacheKind,
  isCacheable,
  type SharedCache,
} from '../../ports/shared-cache.ts';

interface Kept {
  readonly value: Uint8Array;
  readonly until: Instant;
}

export class MemorySharedCache implements SharedCache {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #kept = new Map<string, Kept>();
  #asked = 0;
  #hits = 0;

  constructor(clock: Clock, entriesMax = 10_000) {
    this.#clock = clock;
    this.#entriesMax = entriesMax;
  }

  async get(
    kind: CacheKind,
    names: readonly string[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const now = this.#clock.now();
    const values = names.map((name) => {
      const kept = this.#kept.get(placeOf(kind, name));
      return kept === undefined || kept.until <= now ? undefined : kept.value;
    });
    this.#asked += names.length;
    this.#hits += values.filter((value) => value !== undefined).length;
    return values;
  }

  async put(kind: CacheKind, entries: readonly CacheEntry[]): Promise<void> {
    const now = this.#clock.now();
    for (const entry of entries) {
      const place = placeOf(kind, entry.name);
      this.#kept.delete(place);
      if (!isCacheable(entry)) continue;
      this.#kept.set(place, { value: entry.value, until: now + entry.lifeMs });
      if (this.#kept.size > this.#entriesMax) this.#dropOldest();
    }
  }

  async forget(kind: CacheKind, names: readonly string[]): Promise<void> {
    for (const name of names) this.#kept.delete(placeOf(kind, name));
  }

  stats(): { asked: number; hits: number } {
    return { asked: this.#asked, hits: this.#hits };
  }

  async close(): Promise<void> {}

  #dropOldest(): void {
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

function placeOf(kind: CacheKind, name: string): string {
  return `${kind} ${name}`;
}

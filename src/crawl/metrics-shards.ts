/**
 * URLs that wait, by shard: the circle as 64 equal arcs.
 *
 * A store knows how many wait, not where. So they are counted once, from a picture of the store
 * that is taken between two commits, and every commit after it says what it changed. The picture
 * is read when somebody first asks; until it is through, nothing is told rather than a guess.
 */
import type { Commit } from '../ports/shard-store.ts';

export const SHARDS = 64;
/** From the first byte of a place on the circle. */
const SHARD_SHIFT = 2;

/** The first byte of every waiting URL's place, in runs; made at once, read when it suits. */
export type WaitingPlaces = () => AsyncIterable<Iterable<number>>;

export class Shards {
  readonly #places: WaitingPlaces | undefined;
  readonly #waiting = new Float64Array(SHARDS);
  readonly #visits = new Float64Array(SHARDS);
  #state: 'unasked' | 'asked' | 'counting' | 'counted' = 'unasked';
  #commits = 0;

  /** A node of a cluster hears of its own commits alone, and tells no sizes. */
  constructor(places: WaitingPlaces | undefined) {
    this.#places = places;
  }

  /** Undefined until all are counted. */
  sizes(): readonly number[] | undefined {
    if (this.#places === undefined) return undefined;
    if (this.#state === 'unasked') {
      this.#state = 'asked';
      if (this.#commits === 0) this.#begin();
    }
    return this.#state === 'counted' ? [...this.#waiting] : undefined;
  }

  /** Visits that ended since this process began. */
  visits(): readonly number[] {
    return [...this.#visits];
  }

  beginCommit(): void {
    if (this.#state === 'asked' && this.#commits === 0) this.#begin();
    this.#commits++;
  }

  endCommit(): void {
    this.#commits--;
  }

  committed({ settled, admitted, requeued }: Commit, fresh: readonly boolean[]): void {
    for (const { waiting } of settled) this.#visits[shardOf(waiting.key[0])]!++;
    if (this.#state !== 'counting' && this.#state !== 'counted') return;
    for (const { waiting } of settled) this.#add(waiting.key[0], -1);
    for (const { waiting } of requeued) this.#add(waiting.key[0], 1);
    for (let i = 0; i < admitted.length; i++) {
      if (fresh[i]) this.#add(admitted[i]?.waiting.key[0], 1);
    }
  }

  /** A store that closes meanwhile has no need of the answer. */
  #begin(): void {
    if (this.#places === undefined) return;
    this.#state = 'counting';
    const runs = this.#places();
    void this.#count(runs).catch(() => {
      this.#state = 'unasked';
      this.#waiting.fill(0);
    });
  }

  async #count(runs: AsyncIterable<Iterable<number>>): Promise<void> {
    for await (const run of runs) for (const place of run) this.#add(place, 1);
    this.#state = 'counted';
  }

  #add(place: number | undefined, by: number): void {
    const shard = shardOf(place);
    this.#waiting[shard] = (this.#waiting[shard] as number) + by;
  }
}

function shardOf(place: number | undefined): number {
  return (place ?? 0) >> SHARD_SHIFT;
}

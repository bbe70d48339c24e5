/**
 * The 64 arcs of the circle side by side: hosts, waiting URLs, visits of this run.
 *
 * Hosts are counted by a walk past all of them, at most once in a while; what waits is counted
 * beside the path (metrics-shards.ts).
 */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { SHARDS, type Shards } from './metrics-shards.ts';

const COUNT_HOLDS_MS = MINUTE_MS / 4;
/** First bytes of places that make up an arc. */
const PLACES = 256 / SHARDS;

export interface ShardCounts {
  readonly shard: number;
  readonly hosts: number;
  /** Undefined until all that wait are counted. */
  readonly waiting: number | undefined;
  readonly visits: number;
}

export class ShardSurvey {
  readonly #store: ShardStore;
  readonly #shards: Shards;
  readonly #clock: Clock;
  #hosts: Promise<readonly number[]> | undefined;
  #countedAt: Instant = 0;

  constructor(store: ShardStore, shards: Shards, clock: Clock) {
    this.#store = store;
    this.#shards = shards;
    this.#clock = clock;
  }

  async counts(): Promise<readonly ShardCounts[]> {
    const hosts = await this.#hostCounts();
    const [waiting, visits] = [this.#shards.sizes(), this.#shards.visits()];
    return hosts.map((count, shard) => {
      return { shard, hosts: count, waiting: waiting?.[shard], visits: visits[shard] as number };
    });
  }

  #hostCounts(): Promise<readonly number[]> {
    const now = this.#clock.now();
    if (this.#hosts === undefined || now - this.#countedAt > COUNT_HOLDS_MS) {
      this.#countedAt = now;
      this.#hosts = countHosts(this.#store);
      this.#hosts.catch(() => {
        this.#hosts = undefined;
      });
    }
    return this.#hosts;
  }
}

/** All arcs at once: one after the other would wait for a busy crawl 64 times. */
function countHosts(store: ShardStore): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: SHARDS }, (_, shard) => hostsIn(store, shard)));
}

async function hostsIn(store: ShardStore, shard: number): Promise<number> {
  let count = 0;
  const range = { from: shard * PLACES, to: (shard + 1) * PLACES - 1 };
  for await (const chunk of store.hosts(range)) count += chunk.length;
  return count;
}

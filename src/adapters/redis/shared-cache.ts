/**
 * The cache that nodes share, in Redis or Valkey (K2, N1, R2): a string for each name, which the
 * server lets go of at the end of its life. All names of one ask are on the line at once, each
 * on its way to the node of a cluster that has it.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import {
  type CacheEntry,
  type CacheKind,
  isCacheable,
  type SharedCache,
} from '../../ports/shared-cache.ts';
import type { RedisConnection } from './connection.ts';
import { Health } from './health.ts';

export interface RedisCacheOptions {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Before all keys: nodes with the same one share. */
  readonly prefix: string;
  readonly notice?: (text: string) => void;
}

const WORDS = { what: 'the cache in Redis', meanwhile: 'every node asks the web for itself' };
/** Longer names are kept under their hash. */
const NAME_CHARS_MAX = 300;

export class RedisSharedCache implements SharedCache {
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #health: Health;
  #asked = 0;
  #hits = 0;

  constructor({ connection, clock, prefix, notice }: RedisCacheOptions) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.#health = new Health(clock, WORDS, notice);
  }

  async get(
    kind: CacheKind,
    names: readonly string[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const values = await this.#all(names, async (name) => {
      const key = this.#keyOf(kind, name);
      const value = await this.#connection.send(key, ['GET', key], true);
      return Buffer.isBuffer(value) ? value : undefined;
    });
    this.#asked += names.length;
    this.#hits += values.filter((value) => value !== undefined).length;
    return values;
  }

  async put(kind: CacheKind, entries: readonly CacheEntry[]): Promise<void> {
    await this.#all(entries, (entry) => {
      const key = this.#keyOf(kind, entry.name);
      if (!isCacheable(entry)) return this.#connection.send(key, ['DEL', key]);
      const { value, lifeMs } = entry;
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
      return this.#connection.send(key, ['SET', key, bytes, 'PX', `${Math.floor(lifeMs)}`]);
    });
  }

  async forget(kind: CacheKind, names: readonly string[]): Promise<void> {
    await this.#all(names, (name) => {
      const key = this.#keyOf(kind, name);
      return this.#connection.send(key, ['DEL', key]);
    });
  }

  stats(): { asked: number; hits: number } {
    return { asked: this.#asked, hits: this.#hits };
  }

  /** The connection is whoever's gave it. */
  async close(): Promise<void> {}

  #all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<(R | undefined)[]> {
    return Promise.all(items.map((item) => this.#health.tried(() => work(item))));
  }

  #keyOf(kind: CacheKind, name: string): string {
    const short =
      name.length <= NAME_CHARS_MAX ? name : createHash('sha256').update(name).digest('base64url');
    return `${this.#prefix}cache:${kind}:${short}`;
  }
}

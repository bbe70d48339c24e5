/**
 * The seen filter in Redis or Valkey, shared by the nodes of a cluster (K2, S1–S5).
 *
 *   keys ─▶ by arc ─▶ one script per arc, all on the line at once ─▶ 0 new, 1 maybe
 *
 * Whatever goes wrong, the answer is 'maybe' and the exact store decides (S5): no server, a server
 * that hangs, one that is full, one that restarted or was flushed. 'New' is only said by an arc
 * that calls itself complete. It stops doing so when it lost anything, and is then rebuilt from
 * the store's keys, here, while the crawl goes on.
 *
 * Not here: how keys are added (seen-script.ts), where their bits are (seen-plan.ts), what is told
 * again after an outage (recent-keys.ts).
 */
import type { Clock } from '../../ports/clock.ts';
import type { SeenFilter, SeenStats } from '../../ports/seen-filter.ts';
import type { KeyRange } from '../../ports/shard-store.ts';
import { URL_KEY_BYTES, type UrlKey } from '../../record/index.ts';
import type { RedisConnection } from './connection.ts';
import { Health } from './health.ts';
import { RecentKeys } from './recent-keys.ts';
import { SeenArc } from './seen-arc.ts';
import { ARCS, arcOf, arcRange, SeenPlan } from './seen-plan.ts';

export interface RedisFilterOptions {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Before all keys of this crawl. */
  readonly prefix: string;
  readonly expectedKeys: number;
  readonly falsePositiveRate: number;
  /** Does the store know nothing yet, so that an empty filter is complete? */
  readonly complete: boolean;
  /** Flat runs of the url keys that the store knows in a range: what was lost is rebuilt of it. */
  readonly known?: (range: KeyRange) => AsyncIterable<Uint8Array>;
  /** For the log: once when it fails, once when it is back. */
  readonly notice?: (text: string) => void;
}

/** 1.5 MB: some seconds of a fast node's keys. */
const RECENT_KEYS = 65_536;
const WORDS = { what: 'the seen filter in Redis', meanwhile: 'the store decides alone' };

export async function openRedisFilter(options: RedisFilterOptions): Promise<RedisSeenFilter> {
  const filter = new RedisSeenFilter(options);
  await filter.begin(options.complete);
  return filter;
}

export class RedisSeenFilter implements SeenFilter {
  readonly #known: RedisFilterOptions['known'];
  readonly #notice: (text: string) => void;
  readonly #health: Health;
  readonly #arcs: readonly SeenArc[];
  readonly #recent = new RecentKeys(RECENT_KEYS);
  readonly #rebuilding = new Map<SeenArc, Promise<void>>();
  #lastRebuild: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RedisFilterOptions) {
    const { connection, prefix, expectedKeys, falsePositiveRate } = options;
    const plan = new SeenPlan(expectedKeys, falsePositiveRate);
    this.#known = options.known;
    this.#notice = options.notice ?? (() => undefined);
    this.#health = new Health(options.clock, WORDS, options.notice);
    this.#arcs = Array.from(
      { length: ARCS },
      (_, arc) => new SeenArc(arc, connection, plan, this.#recent, prefix),
    );
  }

  /** Looks at every arc; where there is none, it begins, complete or not. */
  async begin(isComplete: boolean): Promise<void> {
    await Promise.all(
      this.#arcs.map((arc) => this.#tried(arc, this.#recent.end, () => arc.look(isComplete))),
    );
  }

  async checkAndAdd(keys: readonly UrlKey[]): Promise<Uint8Array> {
    const answers = new Uint8Array(keys.length).fill(1);
    const place = this.#recent.end;
    const byArc = new Map<number, number[]>();
    for (const [i, key] of keys.entries()) {
      this.#recent.add(key);
      const arc = arcOf(key);
      const mine = byArc.get(arc);
      if (mine === undefined) byArc.set(arc, [i]);
      else mine.push(i);
    }
    await Promise.all(
      [...byArc].map(([arc, mine]) => this.#askArc(arc, keys, mine, place, answers)),
    );
    return answers;
  }

  stats(): SeenStats {
    const isWhole = (arc: SeenArc) => arc.state?.isComplete === true && !arc.isBehind;
    const isComplete = !this.#health.isFailing && this.#arcs.every(isWhole);
    return {
      keys: this.#arcs.reduce((sum, arc) => sum + (arc.state?.keys ?? 0), 0),
      generations: Math.max(...this.#arcs.map((arc) => arc.state?.generations ?? 1)),
      bytes: this.#arcs.reduce((sum, arc) => sum + arc.bytes, 0),
      complete: isComplete,
      falsePositiveRate: Math.max(...this.#arcs.map((arc) => arc.rate)),
    };
  }

  /** Resolves when nothing is being rebuilt. */
  async settled(): Promise<void> {
    await Promise.all(this.#rebuilding.values());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
    const behind = this.#arcs.filter((arc) => arc.isBehind);
    await Promise.all(behind.map((arc) => this.#tried(arc, this.#recent.end, () => arc.ask([]))));
  }

  async #askArc(
    nth: number,
    keys: readonly UrlKey[],
    mine: readonly number[],
    place: number,
    answers: Uint8Array,
  ): Promise<void> {
    const arc = this.#arcs[nth] as SeenArc;
    const own = mine.map((i) => keys[i] as UrlKey);
    const maybe = await this.#tried(arc, place, async () => {
      const said = await arc.ask(own, place);
      await arc.measure();
      return said;
    });
    if (maybe === undefined) return;
    for (const [i, at] of mine.entries()) answers[at] = maybe[i] as number;
  }

  /** Undefined when it fails: then the keys from `place` on are told again. */
  async #tried<T>(arc: SeenArc, place: number, work: () => Promise<T>): Promise<T | undefined> {
    let isDone = false;
    const answer = await this.#health.tried(async () => {
      const done = await work();
      isDone = true;
      return done;
    });
    if (!isDone) arc.missed(place);
    else if (arc.state?.isComplete === false) this.#rebuild(arc);
    return answer;
  }

  /** One arc after the other: reading the store is work for it, too. */
  #rebuild(arc: SeenArc): void {
    if (this.#known === undefined || this.#isClosed || this.#rebuilding.has(arc)) return;
    if (this.#rebuilding.size === 0) {
      this.#notice('the seen filter in Redis is incomplete: it is rebuilt from the store');
    }
    const known = this.#known;
    const work = this.#lastRebuild
      .then(() => this.#readKnown(arc, known(arcRange(arc.arc))))
      .catch((error) => this.#health.fails(error))
      .finally(() => {
        this.#rebuilding.delete(arc);
      });
    this.#rebuilding.set(arc, work);
    this.#lastRebuild = work;
  }

  async #readKnown(arc: SeenArc, runs: AsyncIterable<Uint8Array>): Promise<void> {
    const birth = arc.state?.birth;
    if (birth === undefined || this.#isClosed) return;
    await arc.ask([]);
    for await (const run of runs) {
      if (this.#isClosed || arc.state?.birth !== birth) return;
      await arc.ask(keysIn(run));
    }
    await arc.seal(birth);
  }
}

function keysIn(run: Uint8Array): Buffer[] {
  const bytes = Buffer.from(run.buffer, run.byteOffset, run.length);
  return Array.from({ length: run.length / URL_KEY_BYTES }, (_, i) =>
    bytes.subarray(i * URL_KEY_BYTES, (i + 1) * URL_KEY_BYTES),
  );
}

/**
 * What waits and was fetched in the whole ring, as far as a node has heard (A1, O1): each owner
 * counts its arcs, and tells whoever asks.
 *
 *   own arcs     exact, as last committed
 *   all others   as their owners told last, each arc in its highest epoch
 *
 * Sums are late by a look or two. An arc that has no owner just now is counted as it was heard of
 * last, so that nothing looks finished because nobody answers for it. What a commit changes may be
 * counted in any arc that it touches: only the sum means something.
 */
import { type JobCounts, NO_COUNTS } from '../ports/job-counts.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import type { RingPeer } from '../ports/ring-report.ts';
import { NO_TOTALS, type ShardStore, type Totals } from '../ports/shard-store.ts';
import { peerFrom } from '../ring/index.ts';
import { decodeCounts, encodeCounts } from './ring-counts-wire.ts';

export interface ArcCount {
  readonly arc: number;
  readonly epoch: number;
  readonly totals: Totals;
  readonly jobs: ReadonlyMap<number, JobCounts>;
}

export interface RingCountParts {
  readonly calls: RingCalls;
  /** Of the arcs that this node owns at this instant. */
  readonly own: () => Promise<readonly ArcCount[]>;
  /** All other nodes that can be found. */
  readonly others: () => Promise<readonly RingPeer[]>;
}

const NO_QUESTION = new Uint8Array(0);

export class RingCounts {
  readonly #parts: RingCountParts;
  readonly #heard = new Map<number, ArcCount>();

  /** Answers the others from now on. */
  constructor(parts: RingCountParts) {
    this.#parts = parts;
    parts.calls.serve('counts', async () => encodeCounts(await parts.own()));
  }

  /** Asks everybody once. */
  async look(): Promise<void> {
    const { calls, others } = this.#parts;
    const told = (await others()).map(async ({ id, at }) => {
      const peer = peerFrom({ id, at });
      const answer = peer && (await calls.askNode(peer, 'counts', NO_QUESTION));
      for (const one of (answer && decodeCounts(answer)) ?? []) this.#hear(one);
    });
    await Promise.all(told);
    for (const one of await this.#parts.own()) this.#hear(one);
  }

  /** The whole ring's: this node's own as they are, all others as they were heard of last. */
  async sums(): Promise<{ totals: Totals; jobs: ReadonlyMap<number, JobCounts> }> {
    const own = await this.#parts.own();
    for (const one of own) this.#hear(one);
    const all = [...this.#heard.values()];
    const jobs = new Map<number, JobCounts>();
    for (const [job, counts] of all.flatMap((one) => [...one.jobs])) {
      jobs.set(job, added(jobs.get(job) ?? NO_COUNTS, counts));
    }
    return { totals: all.reduce((sum, one) => added(sum, one.totals), NO_TOTALS), jobs };
  }

  /** A store whose commits are answered with what the whole ring comes to. */
  summed(store: ShardStore): ShardStore {
    const commit: ShardStore['commit'] = async (batch) => {
      const { fresh, unshelved } = await store.commit(batch);
      return { fresh, unshelved, ...(await this.sums()) };
    };
    return { ...store, commit };
  }

  /** In one epoch an owner's words come in their order; one that is late is of an epoch before. */
  #hear(count: ArcCount): void {
    const before = this.#heard.get(count.arc);
    if (before === undefined || before.epoch <= count.epoch) this.#heard.set(count.arc, count);
  }
}

function added<T extends Readonly<Record<keyof T, number>>>(a: T, b: T): T {
  const sum = { ...a } as Record<keyof T, number>;
  for (const name of Object.keys(a) as (keyof T)[]) sum[name] += b[name];
  return sum as T;
}

/**
 * Who writes ratings down: the folder alone, or the crawl that goes on in it.
 *
 * A crawl keeps hosts in memory and URLs on their way: there a rating goes through the frontier
 * and the same commits as visits, so that neither undoes the other.
 */
import type { Frontier, HostRating } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import { type Commit, NOTHING, type ShardStore } from '../ports/shard-store.ts';
import type { HostRecord } from '../record/index.ts';
import type { Recent } from '../seen/index.ts';
import { hostOf } from '../url/index.ts';
import type { Settling } from './settle.ts';

export interface RatedHost {
  readonly record: HostRecord;
  readonly rating: HostRating;
}

export interface RankDesk {
  /** Resolves when no URL of the host is away; until release() none is handed out. */
  hold(host: string): Promise<void>;
  release(host: string): void;
  move(moved: Commit['moved']): Promise<void>;
  /** How often a URL was named in the text of a page, lately; 0 when nobody knows. */
  votesFor(url: string): number;
  /** Hosts with URLs that have votes. */
  votedHosts(): ReadonlySet<string>;
  /** Makes the ratings durable. */
  rate(hosts: readonly RatedHost[]): Promise<void>;
}

const HOLD_POLL_MS = 20;

/** A folder at rest: whoever opened its store is the only one who writes. */
export function restingDesk(store: ShardStore): RankDesk {
  return {
    hold: async () => {},
    release: () => {},
    votesFor: () => 0,
    votedHosts: () => new Set(),
    move: async (moved) => void (await store.commit({ ...NOTHING, moved })),
    rate: async (hosts) => {
      const records = hosts.map(({ record, rating }) => ({ ...record, ...rating }));
      await store.commit({ ...NOTHING, hosts: records });
    },
  };
}

export function crawlingDesk(
  frontier: Frontier,
  settling: Settling,
  recent: Recent,
  clock: Clock,
): RankDesk {
  return {
    async hold(host) {
      while (!frontier.ratings.hold(host)) await clock.sleepUntil(clock.now() + HOLD_POLL_MS);
    },
    release: (host) => frontier.ratings.release(host),
    votesFor: (url) => recent.votesFor(url),
    votedHosts: () => new Set(Array.from(recent.voted(), hostOf)),
    move: (moved) => settling.add({ candidates: [], moved, change: {} }),
    rate(hosts) {
      const resting = hosts.map(
        ({ record, rating }) =>
          frontier.ratings.rate(record.host, rating) ?? { ...record, ...rating },
      );
      return settling.add({ candidates: [], resting, change: {} });
    },
  };
}

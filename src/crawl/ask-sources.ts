/** What answers are made from, and the two looks that all of them begin with. */
import type { Rules } from '../comply/index.ts';
import type { Settings } from '../config/index.ts';
import type { Politeness } from '../frontier/index.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Records } from '../ports/records.ts';
import type { Due, ShardStore } from '../ports/shard-store.ts';
import { type UrlRecord, urlKeyOf } from '../record/index.ts';
import { canonicalize, hostOf } from '../url/index.ts';
import type { AdmitRules } from './admit.ts';
import type { Jobs } from './jobs.ts';
import type { RankQuery, RankReport } from './rank.ts';
import type { RenderCounts } from './render.ts';

export interface AnswerSources {
  readonly dir: string;
  readonly seeds: readonly string[];
  readonly settings: Settings;
  readonly rules: AdmitRules;
  readonly politeness: Politeness;
  readonly clock: Clock;
  readonly store: ShardStore;
  readonly records: Records;
  readonly blobs: BlobStore;
  readonly events: Pick<EventLog, 'read'>;
  /** What may not be asked any more (G1). */
  readonly denials?: Rules;
  readonly isRunning: () => boolean;
  /** Of a crawl that runs and renders. */
  readonly renders?: () => RenderCounts | undefined;
  readonly rank: (query: RankQuery) => Promise<RankReport>;
  readonly jobs: Pick<Jobs, 'list' | 'one' | 'steer'>;
  /** What decides about a URL, by its job if it has one. */
  readonly rulesFor?: (url: string, job: number | undefined) => AdmitRules;
  /** Makes visited URLs due now. */
  readonly askAgain: (dues: readonly Due[]) => Promise<void>;
}

export async function recordOf(store: ShardStore, url: string): Promise<UrlRecord | undefined> {
  return (await store.urls([urlKeyOf(url)]))[0];
}

/** As the crawl itself would read it; a bare host name is not guessed at. */
export function canonicalOf({ settings }: AnswerSources, given: string): string | undefined {
  const { stripWww } = settings.scope;
  const url = canonicalize(given.trim(), undefined, { stripWww });
  return url !== undefined && hostOf(url) !== '' ? url : undefined;
}

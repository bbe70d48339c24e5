/** How far a crawl is: its counts, and the hosts that say most about it. */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import { type Totals, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import type { HostRecord } from '../record/index.ts';
import type { StatusAnswer } from './answers.ts';
import type { AnswerSources } from './ask-sources.ts';

const HOSTS_SHOWN = 20;

export async function statusOf(sources: AnswerSources): Promise<StatusAnswer> {
  const { dir, seeds, store, records, clock } = sources;
  const now = clock.now();
  const totals = await records.totals();
  let hosts: HostRecord[] = [];
  let count = 0;
  for await (const chunk of store.hosts(WHOLE_CIRCLE)) {
    count += chunk.length;
    hosts = [...hosts, ...chunk].sort((a, b) => weight(b, now) - weight(a, now));
    hosts.length = Math.min(hosts.length, HOSTS_SHOWN);
  }
  const isRunning = sources.isRunning();
  const counted = { ...totals, hosts: count };
  return { dir, seeds, isRunning, now, totals: counted, byState: byState(totals), hosts };
}

/** Hosts in trouble first, then those with the most pages. */
function weight(host: HostRecord, now: Instant): number {
  const isTroubled = host.errors > 0 || host.backoff > 1.01 || host.turnAt > now + MINUTE_MS;
  return host.fetched + (isTroubled ? Number.MAX_SAFE_INTEGER / 4 : 0);
}

function byState({ waiting, retrying, fetched, failed, skipped }: Totals): Record<string, number> {
  return { queued: waiting, retrying, indexed: fetched, failed, skipped };
}

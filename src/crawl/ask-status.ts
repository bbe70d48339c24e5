/** How far a crawl is: its counts, the hosts that say most about it, and what was judged. */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import { type ShardStore, type Totals, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { HOST_FLAGS, type HostRecord, hostKeyOf } from '../record/index.ts';
import type { Judged, StatusAnswer } from './answers.ts';
import { notesOf } from './ask-notes.ts';
import type { AnswerSources } from './ask-sources.ts';

const HOSTS_SHOWN = 20;
/** Flagged hosts whose sketches are read for their traps, and due URLs that are counted. */
const SKETCHES_READ = 1_000;
const DUE_COUNTED = 1_000;

export async function statusOf(sources: AnswerSources): Promise<StatusAnswer> {
  const { dir, seeds, store, records, clock } = sources;
  const now = clock.now();
  const totals = await records.totals();
  const flagged = new Flagged();
  let hosts: HostRecord[] = [];
  let count = 0;
  for await (const chunk of store.hosts(WHOLE_CIRCLE)) {
    count += chunk.length;
    for (const host of chunk) flagged.add(host);
    hosts = [...hosts, ...chunk].sort((a, b) => weight(b, now) - weight(a, now));
    hosts.length = Math.min(hosts.length, HOSTS_SHOWN);
  }
  const isRunning = sources.isRunning();
  const counted = { ...totals, hosts: count };
  const judged = await judgedOf(counted, flagged, store, now);
  const renders = sources.renders?.();
  const said = { dir, seeds, isRunning, now, totals: counted, byState: byState(totals) };
  return { ...said, judged, hosts, ...(renders && { renders }) };
}

/** Hosts in trouble first, then those with the most pages. */
function weight(host: HostRecord, now: Instant): number {
  const isTroubled = host.errors > 0 || host.backoff > 1.01 || host.turnAt > now + MINUTE_MS;
  return host.fetched + (isTroubled ? Number.MAX_SAFE_INTEGER / 4 : 0);
}

function byState({ waiting, retrying, fetched, failed, skipped }: Totals): Record<string, number> {
  return { queued: waiting, retrying, indexed: fetched, failed, skipped };
}

/** Hosts by their flags; a million of them cost a few numbers. */
class Flagged {
  readonly counts = { trap: 0, soft_404: 0, content_farm: 0, denied: 0 };
  readonly trapped: string[] = [];

  add({ flags, host }: HostRecord): void {
    if (flags === 0) return;
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[]) {
      if ((flags & HOST_FLAGS[name]) !== 0) this.counts[name]++;
    }
    const isTrapped = (flags & HOST_FLAGS.trap) !== 0;
    if (isTrapped && this.trapped.length < SKETCHES_READ) this.trapped.push(host);
  }
}

async function judgedOf(
  { copies, nearDuplicates, soft404s, parked }: Totals,
  { counts, trapped }: Flagged,
  store: ShardStore,
  now: Instant,
): Promise<Judged> {
  const due = await store.due(now, DUE_COUNTED);
  return {
    ...{ copies, nearDuplicates, soft404s, parked },
    ...{ trapHosts: counts.trap, soft404Hosts: counts.soft_404 },
    ...{ farmHosts: counts.content_farm, deniedHosts: counts.denied },
    trapShapes: await shapesOn(trapped, store),
    due: due.length,
    lagMs: Math.max(0, now - (due[0]?.at ?? now)),
  };
}

async function shapesOn(hosts: readonly string[], store: ShardStore): Promise<number> {
  let shapes = 0;
  for (const host of hosts) {
    const stored = await store.host(hostKeyOf(host));
    if (stored !== undefined) shapes += notesOf(stored.sketch).traps.length;
  }
  return shapes;
}

/**
 * The seeds of a job (A1): as many as one call brings, some thousands at a time.
 *
 *   URL ─▶ canonical ─▶ widen the job's scope ─▶ judge ─▶ known? ─┬─ new: planted
 *            no: refused      │ remembered          no: refused   ├─ known, copy too old: asked again
 *                             └─ in the book, before              └─ known: left alone
 *                                anything of it is planted
 *
 * In a cluster, what is new and another's is sent to its owner; so is what is to be asked again.
 *
 * What was answered as queued is in the store: a crash loses none of it. A step that is taken
 * again, because nobody heard of its end, finds its own URLs and counts them as before.
 */
import { HOUR_MS, type Instant } from '../base/instant.ts';
import { deniedReason, type Rules } from '../comply/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobBook, JobEntry, JobReceipt } from '../ports/job-book.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { SEED_PRIORITY } from '../quality/index.ts';
import { hostKeyOf, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { canonicalize, hostOf } from '../url/index.ts';
import { type AdmitRules, type Mention, refusal, seedMention } from './admit.ts';
import { isOlder } from './job-shared.ts';
import type { CrawlNode } from './node.ts';

export interface SowSources {
  readonly node: Pick<CrawlNode, 'plant' | 'comeback' | 'worker' | 'recent'>;
  /** What belongs to others is handed to them: they decide. */
  readonly ownership: Ownership<Mention>;
  readonly store: ShardStore;
  readonly clock: Clock;
  readonly book: JobBook;
  /** What may not be asked any more (G1). */
  readonly denials: Rules;
  readonly stripWww: boolean;
}

const REFUSED_SHOWN = 100;
const HOSTS_LOOKED_AT = 64;
const URL_LENGTH_SHOWN = 200;

/** What the steps of one call have come to so far. */
export class Sown {
  queued = 0;
  known = 0;
  refusedCount = 0;
  readonly refused: { readonly url: string; readonly reason: string }[] = [];
  readonly hosts = new Set<string>();

  refuse(url: string, reason: string): void {
    this.refusedCount++;
    if (this.refused.length >= REFUSED_SHOWN) return;
    this.refused.push({ url: url.slice(0, URL_LENGTH_SHOWN), reason });
  }

  note(url: string): void {
    this.queued++;
    if (this.hosts.size < HOSTS_LOOKED_AT) this.hosts.add(hostOf(url));
  }

  async receipt(sources: SowSources): Promise<JobReceipt> {
    const { queued, known, refusedCount, refused } = this;
    return { queued, known, refusedCount, refused, startAt: await startOf(sources, this.hosts) };
  }
}

export async function sowStep(
  sources: SowSources,
  job: JobEntry,
  rules: AdmitRules,
  given: readonly string[],
  sown: Sown,
): Promise<void> {
  const { store, node, book } = sources;
  const urls = readStep(sources, given, sown).filter((url) => !isDenied(url, sources, sown));
  const widening = urls.filter((url) => rules.scope.add(url));
  if (widening.length > 0) await book.addSeeds(job.id, widening);
  const mentions = urls.flatMap((url) => mentionOf(url, job, rules, sown) ?? []);
  const records = await recordsOf(store, mentions);
  const fresh = mentions.filter((_, i) => records[i] === undefined);
  // Named a moment ago, for a job that has ended since and left nothing.
  for (const { url } of fresh) node.recent.forget(url);
  await node.plant(fresh);
  const planted = await recordsOf(store, fresh);
  fresh.forEach((mention, i) => {
    const isTaken = planted[i] !== undefined || !isMine(mention.url, sources);
    if (isTaken) sown.note(mention.url);
    else sown.refuse(mention.url, NOT_TAKEN);
  });
  const known = records.flatMap((record) => record ?? []);
  const own = known.filter((record) => isOwn(record, job));
  for (const { url } of own) sown.note(url);
  await askAgain(
    sources,
    job,
    known.filter((record) => !isOwn(record, job)),
    sown,
  );
  node.worker.wake();
}

function isMine(url: string, { ownership }: SowSources): boolean {
  return ownership.isMine(urlKeyOf(url));
}

const NOT_TAKEN = 'its host has more URLs waiting than are taken for now, or is shut out';

/** Planted by the same step, before nobody knew what became of it. */
function isOwn({ job, depth }: UrlRecord, { id }: JobEntry): boolean {
  return job === id && depth === 0;
}

/** The canonical forms of a step, each once. */
function readStep({ stripWww }: SowSources, given: readonly string[], sown: Sown): string[] {
  const urls = new Set<string>();
  for (const text of given) {
    const url = canonicalize(text.trim(), undefined, { stripWww });
    if (url === undefined || hostOf(url) === '') sown.refuse(text, 'not an http: or https: URL');
    else if (urls.has(url)) sown.known++;
    else urls.add(url);
  }
  return [...urls];
}

/** Told with who and why: a denied page that is known would else seem to wait. */
function isDenied(url: string, { denials }: SowSources, sown: Sown): boolean {
  const rule = denials.meets(url);
  if (rule !== undefined) sown.refuse(url, deniedReason(rule));
  return rule !== undefined;
}

function mentionOf(url: string, job: JobEntry, rules: AdmitRules, sown: Sown): Mention | undefined {
  const verdict = rules.scope.judge(url);
  const mention = seedMention(url, 'page', SEED_PRIORITY[job.priority], job.id);
  const reason = verdict.in ? refusal(mention, rules) : verdict.reason;
  if (reason === undefined) return mention;
  sown.refuse(url, reason);
  return undefined;
}

function recordsOf(
  store: ShardStore,
  mentions: readonly Mention[],
): Promise<readonly (UrlRecord | undefined)[]> {
  return store.urls(mentions.map(({ url }) => urlKeyOf(url)));
}

/** A copy that is too old is fetched anew for this job: what it links to now is the job's. */
async function askAgain(
  sources: SowSources,
  { id, priority, ttlHours = Number.POSITIVE_INFINITY }: JobEntry,
  records: readonly UrlRecord[],
  sown: Sown,
): Promise<void> {
  const { node, clock, ownership } = sources;
  const since = clock.now() - ttlHours * HOUR_MS;
  const old = records.filter((record) => isOlder(record, since));
  sown.known += records.length - old.length;
  for (const { url } of old) sown.note(url);
  const mine = old.filter(({ url }) => isMine(url, sources));
  const others = old.filter(({ url }) => !isMine(url, sources));
  const dues = mine.map(({ nextCrawlAt, url }) => ({ at: nextCrawlAt, key: urlKeyOf(url) }));
  if (dues.length > 0) await node.comeback.askAgain(dues, id);
  const seeds = others.map(({ url }) => seedMention(url, 'page', SEED_PRIORITY[priority], id));
  if (seeds.length > 0) await ownership.hand(seeds);
}

/** When the first of the hosts may be asked. */
async function startOf({ store, clock }: SowSources, hosts: Iterable<string>): Promise<Instant> {
  let first = Number.POSITIVE_INFINITY;
  for (const host of hosts) {
    const stored = await store.host(hostKeyOf(host));
    first = Math.min(first, stored?.record.turnAt ?? 0);
  }
  const now = clock.now();
  return Number.isFinite(first) ? Math.max(now, first) : now;
}

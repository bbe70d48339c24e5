/**
 * Seeds that come while a crawl runs (A1): as many as one call brings, some thousands at a time.
 *
 *   URL ─▶ canonical ─▶ widen the scope ─▶ judge ─▶ known? ─┬─ new: planted
 *            no: refused      │ remembered      no: refused   ├─ known, copy too old: asked again
 *                             └─ by the folder, before        └─ known: left alone
 *                                anything of it is planted
 *
 * What was answered as queued is in the store: a crash loses none of it.
 */
import { CrawlError } from '../base/errors.ts';
import { HOUR_MS, type Instant } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { SEED_PRIORITY } from '../quality/index.ts';
import { hostKeyOf, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { canonicalize, hostOf } from '../url/index.ts';
import { type AdmitRules, type Mention, refusal, seedMention } from './admit.ts';
import type { CrawlNode } from './node.ts';

export interface SeedCall {
  readonly urls: readonly string[];
  readonly priority: keyof typeof SEED_PRIORITY;
  /** Links to follow away from these seeds; no more than the crawl itself allows. */
  readonly depth?: number;
  /** A known page whose copy is older is asked for again. */
  readonly ttlHours?: number;
}

export interface SeedAnswer {
  /** New URLs that wait now. */
  readonly queued: number;
  /** Known pages that are due now because their copy was too old. */
  readonly asked: number;
  /** Known before, or named twice: left as they are. */
  readonly known: number;
  readonly refusedCount: number;
  /** The first of them, with reasons. */
  readonly refused: readonly RefusedSeed[];
  /** When the first of their hosts may be asked. */
  readonly startAt: Instant;
}

export interface RefusedSeed {
  readonly url: string;
  readonly reason: string;
}

export interface SeedSources {
  readonly node: Pick<CrawlNode, 'plant' | 'comeback' | 'worker'>;
  readonly rules: AdmitRules;
  readonly store: ShardStore;
  readonly clock: Clock;
  readonly stripWww: boolean;
  /** Keeps seeds that widen the scope, for the next run of the folder. */
  readonly remember: (seeds: readonly string[]) => Promise<void>;
}

const SEEDS_PER_STEP = 5_000;
const REFUSED_SHOWN = 100;
const HOSTS_LOOKED_AT = 64;
const URL_LENGTH_SHOWN = 200;

/** Takes the steps of all calls one after the other, so that no URL is new to two of them. */
export class SeedDesk {
  readonly #sources: SeedSources;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(sources: SeedSources) {
    this.#sources = sources;
  }

  async sow(call: SeedCall): Promise<SeedAnswer> {
    const sum = new Sum();
    for (let at = 0; at < call.urls.length; at += SEEDS_PER_STEP) {
      const step = call.urls.slice(at, at + SEEDS_PER_STEP);
      await this.#next(() => sowStep(this.#sources, call, step, sum));
    }
    return sum.answer(await startOf(this.#sources, sum.hosts));
  }

  /** Takes no more; resolves when nothing of it is on its way to the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
  }

  #next(step: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(() => {
      if (this.#isClosed) throw ending();
      return step();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function ending(): CrawlError {
  const hint = 'Send the same call again when it runs; what was taken is not taken twice.';
  return new CrawlError('E_STORE_DOWN', 'The crawl is ending', hint);
}

class Sum {
  queued = 0;
  asked = 0;
  known = 0;
  refusedCount = 0;
  readonly refused: RefusedSeed[] = [];
  readonly hosts = new Set<string>();

  refuse(url: string, reason: string): void {
    this.refusedCount++;
    if (this.refused.length >= REFUSED_SHOWN) return;
    this.refused.push({ url: url.slice(0, URL_LENGTH_SHOWN), reason });
  }

  answer(startAt: Instant): SeedAnswer {
    const { queued, asked, known, refusedCount, refused } = this;
    return { queued, asked, known, refusedCount, refused, startAt };
  }
}

/** The canonical forms of a step, each once. */
function readStep({ stripWww }: SeedSources, given: readonly string[], sum: Sum): string[] {
  const urls = new Set<string>();
  for (const text of given) {
    const url = canonicalize(text.trim(), undefined, { stripWww });
    if (url === undefined || hostOf(url) === '') sum.refuse(text, 'not an http: or https: URL');
    else if (urls.has(url)) sum.known++;
    else urls.add(url);
  }
  return [...urls];
}

async function sowStep(
  sources: SeedSources,
  call: SeedCall,
  given: readonly string[],
  sum: Sum,
): Promise<void> {
  const { rules, store, node, remember } = sources;
  const urls = readStep(sources, given, sum);
  const widening = urls.filter((url) => rules.scope.add(url));
  if (widening.length > 0) await remember(widening);
  const mentions = urls.flatMap((url) => mentionOf(url, call, rules, sum) ?? []);
  const records = await recordsOf(store, mentions);
  const fresh = mentions.filter((_, i) => records[i] === undefined);
  await node.plant(fresh);
  const planted = await recordsOf(store, fresh);
  fresh.forEach((mention, i) => {
    if (planted[i] === undefined) sum.refuse(mention.url, NOT_TAKEN);
    else note(mention.url, sum);
  });
  await askAgain(
    sources,
    call,
    records.flatMap((record) => record ?? []),
    sum,
  );
  node.worker.wake();
}

const NOT_TAKEN = 'its host has more URLs waiting than are taken for now, or is shut out';

function note(url: string, sum: Sum): void {
  sum.queued++;
  if (sum.hosts.size < HOSTS_LOOKED_AT) sum.hosts.add(hostOf(url));
}

function mentionOf(url: string, call: SeedCall, rules: AdmitRules, sum: Sum): Mention | undefined {
  const verdict = rules.scope.judge(url);
  // Depth is counted towards the crawl's own limit: a seed that may go less far begins nearer to it.
  const depth = Math.max(0, rules.depthMax - (call.depth ?? rules.depthMax));
  const mention = { ...seedMention(url, 'page', SEED_PRIORITY[call.priority]), depth };
  const reason = verdict.in ? refusal(mention, rules) : verdict.reason;
  if (reason === undefined) return mention;
  sum.refuse(url, reason);
  return undefined;
}

function recordsOf(
  store: ShardStore,
  mentions: readonly Mention[],
): Promise<readonly (UrlRecord | undefined)[]> {
  return store.urls(mentions.map(({ url }) => urlKeyOf(url)));
}

async function askAgain(
  { node, clock }: SeedSources,
  { ttlHours = Number.POSITIVE_INFINITY }: SeedCall,
  records: readonly UrlRecord[],
  sum: Sum,
): Promise<void> {
  const since = clock.now() - ttlHours * HOUR_MS;
  const old = records.filter(
    ({ state, lastFetchedAt }) => state !== 'queued' && lastFetchedAt < since,
  );
  sum.known += records.length - old.length;
  sum.asked += old.length;
  if (old.length === 0) return;
  await node.comeback.askAgain(
    old.map(({ nextCrawlAt, url }) => ({ at: nextCrawlAt, key: urlKeyOf(url) })),
  );
}

async function startOf({ store, clock }: SeedSources, hosts: Iterable<string>): Promise<Instant> {
  let first = Number.POSITIVE_INFINITY;
  for (const host of hosts) {
    const stored = await store.host(hostKeyOf(host));
    first = Math.min(first, stored?.record.turnAt ?? 0);
  }
  const now = clock.now();
  return Number.isFinite(first) ? Math.max(now, first) : now;
}

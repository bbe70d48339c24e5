/** Gathers the facts that `why.ts` tells. */
import { asOf } from '../content/directives.ts';
import type { FetchEvent } from '../events/index.ts';
import { hostKeyOf, type UrlKey, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { hostnameOf, hostOf, originOf } from '../url/index.ts';
import { type AdmitRules, refusal, seedMention } from './admit.ts';
import { notesOf } from './ask-notes.ts';
import { type AnswerSources, recordOf } from './ask-sources.ts';
import type { WhyFacts } from './why-facts.ts';

/** Tries that the story tells one by one. */
const TRIES_TOLD = 5;
const NOWHERE = { in: false, reason: 'not a URL', hopsOutside: 0 };

export async function gatherWhy(
  sources: AnswerSources,
  given: string,
  url: string | undefined,
): Promise<WhyFacts> {
  const { clock, politeness } = sources;
  const { purpose: purposes } = sources.settings.usage;
  const isRunning = sources.isRunning();
  const policy = isRunning ? sources.settings.recrawl.recrawlPolicy : undefined;
  const common = { given, politeness, purposes, policy, now: clock.now(), isRunning };
  const blank = { record: undefined, parent: undefined, host: undefined, robots: undefined };
  const none = {
    ...{
      refusal: undefined,
      denial: undefined,
      isBlockedHost: false,
      tries: [],
      original: undefined,
    },
    notes: {},
  };
  if (url === undefined) return { ...common, url, ...blank, ...none, scope: NOWHERE };
  const known = await recordOf(sources.store, url);
  const record = known && asOf(known, common.now);
  const stored = await sources.store.host(hostKeyOf(hostOf(url)));
  const rules = sources.rulesFor?.(url, record?.job) ?? sources.rules;
  return {
    ...common,
    url,
    record,
    scope: scopeOf(rules, url, record),
    job: record && sources.jobs.one(record.job),
    denial: sources.denials?.meets(url),
    refusal: refusal(seedMention(url, 'page', 0), rules),
    isBlockedHost: isBlocked(sources, url),
    parent: record && (await parentOf(sources, record)),
    document: record && (await sources.records.trace(urlKeyOf(url)))?.document,
    original: record && (await originalOf(sources, record)),
    host: stored?.record,
    notes: stored === undefined ? {} : notesOf(stored.sketch).about(url),
    robots: stored?.robots.find((one) => one.origin === originOf(url)),
    tries: record === undefined ? [] : await triesOf(sources, url),
  };
}

/** A known URL is judged by the hops that it was taken with. */
function scopeOf({ scope }: AdmitRules, url: string, record: UrlRecord | undefined) {
  return scope.judge(url, Math.max(0, (record?.outside ?? 1) - 1));
}

function isBlocked({ settings }: AnswerSources, url: string): boolean {
  const name = hostnameOf(url);
  return settings.network.blockHost.some((one) => {
    const blocked = hostnameOf(`http://${one}/`);
    return name === blocked || name.endsWith(`.${blocked}`);
  });
}

async function parentOf(
  { store, records }: AnswerSources,
  record: UrlRecord,
): Promise<WhyFacts['parent']> {
  if (record.parent.length === 0) return undefined;
  const key: UrlKey = Buffer.from(record.parent);
  const [parent] = await store.urls([key]);
  if (parent === undefined) return undefined;
  const trace = await records.trace(key);
  const text = trace?.links.find((link) => link.target === record.url)?.text ?? '';
  return { record: parent, text };
}

async function originalOf(
  { store }: AnswerSources,
  { original }: UrlRecord,
): Promise<UrlRecord | undefined> {
  if (original.length === 0) return undefined;
  return (await store.urls([Buffer.from(original)]))[0];
}

/**
 * The last tries, from the log. That is a walk through the whole log, so a running crawl is
 * spared it: there the record's own last try must do.
 */
async function triesOf({ events, isRunning }: AnswerSources, url: string): Promise<FetchEvent[]> {
  if (isRunning()) return [];
  const tries = new Map<string, FetchEvent>();
  for await (const { event } of events.read()) {
    if (event.url !== url || event.kind === 'robots') continue;
    tries.set(event.id, event);
    const [oldest] = tries.keys();
    if (tries.size > TRIES_TOLD && oldest !== undefined) tries.delete(oldest);
  }
  return [...tries.values()];
}

/**
 * Answers from a crawl's own store (A4). A running crawl answers with the same
 * code, a little at a time, so that asking does not slow it down much.
 */
import { keepsBody } from '../content/directives.ts';
import { PolitenessAuditor } from '../frontier/audit.ts';
import { urlKeyOf } from '../record/index.ts';
import type { Change } from '../recrawl/index.ts';
import type {
  Answers,
  AuditQuery,
  BodyForm,
  ChangesQuery,
  LinkAnswer,
  LinksQuery,
  PageAnswer,
  PagesQuery,
  PolitenessAudit,
  WhyAnswer,
} from './answers.ts';
import { capturesOf, hostsOf } from './ask-captures.ts';
import { scanPages, withOriginals } from './ask-pages.ts';
import { askAgain } from './ask-recrawl.ts';
import { type AnswerSources, canonicalOf, recordOf } from './ask-sources.ts';
import { statusOf } from './ask-status.ts';
import { gatherWhy } from './ask-why.ts';
import { changesSince } from './changes.ts';
import type { ComplyAnswers } from './comply-answers.ts';
import { tellWhy } from './why.ts';

export function makeAnswers(sources: AnswerSources, comply: ComplyAnswers): Answers {
  return {
    ...comply,
    status: () => statusOf(sources),
    pages: (query) => calmly(sources, pages(sources, query)),
    links: (query) => links(sources, query),
    why: (url) => why(sources, url),
    audit: (query) => audit(sources, query ?? {}),
    rank: (query) => sources.rank(query),
    recrawl: (query) => askAgain(sources, query),
    changes: (query) => changes(sources, query),
    body: (url, form) => body(sources, url, form),
    captures: (query) => calmly(sources, capturesOf(sources, query)),
    hosts: (query) => calmly(sources, hostsOf(sources, query)),
    jobs: async () => sources.jobs.list(),
    steerJob: ({ id, act }) => sources.jobs.steer(id, act),
  };
}

function pages(sources: AnswerSources, query: PagesQuery): AsyncIterable<PageAnswer> {
  const { records, store, clock } = sources;
  return withOriginals(scanPages(records, query, clock.now()), store);
}

/** The list is read up to three times: once more where pages are gone, to see if they moved. */
function changes(sources: AnswerSources, { since, host }: ChangesQuery): AsyncIterable<Change> {
  const { records, clock } = sources;
  const query = host === undefined ? {} : { host };
  return changesSince(() => calmly(sources, scanPages(records, query, clock.now())), since);
}

async function* links(sources: AnswerSources, query: LinksQuery): AsyncIterable<LinkAnswer> {
  let left = query.limit || Number.POSITIVE_INFINITY;
  for await (const source of linkSources(sources, query)) {
    const trace = await sources.records.trace(urlKeyOf(source));
    for (const link of trace?.links ?? []) {
      if (left-- <= 0) return;
      yield { source, ...link };
    }
  }
}

async function* linkSources(sources: AnswerSources, query: LinksQuery): AsyncIterable<string> {
  if (query.url !== undefined) {
    const url = canonicalOf(sources, query.url);
    if (url !== undefined) yield url;
    return;
  }
  const { records, clock } = sources;
  const hosts = query.host === undefined ? {} : { host: query.host };
  const pages = scanPages(records, hosts, clock.now());
  for await (const { url, state } of pages) if (state !== 'queued') yield url;
}

async function why(sources: AnswerSources, given: string): Promise<WhyAnswer> {
  return tellWhy(await gatherWhy(sources, given, canonicalOf(sources, given)));
}

const ROWS_PER_BREATH = 1_000;
const BREATH_MS = 4;
const HOSTS_MAX = 1_000;

/** Reads the log from its beginning. */
async function audit(sources: AnswerSources, query: AuditQuery): Promise<PolitenessAudit> {
  const auditor = new PolitenessAuditor();
  for await (const { event } of calmly(sources, sources.events.read())) {
    if (query.host === undefined || event.host === query.host) auditor.add(event);
  }
  return auditor.report(query.limit || HOSTS_MAX);
}

/** Lets a running crawl breathe between the rows. */
async function* calmly<T>(
  { clock, isRunning }: AnswerSources,
  rows: AsyncIterable<T>,
): AsyncIterable<T> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    if (++count % ROWS_PER_BREATH === 0 && isRunning()) {
      await clock.sleepUntil(clock.now() + BREATH_MS);
    }
  }
}

async function body(
  sources: AnswerSources,
  given: string,
  form: BodyForm = 'read',
): Promise<Uint8Array | undefined> {
  const url = canonicalOf(sources, given);
  const record = url === undefined ? undefined : await recordOf(sources.store, url);
  if (record === undefined || record.contentHash.length === 0) return undefined;
  if (!keepsBody(record)) return undefined;
  if (form === 'read') return sources.blobs.get(record.contentHash);
  const rendering = (await sources.records.trace(urlKeyOf(record.url)))?.rendering;
  if (rendering === undefined && form === 'sent') return sources.blobs.get(record.contentHash);
  const name = rendering?.[form];
  return name === undefined ? undefined : sources.blobs.get(Buffer.from(name, 'hex'));
}

/**
 * What an archive is made from: every URL with the headers of its last answer, and what the
 * crawl says in its requests. Secrets go only to the seeds' own hosts, and never in here.
 */
import type { Capture } from '../archive/index.ts';
import { type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import {
  FLAGS,
  type HostRecord,
  type LinkEdge,
  type Rendering,
  type UrlRecord,
  urlKeyOf,
} from '../record/index.ts';
import { hostnameOf } from '../url/index.ts';
import type { HostsQuery, PagesQuery } from './answers.ts';
import { scanPages, withOriginals } from './ask-pages.ts';
import type { AnswerSources } from './ask-sources.ts';
import { visitRulesFrom } from './plan.ts';

export async function* capturesOf(
  { records, store, settings, clock }: AnswerSources,
  query: PagesQuery,
): AsyncIterable<Capture> {
  const asked = visitRulesFrom(settings, []).headersOf('');
  const pages = scanPages(records, query, clock.now());
  for await (const page of withOriginals(pages, store)) {
    const { originalUrl, ...known } = page;
    const trace = known.httpStatus === 0 ? undefined : await records.trace(urlKeyOf(known.url));
    const record = asSent(known, trace?.rendering);
    const via = await parentOf(record, store);
    yield {
      record,
      asked,
      ...(originalUrl !== undefined && { originalUrl }),
      ...(via !== undefined && { via }),
      ...(trace !== undefined && { headers: trace.headers, links: edgesOf(trace.links) }),
      ...(trace?.rendering?.screenshot && { hasPicture: true }),
    };
  }
}

/** What was erased is not named any more. */
async function parentOf({ parent, httpStatus }: UrlRecord, store: ShardStore) {
  if (parent.length === 0 || httpStatus === 0) return undefined;
  const [page] = await store.urls([Buffer.from(parent)]);
  return page === undefined || (page.flags & FLAGS.erased) !== 0 ? undefined : page.url;
}

/** Without their words: an archive says only where a page leads to. */
function edgesOf(links: readonly LinkEdge[]): Capture['links'] {
  return links.map(({ target, kind }) => ({ target, kind }));
}

/** An archive holds what the server sent, not what a browser made of it. */
function asSent(record: UrlRecord, rendering: Rendering | undefined): UrlRecord {
  if (rendering === undefined) return record;
  return { ...record, contentHash: Buffer.from(rendering.sent, 'hex') };
}

export async function* hostsOf(
  { store }: { readonly store: ShardStore },
  { host }: HostsQuery,
): AsyncIterable<HostRecord> {
  for await (const chunk of store.hosts(WHOLE_CIRCLE)) {
    for (const record of chunk) if (isMeant(record, host)) yield record;
  }
}

function isMeant(record: HostRecord, host: string | undefined): boolean {
  return (
    host === undefined || record.host === host || hostnameOf(`http://${record.host}/`) === host
  );
}

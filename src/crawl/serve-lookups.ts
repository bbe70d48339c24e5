/**
 * What the service looks up in a crawl's own store (A1): single rows by key, and lists in
 * slices, each of which costs a bounded amount of work.
 *
 *   page(key)   links(key)   body(key)      one URL, by its 24-byte key
 *   pages(…)    hosts(…)                    a slice, and where the next one begins
 *   host(name)                              one host, with its robots.txt
 *
 * A filter that fits seldom ends a slice early: it may be short, or empty, and still not be the
 * last one.
 */
import { asOf, keepsBody } from '../content/index.ts';
import type { ParserPool } from '../ports/parser-pool.ts';
import { type KeyRange, type StoredHost, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import type { MarkdownOptions } from '../readable/index.ts';
import {
  FLAGS,
  type HostKey,
  type HostRecord,
  hostKeyOf,
  type LinkEdge,
  type UrlKey,
} from '../record/index.ts';
import { hostnameOf } from '../url/index.ts';
import type { HostsQuery, PageAnswer, PagesQuery, TrapNote } from './answers.ts';
import { notesOf } from './ask-notes.ts';
import { firstKeyOf, HOST_BYTES, isWanted } from './ask-pages.ts';
import { type AnswerSources, canonicalOf } from './ask-sources.ts';
import { storedMarkdown } from './markdown.ts';

export interface Lookups {
  /** As the crawl itself would read it; undefined when it is no URL that can be crawled. */
  canonical(url: string): string | undefined;
  page(key: UrlKey): Promise<PageAnswer | undefined>;
  pages(query: PagesQuery, after: UrlKey | undefined, limit: number): Promise<Slice<PageAnswer>>;
  links(key: UrlKey, from: number, limit: number): Promise<readonly LinkEdge[]>;
  headers(key: UrlKey): Promise<Readonly<Record<string, string>>>;
  /** The decoded body as it was stored; undefined when there is none, or none to be shown. */
  body(key: UrlKey): Promise<Uint8Array | undefined>;
  /** Of such a body; undefined when it has no text. */
  markdown(
    body: Uint8Array,
    page: PageAnswer,
    options: MarkdownOptions,
  ): Promise<string | undefined>;
  host(name: string): Promise<HostDetail | undefined>;
  hosts(query: HostsQuery, after: HostKey | undefined, limit: number): Promise<Slice<HostRecord>>;
}

export interface Slice<T> {
  readonly rows: readonly T[];
  /** The key that the next slice begins after; undefined at the end. */
  readonly next: Buffer | undefined;
}

export interface HostDetail extends Pick<StoredHost, 'record' | 'robots'> {
  readonly traps: readonly TrapNote[];
}

const ROWS_PER_LOOK = 256;
/** Rows that one slice may look at. */
const ROWS_PER_SLICE = 10_000;

export function makeLookups(sources: AnswerSources, pool: ParserPool): Lookups {
  const { store, records, blobs } = sources;
  return {
    canonical: (url) => canonicalOf(sources, url),
    page: (key) => pageAt(sources, key),
    pages: (query, after, limit) => pagesAfter(sources, query, after, limit),
    links: async (key, from, limit) =>
      ((await records.trace(key))?.links ?? []).slice(from, from + limit),
    headers: async (key) => (await records.trace(key))?.headers ?? {},
    body: async (key) => {
      const record = await pageAt(sources, key);
      if (record === undefined || record.contentHash.length === 0) return undefined;
      return keepsBody(record) ? blobs.get(record.contentHash) : undefined;
    },
    markdown: (body, page, options) => storedMarkdown(pool, body, page, options),
    host: async (name) => {
      const stored = await store.host(hostKeyOf(name));
      if (stored === undefined || stored.record.host !== name) return undefined;
      return { record: stored.record, robots: stored.robots, traps: notesOf(stored.sketch).traps };
    },
    hosts: (query, after, limit) => hostsAfter(sources, query, after, limit),
  };
}

async function pageAt(
  { store, clock }: AnswerSources,
  key: UrlKey,
): Promise<PageAnswer | undefined> {
  const [stored] = await store.urls([key]);
  if (stored === undefined) return undefined;
  const record = asOf(stored, clock.now());
  if (record.original.length === 0) return record;
  const [original] = await store.urls([Buffer.from(record.original)]);
  const isShown = original !== undefined && (original.flags & FLAGS.erased) === 0;
  return isShown ? { ...record, originalUrl: original.url } : record;
}

async function pagesAfter(
  { records, clock }: AnswerSources,
  query: PagesQuery,
  given: UrlKey | undefined,
  limit: number,
): Promise<Slice<PageAnswer>> {
  const now = clock.now();
  const start = query.host === undefined ? undefined : firstKeyOf(query.host);
  const rows: PageAnswer[] = [];
  let after = given ?? start;
  for (let looked = 0; looked < ROWS_PER_SLICE; ) {
    const found = await records.scan(after, ROWS_PER_LOOK);
    if (found.length === 0) return { rows, next: undefined };
    for (const { key, record: stored } of found) {
      const isBeyond = start !== undefined && key.compare(start, 0, HOST_BYTES, 0, HOST_BYTES) > 0;
      if (isBeyond) return { rows, next: undefined };
      const record = asOf(stored, now);
      if (isWanted(record, query)) rows.push(record);
      after = key;
      if (rows.length === limit) return { rows, next: key };
    }
    looked += found.length;
  }
  return { rows, next: after };
}

/** A cursor may lie in the middle of a byte of the circle: what is before it is passed over. */
async function hostsAfter(
  { store }: AnswerSources,
  { host }: HostsQuery,
  after: HostKey | undefined,
  limit: number,
): Promise<Slice<HostRecord>> {
  const rows: HostRecord[] = [];
  for await (const chunk of store.hosts(rangeOf(host, after))) {
    for (const record of chunk) {
      const key = hostKeyOf(record.host);
      if (after !== undefined && key.compare(after) <= 0) continue;
      if (host !== undefined && !isMeant(record, host)) continue;
      rows.push(record);
      if (rows.length === limit) return { rows, next: key };
    }
  }
  return { rows, next: undefined };
}

function rangeOf(host: string | undefined, after: HostKey | undefined): KeyRange {
  const { from, to } = WHOLE_CIRCLE;
  if (host === undefined) return { from: after?.[0] ?? from, to };
  const place = firstKeyOf(host)[0] as number;
  return { from: place, to: place };
}

function isMeant(record: HostRecord, host: string): boolean {
  return record.host === host || hostnameOf(`http://${record.host}/`) === host;
}

/** The records of a folder one after the other, in key order: host by host. */

import type { Instant } from '../base/instant.ts';
import { asOf } from '../content/directives.ts';
import type { Records } from '../ports/records.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { FLAGS, type Flag, URL_KEY_BYTES, type UrlKey, type UrlRecord } from '../record/index.ts';
import { hostKey, hostnameOf, hostOf } from '../url/index.ts';
import type { PageAnswer, PagesQuery } from './answers.ts';

const ROWS_PER_LOOK = 256;
export const HOST_BYTES = 8;

/** As they are at an instant: some run out by themselves (unavailable_after). */
export async function* scanPages(
  records: Records,
  query: PagesQuery,
  now: Instant,
): AsyncIterable<UrlRecord> {
  let left = query.limit || Number.POSITIVE_INFINITY;
  const start = query.host === undefined ? undefined : firstKeyOf(query.host);
  let after: UrlKey | undefined = start;
  for (;;) {
    const rows = await records.scan(after, ROWS_PER_LOOK);
    for (const { key, record: stored } of rows) {
      if (start !== undefined && key.compare(start, 0, HOST_BYTES, 0, HOST_BYTES) !== 0) return;
      const record = asOf(stored, now);
      if (!isWanted(record, query)) continue;
      if (left-- <= 0) return;
      yield record;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

/** Names the originals of near-duplicates; other pages go through as they are. */
export async function* withOriginals(
  pages: AsyncIterable<UrlRecord>,
  store: ShardStore,
): AsyncIterable<PageAnswer> {
  for await (const page of pages) {
    const key = page.original.length === 0 ? undefined : Buffer.from(page.original);
    const original = key && (await store.urls([key]))[0];
    const isShown = original !== undefined && (original.flags & FLAGS.erased) === 0;
    yield isShown ? { ...page, originalUrl: original.url } : page;
  }
}

/** All keys of a host begin with its place on the circle, whatever the port. */
export function firstKeyOf(host: string): UrlKey {
  const key = Buffer.alloc(URL_KEY_BYTES);
  key.set(hostKey(hostnameOf(`http://${host}/`)), 0);
  return key;
}

export function isWanted({ url, state, flags, region }: UrlRecord, query: PagesQuery): boolean {
  if (query.state !== undefined && state !== query.state) return false;
  const { host, flag } = query;
  if (query.region !== undefined && region !== query.region) return false;
  // What was erased is in no list and no export, unless somebody asks for just that (G2).
  if ((flags & FLAGS.erased) !== 0 && flag !== 'erased') return false;
  if (flag !== undefined && (flags & (FLAGS[flag as Flag] ?? 0)) === 0) return false;
  return host === undefined || hostOf(url) === host || hostnameOf(url) === host;
}

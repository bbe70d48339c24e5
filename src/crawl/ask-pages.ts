/** The records of a folder one after the other, in key order: host by host. */

import type { Records } from '../ports/records.ts';
import { URL_KEY_BYTES, type UrlKey, type UrlRecord } from '../record/index.ts';
import { hostKey, hostnameOf, hostOf } from '../url/index.ts';
import type { PagesQuery } from './answers.ts';

const ROWS_PER_LOOK = 256;
const HOST_BYTES = 8;

export async function* scanPages(records: Records, query: PagesQuery): AsyncIterable<UrlRecord> {
  let left = query.limit || Number.POSITIVE_INFINITY;
  const start = query.host === undefined ? undefined : firstKeyOf(query.host);
  let after: UrlKey | undefined = start;
  for (;;) {
    const rows = await records.scan(after, ROWS_PER_LOOK);
    for (const { key, record } of rows) {
      if (start !== undefined && key.compare(start, 0, HOST_BYTES, 0, HOST_BYTES) !== 0) return;
      if (!isWanted(record, query)) continue;
      if (left-- <= 0) return;
      yield record;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

/** All keys of a host begin with its place on the circle, whatever the port. */
function firstKeyOf(host: string): UrlKey {
  const key = Buffer.alloc(URL_KEY_BYTES);
  key.set(hostKey(hostnameOf(`http://${host}/`)), 0);
  return key;
}

function isWanted({ url, state }: UrlRecord, query: PagesQuery): boolean {
  if (query.state !== undefined && state !== query.state) return false;
  const { host } = query;
  return host === undefined || hostOf(url) === host || hostnameOf(url) === host;
}

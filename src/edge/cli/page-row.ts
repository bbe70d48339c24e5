/**
 * A page as a row: what `orb pages` lists and `orb crawl --json` prints as it goes.
 *
 *   200  indexed    14.2 KB  https://example.com/  Example Domain
 *   -    skipped          -  https://example.com/private/  robots.txt line 2 forbids it: …
 *   200  indexed    14.1 KB  https://example.com/print/  ≈ https://example.com/
 */
import type { PageAnswer } from '../../crawl/answers.ts';
import { flagNames } from '../../record/index.ts';
import { formatUrlHash, urlHash } from '../../url/index.ts';
import { formatBytes } from './format.ts';
import { isoOf, type RowShape } from './rows.ts';

export const PAGE_ROW: RowShape<PageAnswer> = {
  text(record) {
    const status = record.httpStatus === 0 ? '-' : String(record.httpStatus);
    const bytes = record.bodyBytes === 0 ? '-' : formatBytes(record.bodyBytes);
    const near = record.originalUrl && `≈ ${record.originalUrl}`;
    const to = record.redirectTo && `→ ${record.redirectTo}`;
    const about = record.reason || to || near || record.title;
    const head = `${status.padEnd(5)}${record.state.padEnd(9)}${bytes.padStart(9)}`;
    return `${head}  ${record.url}  ${about}`;
  },
  json: pageJson,
  columns: [
    ...['url', 'state', 'status', 'reason', 'contentType', 'bytes', 'title', 'depth'],
    ...['lastFetchedAt', 'nextCrawlAt', 'redirectTo', 'contentHash', 'flags', 'urlHash'],
    ...['original', 'usage', 'unavailableAfter', 'region'],
  ],
  cells: (r) => [
    ...[r.url, r.state, r.httpStatus || undefined, r.reason, r.contentType, r.bodyBytes, r.title],
    ...[r.depth, isoOf(r.lastFetchedAt), isoOf(r.nextCrawlAt), r.redirectTo, hashOf(r.contentHash)],
    ...[flagNames(r.flags).join(' '), formatUrlHash(urlHash(r.url)), r.originalUrl, r.usage],
    ...[isoOf(r.unavailableAfter), r.region],
  ],
};

/** Empty fields are left out. */
function pageJson(record: PageAnswer): object {
  const { url, kind, state, depth, priority, bodyBytes } = record;
  const { firstByteMs, wholeMs } = record;
  const hasAnswer = record.httpStatus > 0;
  return dropEmpty({
    url,
    urlHash: formatUrlHash(urlHash(url)),
    kind,
    state,
    reason: record.reason,
    status: record.httpStatus || undefined,
    contentType: record.contentType,
    bytes: hasAnswer ? bodyBytes : undefined,
    title: record.title,
    depth,
    priority,
    hops: record.hops || undefined,
    parentKey: keyOf(record.parent),
    firstSeenAt: isoOf(record.firstSeenAt),
    lastFetchedAt: isoOf(record.lastFetchedAt),
    lastChangedAt: isoOf(record.lastChangedAt),
    nextCrawlAt: isoOf(record.nextCrawlAt),
    intervalMs: record.intervalMs || undefined,
    visits: record.visits || undefined,
    changes: record.changes || undefined,
    failCount: record.failCount || undefined,
    contentHash: hashOf(record.contentHash),
    region: record.region,
    simhash: record.simhash === 0n ? undefined : record.simhash.toString(16).padStart(16, '0'),
    original: record.originalUrl,
    originalKey: keyOf(record.original),
    usage: record.usage,
    unavailableAfter: isoOf(record.unavailableAfter),
    etag: record.etag,
    lastModified: record.lastModified,
    redirectTo: record.redirectTo,
    address: record.remoteAddress,
    firstByteMs: hasAnswer ? firstByteMs : undefined,
    wholeMs: hasAnswer ? wholeMs : undefined,
    flags: record.flags === 0 ? undefined : flagNames(record.flags),
  });
}

function keyOf(key: Uint8Array): string | undefined {
  return key.length === 0 ? undefined : Buffer.from(key).toString('hex');
}

function hashOf(hash: Uint8Array): string | undefined {
  return hash.length === 0 ? undefined : formatUrlHash(hash);
}

function dropEmpty(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  );
}

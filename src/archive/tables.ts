/**
 * The tables that an export writes, column by column. A row is the object that `--json` prints;
 * a column is one of its keys, so the forms cannot disagree. docs/reference/columns.md is
 * printed from here.
 *
 *   pages   one row a URL          hosts   one row a host          links   one row a link
 */
import type { ColumnKind, ColumnValue } from './parquet-page.ts';

export interface Column {
  readonly name: string;
  /** `names` are several words in one text, with a space between. */
  readonly kind: ColumnKind | 'names';
  /** One sentence; empty in a row means that there is nothing to say. */
  readonly what: string;
}

export const TABLES = {
  pages: columns([
    ['url', 'text', 'Canonical URL.'],
    ['urlHash', 'text', 'SHA-256 of the URL.'],
    ['kind', 'text', 'What it is fetched for: page or sitemap.'],
    ['state', 'text', 'queued, skipped, indexed (fetched), retrying, dead or failed.'],
    ['reason', 'text', 'Why it is in that state, as a sentence.'],
    ['status', 'whole', 'HTTP status of the last answer.'],
    ['contentType', 'text', 'Media type, without parameters.'],
    ['bytes', 'whole', 'Length of the decoded body.'],
    ['title', 'text', 'Title of the page.'],
    ['depth', 'whole', 'Links followed from a seed.'],
    ['priority', 'real', 'Where it stands in the queue, 0 to 1.'],
    ['hops', 'whole', 'Redirects followed to get here.'],
    ['parentKey', 'text', 'Key of the page that named it first; empty for a seed.'],
    ['firstSeenAt', 'time', 'When it was first named.'],
    ['lastFetchedAt', 'time', 'When it was last asked for.'],
    ['lastChangedAt', 'time', 'When its body was last another one than before.'],
    ['nextCrawlAt', 'time', 'When it is asked again.'],
    ['intervalMs', 'whole', 'Pause between two visits, in milliseconds.'],
    ['visits', 'whole', 'Answers with a body, or with 304, so far.'],
    ['changes', 'whole', 'Those of them that brought something new.'],
    ['failCount', 'whole', 'Failures in a row.'],
    ['contentHash', 'text', 'SHA-256 of the decoded body.'],
    ['region', 'text', 'Tag that its body was stored under, from --region.'],
    ['simhash', 'text', 'Fingerprint of its words, 64 bits in hex.'],
    ['original', 'text', 'URL of the page that this one nearly repeats.'],
    ['originalKey', 'text', 'Key of that page.'],
    ['usage', 'text', 'What its site allows it to be used for.'],
    ['unavailableAfter', 'time', 'Not to be shown after this instant.'],
    ['etag', 'text', 'ETag of the last answer.'],
    ['lastModified', 'text', 'Last-Modified of the last answer, as sent.'],
    ['redirectTo', 'text', 'Where it redirects to.'],
    ['address', 'text', 'Address of the server that answered.'],
    ['firstByteMs', 'whole', 'Milliseconds until the head of the answer was there.'],
    ['wholeMs', 'whole', 'Milliseconds until the answer was whole.'],
    ['flags', 'names', 'What is special about it: truncated, near_duplicate, noindex …'],
  ]),
  hosts: columns([
    ['host', 'text', 'Name, with a port that is not the usual one.'],
    ['lastFetchAt', 'time', 'When it was last asked.'],
    ['turnAt', 'time', 'Not before this instant is it asked again.'],
    ['crawlDelayMs', 'real', 'Crawl-delay of its robots.txt, in milliseconds.'],
    ['backoff', 'real', 'How many times its usual pause it is given; 1 is none.'],
    ['latencyMs', 'real', 'How long it takes to answer, in milliseconds.'],
    ['errors', 'whole', 'Server and network errors in a row.'],
    ['errorsSince', 'time', 'Since when they come.'],
    ['downs', 'whole', 'How often in a row it was found to be down.'],
    ['address', 'text', 'Its address.'],
    ['quotaDay', 'whole', 'The day that the next two count, since 1970.'],
    ['fetchedToday', 'whole', 'Requests on that day.'],
    ['newToday', 'whole', 'URLs first named on that day.'],
    ['fetched', 'whole', 'Answers so far.'],
    ['failed', 'whole', 'Failures so far.'],
    ['bytes', 'whole', 'Bytes of all its bodies, decoded.'],
    ['authority', 'real', 'How much others link to it, 0 to 1.'],
    ['quality', 'real', 'How good its pages are, 0 to 1.'],
    ['inDomains', 'whole', 'Other domains that link to it.'],
    ['hostClass', 'text', 'How often its pages change: unknown, news, generic or dormant.'],
    ['changeMs', 'whole', 'How long its pages stay as they are, in milliseconds.'],
    ['watchedMs', 'whole', 'For how long that was watched, in milliseconds.'],
    ['flags', 'names', 'What is special about it: trap, soft_404, content_farm, denied.'],
  ]),
  links: columns([
    ['source', 'text', 'URL of the page with the link.'],
    ['target', 'text', 'URL that it leads to.'],
    ['text', 'text', 'Its words.'],
    ['rel', 'text', 'Its rel attribute.'],
    ['kind', 'text', 'The element that named it: a, area, link, iframe, refresh …'],
  ]),
} as const satisfies Record<string, readonly Column[]>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

function columns(rows: readonly (readonly [string, Column['kind'], string])[]): Column[] {
  return rows.map(([name, kind, what]) => ({ name, kind, what }));
}

/** A value of a row's object as a plain one: names joined, what is empty left out. */
export function cellOf(row: Readonly<Record<string, unknown>>, { name }: Column): ColumnValue {
  const value = row[name];
  if (Array.isArray(value)) return value.join(' ') || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The same for Parquet, where an instant is a number. */
export function parquetValue(row: Readonly<Record<string, unknown>>, column: Column): ColumnValue {
  const value = cellOf(row, column);
  return column.kind === 'time' && typeof value === 'string' ? Date.parse(value) : value;
}

/** A page as the API shows it: empty fields are left out, instants are text, flags have names. */
import Type, { type Static } from 'typebox';
import type { PageAnswer } from '../../crawl/answers.ts';
import { FLAGS, type Flag, flagNames, KINDS, URL_STATES, urlKeyOf } from '../../record/index.ts';

const text = () => Type.Optional(Type.String());
const count = () => Type.Optional(Type.Number());
const instant = () => Type.Optional(Type.String({ format: 'date-time' }));

export const URL_HASH = Type.String({
  pattern: '^[0-9a-f]{48}$',
  description: 'The key of a URL: its host and its hash, 24 bytes in hex',
});

export const REGION = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,31}$',
  description: 'The tag that bodies are stored under',
});

export const PAGE = Type.Object({
  url: Type.String(),
  url_hash: URL_HASH,
  kind: Type.Enum([...KINDS]),
  state: Type.Enum([...URL_STATES]),
  reason: text(),
  http_status: Type.Optional(Type.Integer()),
  content_type: text(),
  body_bytes: count(),
  content_hash: text(),
  region: text(),
  title: text(),
  depth: Type.Integer(),
  priority: Type.Number(),
  parent_hash: text(),
  first_seen_at: instant(),
  last_fetched_at: instant(),
  last_changed_at: instant(),
  next_crawl_at: instant(),
  visits: count(),
  changes: count(),
  fail_count: count(),
  redirect_to: text(),
  original_url: text(),
  simhash: text(),
  etag: text(),
  last_modified: text(),
  usage: text(),
  unavailable_after: instant(),
  remote_address: text(),
  first_byte_ms: count(),
  whole_ms: count(),
  flags: Type.Array(Type.Enum(Object.keys(FLAGS) as Flag[])),
});

export function pageView(page: PageAnswer): Static<typeof PAGE> {
  return pageViewWith(urlKeyOf(page.url).toString('hex'), page);
}

/** Who knows the hash already saves the making of it. */
export function pageViewWith(urlHash: string, page: PageAnswer): Static<typeof PAGE> {
  const hasAnswer = page.httpStatus > 0;
  return leaveOut({
    url: page.url,
    url_hash: urlHash,
    kind: page.kind,
    state: page.state,
    reason: page.reason,
    http_status: page.httpStatus || undefined,
    content_type: page.contentType,
    body_bytes: hasAnswer ? page.bodyBytes : undefined,
    content_hash: hexOf(page.contentHash),
    region: page.region,
    title: page.title,
    depth: page.depth,
    priority: page.priority,
    parent_hash: hexOf(page.parent),
    first_seen_at: isoOf(page.firstSeenAt),
    last_fetched_at: isoOf(page.lastFetchedAt),
    last_changed_at: isoOf(page.lastChangedAt),
    next_crawl_at: isoOf(page.nextCrawlAt),
    visits: page.visits || undefined,
    changes: page.changes || undefined,
    fail_count: page.failCount || undefined,
    redirect_to: page.redirectTo,
    original_url: page.originalUrl,
    simhash: page.simhash === 0n ? undefined : page.simhash.toString(16).padStart(16, '0'),
    etag: page.etag,
    last_modified: page.lastModified,
    usage: page.usage,
    unavailable_after: isoOf(page.unavailableAfter),
    remote_address: page.remoteAddress,
    first_byte_ms: hasAnswer ? page.firstByteMs : undefined,
    whole_ms: hasAnswer ? page.wholeMs : undefined,
    flags: flagNames(page.flags),
  });
}

/** 0 stands for never. */
export function isoOf(at: number): string | undefined {
  return at > 0 && Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}

function hexOf(bytes: Uint8Array): string | undefined {
  return bytes.length === 0 ? undefined : Buffer.from(bytes).toString('hex');
}

/** Without what is undefined or an empty text. */
export function leaveOut<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Partial<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== '') kept[name] = value;
  }
  return kept as T;
}

/**
 * Whether the answer that a record tells of stands in an archive already: an export takes it from
 * there, and makes only the others from what the folder has.
 *
 * An exchange says what was sent, a record what was read. They are of one answer when the bytes
 * are the same; where the body came under an encoding, when the exchange is not older than the
 * last change.
 */
import type { Instant } from '../base/instant.ts';
import { FLAGS, type UrlRecord } from '../record/index.ts';
import { mayArchive } from './capture.ts';

/** What a file says of an exchange. */
export interface ArchivedExchange {
  readonly date: Instant;
  readonly status: number;
  /** `sha256:` and hex; '' where there is none. */
  readonly digest: string;
  /** Only that it took place: the page asks for no more. */
  readonly isWithheld: boolean;
}

/** How long a page may be read before its record is dated; a browser's queue takes longer. */
const READ_MS = 2 * 60_000;
const RENDERED_MS = 15 * 60_000;

export function isOfAnswer(exchange: ArchivedExchange, record: UrlRecord): boolean {
  const { contentHash, lastChangedAt, flags, wholeMs, httpStatus } = record;
  if (exchange.status !== httpStatus) return false;
  if (!mayArchive(record)) return exchange.isWithheld;
  if (exchange.isWithheld) return false;
  if (contentHash.length === 0) return true;
  if (exchange.digest === `sha256:${Buffer.from(contentHash).toString('hex')}`) return true;
  const readMs = (flags & FLAGS.rendered) !== 0 ? RENDERED_MS : READ_MS;
  return exchange.date >= lastChangedAt - wholeMs - readMs;
}

/**
 * A page that was asked again and had not changed, dated as what was sent then: a 304 in the
 * archive names that instant.
 */
export function asLastChanged(record: UrlRecord): UrlRecord {
  const { contentHash, lastChangedAt, lastFetchedAt, wholeMs } = record;
  if (contentHash.length === 0 || lastChangedAt === 0) return record;
  if (lastChangedAt >= lastFetchedAt) return record;
  return { ...record, lastFetchedAt: lastChangedAt + wholeMs };
}

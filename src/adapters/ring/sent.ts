/**
 * A row as other nodes have it. Where a trace lies is known only to the node that fetched it, so
 * that is left out; and what no message holds is not sent: the next owner of such a host asks for
 * its robots.txt again, and does not know a URL of more than ten thousand letters.
 */
import { ByteReader } from '../../base/bytes.ts';
import type { UrlRecord } from '../../record/index.ts';
import { TABLE } from '../embedded/keys.ts';
import { decodeVisited, encodeVisited, readPlace, traceIn } from '../embedded/rows.ts';

/** All that there can be of one URL fits into one entry (../../ports/arc-log.ts). */
const URL_ROW_BYTES_MAX = 11 * 1024;
const HOST_ROW_BYTES_MAX = 22 * 1024;
const OF_HOSTS: ReadonlySet<number> = new Set([TABLE.host, TABLE.robots, TABLE.sketch]);
const NAMED: ReadonlySet<number> = new Set([TABLE.inbox, TABLE.book]);
const PLAIN = 0;

/** Undefined for one that is too long: to others it is not there. */
export function asSent(key: Buffer, value: Buffer): Buffer | undefined {
  const table = key[0] as number;
  if (table === TABLE.visited) return visitedAsSent(value);
  return value.length <= bytesMaxOf(table) ? value : undefined;
}

export function bytesMaxOf(table: number): number {
  return OF_HOSTS.has(table) || NAMED.has(table) ? HOST_ROW_BYTES_MAX : URL_ROW_BYTES_MAX;
}

function visitedAsSent(row: Buffer): Buffer | undefined {
  const plain = untraced(row);
  if (plain.length <= URL_ROW_BYTES_MAX) return plain;
  const lean = encodeVisited(withoutWords(decodeVisited(plain)), undefined);
  return lean.length <= URL_ROW_BYTES_MAX ? lean : undefined;
}

function untraced(row: Buffer): Buffer {
  if (row[0] === PLAIN) return row;
  const reader = new ByteReader(row, 1);
  readPlace(reader);
  const record = reader.rest();
  const plain = Buffer.allocUnsafe(1 + record.length);
  plain[0] = PLAIN;
  plain.set(record, 1);
  return plain;
}

/** What a server may make as long as it likes. */
function withoutWords(record: UrlRecord): UrlRecord {
  const none = { reason: '', contentType: '', etag: '', lastModified: '', title: '' };
  return { ...record, ...none, redirectTo: '' };
}

/**
 * A row that came, with the trace that this node has of the same visit; and the place of one that
 * would be forgotten, as it must be found when it is to be erased.
 */
export function withTraceOf(
  before: Buffer | undefined,
  row: Buffer | undefined,
): { readonly row: Buffer | undefined; readonly left: ReturnType<typeof traceIn> } {
  const place = traceIn(before);
  if (place === undefined || before === undefined) return { row, left: undefined };
  if (row === undefined) return { row, left: place };
  const [was, is] = [decodeVisited(before), decodeVisited(row)];
  const isSameVisit = was.visits === is.visits && was.lastFetchedAt === is.lastFetchedAt;
  return isSameVisit ? { row: encodeVisited(is, place), left: undefined } : { row, left: place };
}

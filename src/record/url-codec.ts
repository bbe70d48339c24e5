/**
 * `UrlRecord` as bytes: a version byte, then the fields in order, small numbers as varints.
 *
 * A job's number follows only where there is one. Version 3 ends with both that number and the
 * region that the body is stored in: rows without a region stay what they were before there were
 * any, and so do the folders that hold them.
 *
 * A row written by a later version than ours is refused, never half understood.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { KINDS, URL_STATES, type UrlRecord } from './url-record.ts';

const VERSION = 2;
const VERSION_WITH_REGION = 3;
const PRIORITY_STEPS = 250;
const SHAPE_STEPS = 1_000;
const writer = new ByteWriter();
const prints = Buffer.alloc(16);

export function encodeUrlRecord(r: UrlRecord): Buffer {
  writeUrlRecord(writer, r);
  return writer.take();
}

/** The same behind what a row begins with. */
export function writeUrlRecord(to: ByteWriter, r: UrlRecord): void {
  prints.writeBigUInt64BE(r.simhash, 0);
  prints.writeBigUInt64BE(r.pairs, 8);
  to.byte(r.region === '' ? VERSION : VERSION_WITH_REGION)
    .byte(URL_STATES.indexOf(r.state))
    .byte(KINDS.indexOf(r.kind))
    .byte(Math.round(r.priority * PRIORITY_STEPS))
    .varint(r.depth)
    .varint(r.hops)
    .varint(r.outside)
    .varint(r.httpStatus)
    .varint(r.flags)
    .varint(r.failCount)
    .varint(Math.round(r.firstSeenAt))
    .varint(Math.round(r.lastFetchedAt))
    .varint(Math.round(r.lastChangedAt))
    .varint(Math.round(r.nextCrawlAt))
    .varint(Math.round(r.intervalMs))
    .varint(r.bodyBytes)
    .varint(Math.round(r.firstByteMs))
    .varint(Math.round(r.wholeMs))
    .raw(prints)
    .bytes(r.original)
    .varint(r.visits)
    .varint(r.changes)
    .varint(Math.round(r.rateShape * SHAPE_STEPS))
    .varint(Math.round(r.rateMs))
    .text(r.usage)
    .varint(Math.round(r.unavailableAfter))
    .bytes(r.parent)
    .bytes(r.contentHash)
    .text(r.url)
    .text(r.reason)
    .text(r.contentType)
    .text(r.etag)
    .text(r.lastModified)
    .text(r.redirectTo)
    .text(r.title)
    .text(r.remoteAddress);
  if (r.region !== '') to.varint(r.job).text(r.region);
  else if (r.job > 0) to.varint(r.job);
}

export function decodeUrlRecord(row: Uint8Array): UrlRecord {
  const r = new ByteReader(row);
  const version = r.byte();
  if (version !== VERSION && version !== VERSION_WITH_REGION) {
    throw new RangeError(`url row of version ${version}, not ${VERSION_WITH_REGION}`);
  }
  return {
    state: URL_STATES[r.byte()] ?? 'failed',
    kind: KINDS[r.byte()] ?? 'page',
    priority: r.byte() / PRIORITY_STEPS,
    depth: r.varint(),
    hops: r.varint(),
    outside: r.varint(),
    httpStatus: r.varint(),
    flags: r.varint(),
    failCount: r.varint(),
    firstSeenAt: r.varint(),
    lastFetchedAt: r.varint(),
    lastChangedAt: r.varint(),
    nextCrawlAt: r.varint(),
    intervalMs: r.varint(),
    bodyBytes: r.varint(),
    firstByteMs: r.varint(),
    wholeMs: r.varint(),
    simhash: r.raw(8).readBigUInt64BE(),
    pairs: r.raw(8).readBigUInt64BE(),
    original: r.bytes(),
    visits: r.varint(),
    changes: r.varint(),
    rateShape: r.varint() / SHAPE_STEPS,
    rateMs: r.varint(),
    usage: r.text(),
    unavailableAfter: r.varint(),
    parent: r.bytes(),
    contentHash: r.bytes(),
    url: r.text(),
    reason: r.text(),
    contentType: r.text(),
    etag: r.text(),
    lastModified: r.text(),
    redirectTo: r.text(),
    title: r.text(),
    remoteAddress: r.text(),
    ...endIn(r.rest(), version === VERSION_WITH_REGION),
  };
}

function endIn(rest: Buffer, hasRegion: boolean): Pick<UrlRecord, 'job' | 'region'> {
  const r = new ByteReader(rest);
  if (hasRegion) return { job: r.varint(), region: r.text() };
  return { job: rest.length === 0 ? 0 : r.varint(), region: '' };
}

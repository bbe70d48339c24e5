/**
 * Archive: a crawl in the forms of other people's tools (B6). Pure writers of bytes; what is
 * read and where it is written to is in ../crawl/export/.
 *
 *   capture.ts       what is left of an answer       already.ts     whether an archive has it
 *     http-head.ts     → its head, as HTTP
 *     warc-capture.ts  → request, response or revisit, metadata
 *   exchange.ts      a request and its answer, as it happens
 *     sent-head.ts     → its head, as it was sent
 *     originals.ts     → which payloads were written, for those that repeat them
 *     outlinks.ts      → what it links to
 *   warc-record.ts   a record → one gzip member      warc-file.ts   names, sizes, warcinfo
 *   warc-read.ts     a record, read                  erased-member.ts   what is left of one
 *   gzip-member.ts   one member, written and read    member-stream.ts   those of a file
 *     quick-deflate.ts → its bytes, while a crawl waits
 *   cdxj.ts, surt.ts a line of the index             zipnum.ts      the index in blocks
 *   zip.ts, wacz.ts  all of it in one file
 *   tables.ts        columns of pages, hosts, links
 *   parquet.ts ← parquet-page.ts, thrift.ts
 */
export { type ArchivedExchange, asLastChanged, isOfAnswer } from './already.ts';
export {
  type Capture,
  type CaptureKind,
  capturedAt,
  hasPayload,
  lastAnswerIn,
} from './capture.ts';
export { cdxjLine, type IndexedRecord, type RecordPlace } from './cdxj.ts';
export { erasedMember } from './erased-member.ts';
export {
  type Exchanged,
  type ExchangeRecords,
  exchangeMember,
  exchangeRecords,
  type Known,
  NO_BODY,
} from './exchange.ts';
export { memberAt, type ReadMember } from './gzip-member.ts';
export type { Fields } from './http-head.ts';
export { type FoundMember, MemberStream } from './member-stream.ts';
export { decodedName, Originals, originalIn, payloadIn } from './originals.ts';
export { type Outlinks, outlinkFields } from './outlinks.ts';
export { ParquetFile } from './parquet.ts';
export type { ColumnKind, ColumnValue } from './parquet-page.ts';
export { surtOf } from './surt.ts';
export {
  type Column,
  cellOf,
  parquetValue,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from './tables.ts';
export {
  datapackage,
  datapackageDigest,
  isOpenable,
  isOpenableType,
  PAGES_HEAD,
  pageLine,
  pageText,
  type WaczFacts,
  type WaczFile,
} from './wacz.ts';
export {
  type Archived,
  aboutPage,
  type CaptureRecords,
  captureRecords,
  withheldFor,
} from './warc-capture.ts';
export { WARC_FILE_BYTES_MAX, type WarcSeries, warcFileName, warcinfo } from './warc-file.ts';
export {
  fieldOf,
  type HttpMessage,
  httpMessageIn,
  type ReadWarcRecord,
  readWarcFields,
  readWarcRecord,
  targetOf,
} from './warc-read.ts';
export { sha256Of, timestamp14, type WarcRecord, warcMember, warcTypeOf } from './warc-record.ts';
export { type ZipEntry, zipDirectory, zipLocalHead } from './zip.ts';
export { ZipNum } from './zipnum.ts';

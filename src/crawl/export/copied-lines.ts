/** Lines for the index and for the list of pages, from records that stand in an archive. */
import {
  cdxjLine,
  fieldOf,
  type HttpMessage,
  isOpenableType,
  pageText,
  type ReadWarcRecord,
  type RecordPlace,
  targetOf,
} from '../../archive/index.ts';
import { mediaTypeOf } from '../../fetch/index.ts';

/** A response or revisit, and the metadata of its exchange. */
export interface ArchivedMain {
  readonly record: ReadWarcRecord;
  readonly http: HttpMessage;
  readonly about: ReadWarcRecord;
  readonly place: RecordPlace;
}

export function indexLine({ record, http, place }: ArchivedMain): string {
  const mime = record.type === 'revisit' ? 'warc/revisit' : typeOf(http) || undefined;
  const digest = fieldOf(record.fields, 'WARC-Payload-Digest') ?? '';
  const { status } = http;
  return cdxjLine({ url: targetOf(record), date: dateOf(record), mime, status, digest, place });
}

/** Undefined for what no person would open. */
export function pageLineOf({ record, http, about }: ArchivedMain): string | undefined {
  const said = new Map(about.block.toString().split('\r\n').map(pairOf));
  if (http.status !== 200 || !isOpenableType(typeOf(http)) || said.has('kind')) return undefined;
  const isSeed = said.get('depth') === '0';
  const size = http.body.length;
  return pageText(targetOf(record), dateOf(record), said.get('title') ?? '', size, isSeed);
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at), line.slice(at + 2)];
}

function typeOf({ fields }: HttpMessage): string {
  return mediaTypeOf(fieldOf(fields, 'content-type'));
}

function dateOf({ fields }: ReadWarcRecord): number {
  return Date.parse(fieldOf(fields, 'WARC-Date') ?? '');
}

/**
 * What records that stand in an archive say: lines for the index and for the list of pages, and
 * which answers they are of.
 */
import {
  type Archived,
  type ArchivedExchange,
  cdxjLine,
  fieldOf,
  type HttpMessage,
  httpMessageIn,
  isOpenableType,
  pageText,
  payloadIn,
  type ReadWarcRecord,
  type RecordPlace,
  targetOf,
} from '../../archive/index.ts';
import { mediaTypeOf } from '../../fetch/index.ts';

const UNMODIFIED = 304;

/** A response or revisit, and the metadata of its exchange. */
export interface ArchivedMain {
  readonly record: ReadWarcRecord;
  readonly http: HttpMessage;
  readonly about: ReadWarcRecord;
  readonly place: RecordPlace;
}

/** Undefined for a 304: readers would show that, an empty page, and not what it stands for. */
export function indexLine({ record, http, place }: ArchivedMain): string | undefined {
  const mime = record.type === 'revisit' ? 'warc/revisit' : typeOf(http) || undefined;
  const digest = fieldOf(record.fields, 'WARC-Payload-Digest') ?? '';
  const { status } = http;
  if (status === UNMODIFIED) return undefined;
  return cdxjLine({ url: targetOf(record), date: dateOf(record), mime, status, digest, place });
}

/** What a browser showed of a page. */
export function pictureLine(record: ReadWarcRecord, place: RecordPlace): string {
  const of = (name: string) => fieldOf(record.fields, name) ?? '';
  const [mime, digest] = [mediaTypeOf(of('Content-Type')), of('WARC-Payload-Digest')];
  const [url, date] = [targetOf(record), dateOf(record)];
  return cdxjLine({ url, date, mime, status: undefined, digest, place });
}

/** Undefined for what no person would open. */
export function pageLineOf({ record, http, about }: ArchivedMain): string | undefined {
  const said = saidIn(about);
  if (http.status !== 200 || !isOpenableType(typeOf(http)) || said.has('kind')) return undefined;
  const isSeed = said.get('depth') === '0';
  const size = http.body.length;
  return pageText(targetOf(record), dateOf(record), said.get('title') ?? '', size, isSeed);
}

export function exchangeOf(record: ReadWarcRecord): ArchivedExchange {
  const digest = fieldOf(record.fields, 'WARC-Payload-Digest') ?? '';
  const status = httpMessageIn(record)?.status ?? 0;
  return { date: dateOf(record), status, digest, isWithheld: false };
}

/** An exchange of which there is no more than metadata. */
export function withheldIn(about: ReadWarcRecord): ArchivedExchange {
  const status = Number(saidIn(about).get('status') ?? 0);
  return { date: dateOf(about), status, digest: '', isWithheld: true };
}

/** A response that later ones may repeat. */
export function originalOf(
  record: ReadWarcRecord,
): { readonly payload: Uint8Array; readonly archived: Archived } | undefined {
  const payload = payloadIn(record.fields);
  if (payload === undefined) return undefined;
  const id = fieldOf(record.fields, 'WARC-Record-ID') ?? '';
  return { payload, archived: { uri: targetOf(record), date: dateOf(record), id } };
}

function saidIn(about: ReadWarcRecord): Map<string, string> {
  return new Map(about.block.toString().split('\r\n').map(pairOf));
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

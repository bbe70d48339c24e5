/**
 * The walk of an archive: capture after capture, its body fetched if it is needed, its records
 * written, its line for the index told.
 *
 * A body that is damaged costs its page, which is then only mentioned; the count is told.
 */
import {
  type Capture,
  type CaptureKind,
  captureRecords,
  cdxjLine,
  hasPayload,
  lastAnswerIn,
  Originals,
  type RecordPlace,
  sha256Of,
  type WarcRecord,
} from '../../archive/index.ts';
import { CrawlError } from '../../base/errors.ts';
import type { UrlRecord } from '../../record/index.ts';
import type { Answers } from '../answers.ts';
import type { WarcWriter } from './warc-series.ts';

/** How many URLs became what, and how many bodies could not be read. */
export interface ExportTold extends Record<CaptureKind, number> {
  readonly damaged: number;
}

export interface WalkNotes {
  /** A line of the index. */
  indexed?(line: string): Promise<void>;
  /** A page whose response is in the archive. */
  archived?(record: UrlRecord): Promise<void>;
  /** What stands in the archive already, to be named by what repeats it. */
  readonly originals?: Originals;
}

export async function walkCaptures(
  captures: AsyncIterable<Capture>,
  bodyOf: Answers['body'],
  writer: WarcWriter,
  notes: WalkNotes,
  signal: AbortSignal,
): Promise<ExportTold> {
  const told = { whole: 0, repeated: 0, head: 0, absent: 0, nothing: 0, damaged: 0 };
  const { originals = new Originals() } = notes;
  for await (const found of captures) {
    signal.throwIfAborted();
    const capture = { ...found, record: lastAnswerIn(found.record) };
    const { record } = capture;
    const repeats = originals.find(record.contentHash);
    const body = repeats === undefined ? await readBody(capture, bodyOf) : undefined;
    if (body === 'damaged') told.damaged++;
    const picture = capture.hasPicture ? await readPicture(record.url, bodyOf) : undefined;
    const whole = body === 'damaged' ? undefined : body;
    const made = captureRecords(capture, whole, repeats, picture);
    told[made.kind]++;
    if (made.records.length === 0) continue;
    const places = await writer.write(made.records);
    if (made.main === undefined) continue;
    if (made.kind === 'whole') originals.add(record.contentHash, archivedAs(made.main, record));
    const placeOf = (one: WarcRecord) => places[made.records.indexOf(one)] as RecordPlace;
    await notes.indexed?.(lineOf(record, made.main, placeOf(made.main)));
    if (made.shown) await notes.indexed?.(pictureLine(made.shown, placeOf(made.shown)));
    if (made.kind !== 'head') await notes.archived?.(record);
  }
  await writer.end();
  return told;
}

async function readBody(
  capture: Capture,
  bodyOf: Answers['body'],
): Promise<Uint8Array | 'damaged' | undefined> {
  if (!hasPayload(capture)) return undefined;
  const { url, contentHash } = capture.record;
  try {
    const body = await bodyOf(url, 'sent');
    // A page may change between two questions while its crawl runs.
    const isIts = body && sha256Of(body) === `sha256:${Buffer.from(contentHash).toString('hex')}`;
    return isIts ? body : undefined;
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'E_STORE_DAMAGED') return 'damaged';
    throw error;
  }
}

/** A page without its picture is still the page. */
async function readPicture(url: string, bodyOf: Answers['body']): Promise<Uint8Array | undefined> {
  return bodyOf(url, 'screenshot').catch((error) => {
    if (error instanceof CrawlError && error.code === 'E_STORE_DAMAGED') return undefined;
    throw error;
  });
}

function pictureLine({ uri = '', date, contentType, fields }: WarcRecord, place: RecordPlace) {
  const digest = fields['WARC-Payload-Digest'] ?? '';
  return cdxjLine({ url: uri, date, mime: contentType, status: undefined, digest, place });
}

function archivedAs({ date, id }: WarcRecord, { url }: UrlRecord) {
  return { uri: url, date, id };
}

function lineOf(record: UrlRecord, main: WarcRecord, place: RecordPlace): string {
  const { url, httpStatus: status, contentType } = record;
  const mime = main.type === 'revisit' ? 'warc/revisit' : contentType || undefined;
  const digest = main.fields['WARC-Payload-Digest'] ?? '';
  return cdxjLine({ url, date: main.date, mime, status, digest, place });
}

/**
 * Events in a folder: a JSON object a line, in files that tail, grep and jq can read (E1).
 *
 *   events-000001.jsonl  events-000002.jsonl ← publish(), one write a batch
 *
 * A cursor is `file:offset`, the place behind the event. read() ends where the log ends now;
 * whoever follows asks again with the last cursor. The reader is tolerant: a line that is no
 * event of this version is passed over and counted in `passedOver`.
 */
import { CrawlError } from '../../base/errors.ts';
import type { FetchEvent } from '../../events/index.ts';
import type { EventCursor, Less, LoggedEvent, ScrubbableLog } from '../../ports/event-log.ts';
import type { EventSearch, SearchedLog } from '../../ports/event-search.ts';
import type { GrowingFile } from './disk.ts';
import { searchLines, spotBefore } from './event-search.ts';
import { type Line, lastLineEnd, readLines } from './lines.ts';
import { type Patch, Segments, type Spot } from './segments.ts';

export interface FolderEventOptions {
  readonly folder: string;
  readonly segmentBytesMax?: number;
  readonly openToWrite?: (path: string) => Promise<GrowingFile>;
}

export const EVENT_SEGMENT_BYTES_MAX = 256 * 1024 * 1024;

const PATCHES_MAX = 1_000;

export async function openFolderEvents(options: FolderEventOptions): Promise<FolderEventLog> {
  const { folder, segmentBytesMax = EVENT_SEGMENT_BYTES_MAX, openToWrite } = options;
  const segments = await Segments.open({
    folder,
    prefix: 'events-',
    suffix: '.jsonl',
    bytesMax: segmentBytesMax,
    ...(openToWrite && { openToWrite }),
  });
  await segments.cutTo(await lastLineEnd(segments));
  return new FolderEventLog(segments);
}

export class FolderEventLog implements ScrubbableLog, EventSearch {
  readonly #segments: Segments;
  /** Lines that read() could not take for an event. */
  passedOver = 0;

  constructor(segments: Segments) {
    this.#segments = segments;
  }

  async publish(events: readonly FetchEvent[]): Promise<void> {
    if (events.length === 0) return;
    let text = '';
    for (const event of events) text += `${JSON.stringify(event)}\n`;
    const bytes = Buffer.from(text);
    await this.#segments.append(bytes.length, () => [bytes]);
  }

  async *read(after?: EventCursor): AsyncIterable<LoggedEvent> {
    const from = after === undefined ? undefined : spotOf(after);
    for await (const line of readLines(this.#segments, from)) {
      const event = eventOf(line);
      if (event === undefined) this.passedOver++;
      else yield { cursor: `${line.file}:${line.end}`, event };
    }
  }

  async search(
    mention: string,
    bytesMax: number,
    take: (event: FetchEvent) => void,
  ): Promise<SearchedLog> {
    const from = spotBefore(this.#segments, bytesMax);
    let since: number | undefined;
    await searchLines(this.#segments, from, mention, (text, isFirst) => {
      const event = eventOf({ text });
      if (isFirst) since = event?.startedAt;
      else if (event !== undefined) take(event);
    });
    return { since, isWhole: from.isStart };
  }

  /** In place, with spaces up to the length of what was there: cursors are places. */
  async scrub(fits: (event: FetchEvent) => boolean, less: Less, mention = ''): Promise<number> {
    let count = 0;
    let patches: Patch[] = [];
    let file = 1;
    const flush = async () => {
      if (patches.length > 0) await this.#segments.overwrite(file, patches);
      patches = [];
    };
    for await (const line of readLines(this.#segments)) {
      const event = line.text.includes(mention) ? eventOf(line) : undefined;
      if (event === undefined || !fits(event)) continue;
      if (line.file !== file || patches.length === PATCHES_MAX) await flush();
      file = line.file;
      const bytes = Buffer.byteLength(line.text);
      patches.push({ at: line.end - 1 - bytes, bytes: fitted(less(event), bytes) });
      count++;
    }
    await flush();
    return count;
  }

  /** Makes what was published so far survive a power cut. */
  async sync(): Promise<void> {
    await this.#segments.sync();
  }

  close(): Promise<void> {
    return this.#segments.close();
  }
}

/** An event that has no room is left out whole: a reader passes over an empty line. */
function fitted(event: FetchEvent, bytes: number): Buffer {
  const text = JSON.stringify(event);
  const room = Buffer.alloc(bytes, ' ');
  if (Buffer.byteLength(text) <= bytes) room.write(text);
  return room;
}

function eventOf({ text }: Pick<Line, 'text'>): FetchEvent | undefined {
  try {
    const event = JSON.parse(text) as FetchEvent | null;
    return event?.v === 1 ? event : undefined;
  } catch {
    return undefined;
  }
}

function spotOf(cursor: EventCursor): Spot {
  const match = /^(\d{1,9}):(\d{1,15})$/.exec(cursor);
  if (match !== null) return { file: Number(match[1]), at: Number(match[2]) };
  throw new CrawlError(
    'E_USAGE',
    `'${cursor}' is not a place in the event log`,
    'give a cursor that this log gave with an event, such as 1:4096, or none to start at the first',
  );
}

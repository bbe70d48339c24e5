/**
 * Lines of text across the files of a row.
 *
 * Bytes are cut at newlines before they are decoded, so a character is never cut in two. A
 * place inside a line, from a log that was edited by hand, moves to the start of the next.
 */
import type { Segments, Spot } from './segments.ts';

export interface Line {
  readonly file: number;
  /** Behind the newline. */
  readonly end: number;
  readonly text: string;
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/** Every whole line from a place to the end of the newest file as it then is. */
export async function* readLines(segments: Segments, from?: Spot): AsyncIterable<Line> {
  for (let file = from?.file ?? 1; file <= segments.end.file; file++) {
    const at = file === from?.file ? await lineStart(segments, from) : 0;
    yield* linesOf(segments, file, at);
  }
}

async function* linesOf(segments: Segments, file: number, from: number): AsyncIterable<Line> {
  let begun: Buffer[] = [];
  for (let at = from; at < segments.sizeOf(file); ) {
    const size = Math.min(CHUNK_BYTES, segments.sizeOf(file) - at);
    begun.push(await segments.read({ file, at }, size));
    at += size;
    if (!begun.at(-1)?.includes(NEWLINE)) continue;
    const bytes = Buffer.concat(begun);
    const rest = yield* wholeLines(bytes, file, at - bytes.length);
    begun = rest.length > 0 ? [rest] : [];
  }
}

function* wholeLines(bytes: Buffer, file: number, base: number): Generator<Line, Buffer> {
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    yield { file, end: base + end + 1, text: bytes.toString('utf8', start, end) };
    start = end + 1;
  }
  return bytes.subarray(start);
}

/** The first line start at or behind a place. */
async function lineStart(segments: Segments, { file, at }: Spot): Promise<number> {
  const size = segments.sizeOf(file);
  if (at === 0 || at >= size) return Math.min(at, size);
  for (let place = at - 1; place < size; place += CHUNK_BYTES) {
    const bytes = await segments.read({ file, at: place }, Math.min(CHUNK_BYTES, size - place));
    const newline = bytes.indexOf(NEWLINE);
    if (newline >= 0) return place + newline + 1;
  }
  return size;
}

/** Where the last whole line of the newest file ends. */
export async function lastLineEnd(segments: Segments): Promise<number> {
  const { file, at } = segments.end;
  for (let end = at; end > 0; end -= CHUNK_BYTES) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const newline = (await segments.read({ file, at: from }, end - from)).lastIndexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
  }
  return 0;
}

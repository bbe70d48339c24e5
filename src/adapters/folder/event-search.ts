/**
 * Looks through the last bytes of a row of line files for a text.
 *
 * Bytes are searched as they are, a gigabyte in a second or so, and only a line that has the
 * text in it is cut out and decoded. Lines that lie across two reads are put together.
 */
import type { Segments, Spot } from './segments.ts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;

/** The place that is `bytes` before the end, or the beginning of the oldest file. */
export function spotBefore(segments: Segments, bytes: number): Spot & { isStart: boolean } {
  let left = bytes;
  for (const file of [...segments.files].reverse()) {
    const size = segments.sizeOf(file);
    if (size > left) return { file, at: size - left, isStart: false };
    left -= size;
  }
  return { file: segments.files[0] ?? 1, at: 0, isStart: true };
}

/** Each line from a place on that has the text in it; the first line is told whatever it says. */
export async function searchLines(
  segments: Segments,
  from: Spot,
  mention: string,
  tell: (line: string, isFirst: boolean) => void,
): Promise<void> {
  const wanted = Buffer.from(mention);
  let isFirst = true;
  let isCut = from.at > 0;
  for (const file of segments.files.filter((one) => one >= from.file)) {
    const size = segments.sizeOf(file);
    let rest: Buffer = Buffer.alloc(0);
    for (let at = file === from.file ? from.at : 0; at < size; at += CHUNK_BYTES) {
      const read = await segments.read({ file, at }, Math.min(CHUNK_BYTES, size - at));
      const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      rest = bytes.subarray(end);
      if (end === 0) continue;
      const lines = bytes.subarray(isCut ? bytes.indexOf(NEWLINE) + 1 : 0, end);
      isCut = false;
      if (isFirst && lines.length > 0) {
        tell(lines.toString('utf8', 0, lines.indexOf(NEWLINE)), true);
        isFirst = false;
      }
      eachLine(lines, wanted, (line) => tell(line, false));
    }
  }
}

function eachLine(lines: Buffer, wanted: Buffer, tell: (line: string) => void): void {
  for (let hit = lines.indexOf(wanted); hit >= 0; ) {
    const start = lines.lastIndexOf(NEWLINE, hit) + 1;
    const end = lines.indexOf(NEWLINE, hit);
    tell(lines.toString('utf8', start, end));
    hit = lines.indexOf(wanted, end);
  }
}

/**
 * Messages with bytes in them: frames, one behind the other, each a JSON head and what belongs to
 * it as it is. A page as base64 inside JSON would be a third longer, and every byte of it looked
 * at four times on its way.
 *
 *   frame   4 bytes: length of the head │ 4 bytes: length of the body │ head, JSON │ body
 *
 * Lengths are big-endian. Whoever reads is given views into the message: nothing is copied.
 */
export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

export interface FrameParts {
  readonly head: object;
  /** The body, in pieces. */
  readonly parts: readonly Uint8Array[];
}

export const FRAMES_MEDIA = 'application/octet-stream';
const LENGTHS_BYTES = 8;

export function writeFrames(frames: readonly FrameParts[]): Buffer<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  for (const { head, parts } of frames) {
    const text = Buffer.from(JSON.stringify(head));
    const lengths = Buffer.allocUnsafe(LENGTHS_BYTES);
    lengths.writeUInt32BE(text.length, 0);
    lengths.writeUInt32BE(bytesIn(parts), 4);
    chunks.push(lengths, text, ...parts);
  }
  return Buffer.concat(chunks);
}

export function bytesIn(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** A text says why it is no message of frames. */
export function readFrames(message: Uint8Array, framesMax: number): readonly Frame[] | string {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (frames.length === framesMax) return `has more than ${framesMax} frames`;
    const bodyAt = at + LENGTHS_BYTES;
    if (bodyAt > bytes.length) return 'ends within the lengths of a frame';
    const headEnd = bodyAt + bytes.readUInt32BE(at);
    const end = headEnd + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) return 'ends within a frame';
    const head = jsonIn(bytes.toString('utf8', bodyAt, headEnd));
    if (head === undefined) return `has a head that is not JSON, in frame ${frames.length}`;
    frames.push({ head, body: bytes.subarray(headEnd, end) });
    at = end;
  }
  return frames;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes on their way to another thread. */

/**
 * Memory that a view owns alone can change threads; a slice of a larger one must be copied.
 * No bytes at all are often the same ones for everybody: those stay, or the next would have none.
 */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength === 0) return new Uint8Array(0);
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole && bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);
}

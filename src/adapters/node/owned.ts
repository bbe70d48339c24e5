/** Bytes on their way to another thread. */

/** Memory that a view owns alone can change threads; a slice of a larger one must be copied. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole && bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);
}

/**
 * The first bytes of a compressed body that cannot be decoded in one call: a bomb, a cut
 * stream, damage in the middle.
 *
 * zlib's synchronous functions throw away what they had decoded when a limit or an error is
 * met. The engine object under them writes into a buffer of ours and says how far it came, so
 * we feed it in pieces and keep the count after each. That engine (`_handle.writeSync`,
 * `_writeState`) is not documented, though stable since Node 9 and used by other libraries for
 * the same reason; where it is missing, the answer is an empty prefix.
 */

export interface Prefix {
  readonly bytes: Uint8Array;
  /** More would have come out than the limit allows. */
  readonly isFull: boolean;
}

interface Engine {
  readonly _handle?: {
    writeSync(
      flush: number,
      input: Uint8Array,
      inputAt: number,
      inputLength: number,
      output: Uint8Array,
      outputAt: number,
      outputLength: number,
    ): void;
  } | null;
  /** Room left in the output, input left to read. */
  readonly _writeState?: Uint32Array;
  /** Becomes true at once when the data is bad; the 'error' event follows later. */
  readonly destroyed: boolean;
  on(event: 'error', listener: () => void): void;
  close(): void;
}

const PIECE_BYTES = 1024;
const OUTPUT_BYTES_MIN = 64 * 1024;

export function decodePrefix(
  openEngine: () => object,
  input: Uint8Array,
  flush: number,
  limit: number,
): Prefix {
  const coarse = new Output(limit);
  const brokenAt = feedAll(openEngine() as Engine, input, flush, coarse, Number.POSITIVE_INFINITY);
  if (brokenAt === -1) return coarse.prefix();
  const fine = new Output(limit);
  feedAll(openEngine() as Engine, input, flush, fine, brokenAt);
  return fine.prefix();
}

/**
 * Feeds the input in pieces, byte by byte from `bytewiseFrom`; answers where the piece started
 * that broke the engine, or -1. A broken piece loses its output, hence the second round.
 */
function feedAll(
  engine: Engine,
  input: Uint8Array,
  flush: number,
  output: Output,
  bytewiseFrom: number,
): number {
  engine.on('error', () => {});
  let at = 0;
  while (at < input.length && !output.isOverflowing && !engine.destroyed) {
    const size = at >= bytewiseFrom ? 1 : PIECE_BYTES;
    feed(engine, input.subarray(at, at + size), flush, output);
    if (engine.destroyed) return at;
    at += size;
  }
  engine.close();
  return -1;
}

/** Gives one piece to the engine until it has read it all and has nothing more to write. */
function feed(engine: Engine, piece: Uint8Array, flush: number, output: Output): void {
  const state = engine._writeState;
  if (!engine._handle || state === undefined) return;
  for (let at = 0; ; ) {
    const room = output.makeRoom();
    engine._handle.writeSync(
      flush,
      piece,
      at,
      piece.length - at,
      output.bytes,
      output.length,
      room,
    );
    if (engine.destroyed) return;
    const roomLeft = state[0] as number;
    const inputLeft = state[1] as number;
    output.length += room - roomLeft;
    at = piece.length - inputLeft;
    if (roomLeft > 0 || output.isOverflowing) return;
  }
}

/** Grows up to one byte past the limit: that byte is how an overflow is known. */
class Output {
  bytes: Uint8Array;
  length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.bytes = Buffer.allocUnsafe(Math.min(limit + 1, OUTPUT_BYTES_MIN));
  }

  get isOverflowing(): boolean {
    return this.length > this.#limit;
  }

  makeRoom(): number {
    if (this.length === this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#limit + 1, this.bytes.length * 2));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    return this.bytes.length - this.length;
  }

  prefix(): Prefix {
    const length = Math.min(this.length, this.#limit);
    return { bytes: this.bytes.subarray(0, length), isFull: this.isOverflowing };
  }
}

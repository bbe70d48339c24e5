/**
 * Collects a body out of pieces that are only lent to us: each is copied once.
 *
 * A body of announced length goes into one buffer of just that length. One of unknown length
 * is gathered in a spare buffer that the next such body uses again, and copied out when it is
 * whole: what leaves here is as long as the body, so that short pages in memory cost little.
 */
const EMPTY = Buffer.alloc(0);
const SPARE_BYTES = 64 * 1024;
const SPARES_MAX = 32;
/** An announced length is believed up to here; beyond, memory grows with what really arrives. */
const TRUSTED_BYTES = 1024 * 1024;

/** Shared by all bodies of the process: each is in use by one at most. */
const spares: Buffer[] = [];

export class BodyCollector {
  length = 0;
  #bytes: Buffer = EMPTY;
  #isSpare = false;

  /** `announced` is the length to expect, or less than 1 when it is not known. */
  add(piece: Uint8Array, from: number, to: number, announced: number): void {
    const wanted = this.length + to - from;
    if (wanted > this.#bytes.length) this.#makeRoom(wanted, announced);
    const isWhole = from === 0 && to === piece.length;
    this.#bytes.set(isWhole ? piece : piece.subarray(from, to), this.length);
    this.length = wanted;
  }

  take(): Uint8Array {
    const { length } = this;
    const full = this.#bytes;
    const body = this.#isSpare ? copyOf(full, length) : within(full, length);
    this.#giveBack();
    this.#bytes = EMPTY;
    return body;
  }

  #makeRoom(wanted: number, announced: number): void {
    const before = this.#bytes;
    if (this.length > 0) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(wanted, before.length * 2));
      this.#bytes.set(within(before, this.length));
      this.#giveBack(before);
    } else if (announced > 0) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(wanted, Math.min(announced, TRUSTED_BYTES)));
    } else if (wanted > SPARE_BYTES) {
      this.#bytes = Buffer.allocUnsafeSlow(wanted);
    } else {
      this.#bytes = spares.pop() ?? Buffer.allocUnsafeSlow(SPARE_BYTES);
      this.#isSpare = true;
    }
  }

  #giveBack(bytes = this.#bytes): void {
    if (this.#isSpare && spares.length < SPARES_MAX) spares.push(bytes);
    this.#isSpare = false;
  }
}

function within(bytes: Buffer, length: number): Buffer {
  return bytes.length === length ? bytes : bytes.subarray(0, length);
}

function copyOf(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(bytes.subarray(0, length));
  return copy;
}

/**
 * How far a long simulation is, on stderr: one line that is written over where somebody watches,
 * else another now and then.
 */
const EVERY_MS = 30_000;

export class Progress {
  readonly #what: string;
  readonly #of: number;
  readonly #since = performance.now();
  #saidAt = performance.now();
  #done = 0;
  #wrong = 0;

  constructor(what: string, of: number) {
    this.#what = what;
    this.#of = of;
  }

  /** One more is done; `wrong` says what was wrong with it, if anything. */
  step(wrong?: string): void {
    this.#done++;
    if (wrong !== undefined) {
      this.#wrong++;
      process.stderr.write(`${process.stderr.isTTY ? CLEAR : ''}${wrong}\n`);
    }
    const now = performance.now();
    if (process.stderr.isTTY) process.stderr.write(`${CLEAR}${this.#line(now)}`);
    else if (now - this.#saidAt >= EVERY_MS) {
      this.#saidAt = now;
      process.stderr.write(`${this.#line(now)}\n`);
    }
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR);
  }

  #line(now: number): string {
    const eachMs = (now - this.#since) / this.#done;
    const leftMin = Math.ceil((eachMs * (this.#of - this.#done)) / 60_000);
    const each = `${(eachMs / 1_000).toFixed(1)} s each, ${leftMin} min left`;
    return `${this.#what}: ${this.#done} of ${this.#of}, ${this.#wrong} wrong, ${each}`;
  }
}

const CLEAR = '\r\x1b[K';

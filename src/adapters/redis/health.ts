/**
 * Does the server do what it is asked? Said once when it fails and once when it is back; after a
 * failure nobody asks for a moment, so that a server that hangs does not hold up every batch.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { wordsOf } from './connection.ts';

const REST_MS = 500;

export interface HealthWords {
  /** E.g. 'the seen filter in Redis'. */
  readonly what: string;
  /** What is done without it. */
  readonly meanwhile: string;
}

export class Health {
  readonly #clock: Clock;
  readonly #words: HealthWords;
  readonly #notice: (text: string) => void;
  #restsUntil: Instant = 0;
  #isFailing = false;

  constructor(clock: Clock, words: HealthWords, notice: (text: string) => void = () => undefined) {
    this.#clock = clock;
    this.#words = words;
    this.#notice = notice;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** The work's answer; undefined when it fails, or is not even tried for now. */
  async tried<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#clock.now() < this.#restsUntil) return undefined;
    try {
      const done = await work();
      this.#works();
      return done;
    } catch (error) {
      this.fails(error);
      return undefined;
    }
  }

  fails(error: unknown): void {
    this.#restsUntil = this.#clock.now() + REST_MS;
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { what, meanwhile } = this.#words;
    this.#notice(`${what} fails (${wordsOf(error)}): ${meanwhile}`);
  }

  #works(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#notice(`${this.#words.what} answers again`);
  }
}

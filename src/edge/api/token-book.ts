/**
 * The tokens that are in force: read at the start, and looked at again every second, so that a
 * token that is taken back is out at once, without a restart (A3).
 *
 * A file that cannot be understood, or that others can read by now, changes nothing and is said
 * once; a file that is gone takes all tokens with it.
 */
import { SECOND_MS } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { parseTokens, type TokenEntry } from './tokens.ts';

export interface TokenBookParts {
  readonly path: string;
  readonly read: () => Promise<string | undefined>;
  readonly clock: Clock;
  /** Why the file was not taken. */
  readonly onProblem: (error: unknown) => void;
}

const LOOK_MS = SECOND_MS;

export class TokenBook {
  /** The list stays the same one, and follows the file. */
  readonly entries: TokenEntry[] = [];
  readonly #parts: TokenBookParts;
  readonly #stopped = new AbortController();
  #text: string | undefined;
  #problem = '';

  private constructor(parts: TokenBookParts) {
    this.#parts = parts;
  }

  /** Rejects when the file is none of tokens, or others can read it. */
  static async open(parts: TokenBookParts): Promise<TokenBook> {
    const book = new TokenBook(parts);
    book.#take(await parts.read());
    return book;
  }

  /** Until close(). */
  async follow(): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      await clock.sleepUntil(clock.now() + LOOK_MS, this.#stopped.signal);
      if (this.#stopped.signal.aborted) return;
      await this.look();
    }
  }

  async look(): Promise<void> {
    try {
      const text = await this.#parts.read();
      if (text !== this.#text) this.#take(text);
      this.#problem = '';
    } catch (error) {
      const problem = (error as Error).message;
      if (problem !== this.#problem) this.#parts.onProblem(error);
      this.#problem = problem;
    }
  }

  close(): void {
    this.#stopped.abort();
  }

  #take(text: string | undefined): void {
    this.entries.splice(0, this.entries.length, ...parseTokens(text, this.#parts.path));
    this.#text = text;
  }
}

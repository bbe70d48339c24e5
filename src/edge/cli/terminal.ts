/**
 * A block of lines at the foot of a terminal that is drawn over itself.
 *
 * Promises:
 *   1. Where the stream is no terminal, nothing is written but what `print` is given.
 *   2. Drawn at most five times a second by the caller's clock; no timer of its own.
 *   3. `print` puts a line above the block; `clear` and `close` leave no trace of it.
 *   4. After a resize the block is drawn anew; lines that the terminal has wrapped are cleared.
 *
 * The cursor stays visible, so that a process that is killed leaves a usable terminal.
 */
import type { Instant } from '../../base/instant.ts';
import { fitText, textWidth } from './format-width.ts';

/** What is used of a `tty.WriteStream`. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface TerminalOptions {
  /** False under `NO_COLOR` and `--no-color`. */
  readonly color?: boolean;
  /** False under `--quiet` and `--progress never`: as if the stream were no terminal. */
  readonly live?: boolean;
  /** The value of `TERM`; a dumb terminal cannot move its cursor. */
  readonly term?: string | undefined;
}

export interface Terminal {
  readonly isLive: boolean;
  readonly color: boolean;
  /** Columns that a line may take. */
  readonly width: number;
  draw(lines: readonly string[], now: Instant): void;
  print(line: string): void;
  clear(): void;
  close(): void;
}

export const DRAW_GAP_MS = 200;
const COLUMNS_UNKNOWN = 80;
const ROWS_UNKNOWN = 24;

export function openTerminal(stream: TerminalStream, options: TerminalOptions = {}): Terminal {
  return new StreamTerminal(stream, options);
}

class StreamTerminal implements Terminal {
  readonly isLive: boolean;
  readonly color: boolean;
  readonly #stream: TerminalStream;
  #lines: readonly string[] = [];
  #drawnAt: Instant = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #onResize = (): void => this.#redraw(this.#lines);

  constructor(stream: TerminalStream, { color = true, live = true, term }: TerminalOptions) {
    const isTerminal = stream.isTTY === true && term !== 'dumb';
    this.#stream = stream;
    this.isLive = isTerminal && live;
    this.color = isTerminal && color;
    if (this.isLive) stream.on?.('resize', this.#onResize);
  }

  get width(): number {
    return Math.max(1, (this.#stream.columns || COLUMNS_UNKNOWN) - 1);
  }

  draw(lines: readonly string[], now: Instant): void {
    if (!this.isLive || this.#isClosed || now - this.#drawnAt < DRAW_GAP_MS) return;
    this.#drawnAt = now;
    this.#redraw(lines);
  }

  print(line: string): void {
    const block = this.#lines;
    this.#stream.write(`${this.#erasure()}${line}\n${this.#write(block)}`);
  }

  clear(): void {
    if (this.#lines.length === 0) return;
    this.#stream.write(this.#erasure());
    this.#lines = [];
  }

  close(): void {
    this.clear();
    this.#isClosed = true;
    this.#stream.off?.('resize', this.#onResize);
  }

  #redraw(lines: readonly string[]): void {
    if (lines.length === 0 && this.#lines.length === 0) return;
    this.#stream.write(this.#erasure() + this.#write(lines));
  }

  /** One write moves up over the old block and blanks it, so that nothing flickers. */
  #erasure(): string {
    if (this.#lines.length === 0) return '';
    const columns = this.width + 1;
    let rows = 0;
    for (const line of this.#lines) rows += Math.max(1, Math.ceil(textWidth(line) / columns));
    return `\x1b[${Math.min(rows, this.#rows)}A\r\x1b[J`;
  }

  /** A block taller than the terminal could not be drawn over; its end is left out. */
  #write(lines: readonly string[]): string {
    this.#lines = lines.slice(0, this.#rows).map((line) => fitText(line, this.width));
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  get #rows(): number {
    return Math.max(1, (this.#stream.rows || ROWS_UNKNOWN) - 1);
  }
}

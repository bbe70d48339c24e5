/**
 * What is said on stderr: sentences for people on a terminal, JSON lines for programs (L4).
 *
 *   pretty   Stopping: 3 requests under way are finished first.
 *   json     {"time":"2026-01-01T00:00:00.000Z","level":"info","event":"stopping","message":…}
 *
 * Crawled text may be in messages and fields; neither form lets it act (Y3).
 */
import type { Clock } from '../../ports/clock.ts';
import { jsonLine, safeText } from './format.ts';
import type { Terminal } from './terminal.ts';

export type Level = 'info' | 'warn' | 'error';

export interface Log {
  readonly isJson: boolean;
  /** Several lines are given as several; a line end inside one is not obeyed. */
  say(
    level: Level,
    event: string,
    message: string | readonly string[],
    fields?: Readonly<Record<string, unknown>>,
  ): void;
}

export interface LogOptions {
  readonly json: boolean;
  /** Errors only. */
  readonly quiet: boolean;
}

const LINE_LENGTH_MAX = 2_000;

export function openLog(terminal: Terminal, clock: Clock, options: LogOptions): Log {
  return {
    isJson: options.json,
    say(level, event, message, fields) {
      if (options.quiet && level !== 'error') return;
      if (options.json) {
        const time = new Date(clock.now()).toISOString();
        terminal.print(jsonLine({ time, level, event, message, ...fields }).trimEnd());
        return;
      }
      const lines = typeof message === 'string' ? [message] : message;
      for (const line of lines) terminal.print(safeText(line, LINE_LENGTH_MAX));
    },
  };
}

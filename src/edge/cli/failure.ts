/**
 * An error, as a person should meet it: what happened, where, and what to do. Never a stack,
 * unless `--verbose` asks for it.
 */
import { CrawlError, ERRORS } from '../../base/errors.ts';
import { safeText } from './format.ts';

export interface Failure {
  readonly code: string;
  readonly exitCode: number;
  readonly message: string;
  readonly where: string;
  readonly hint: string;
  readonly stack?: string;
}

const BUG_HINT =
  'Run it again with --verbose and report what it prints; what was saved stays saved.';

/** `where` names the command and what it worked on. */
export function failureOf(error: unknown, where: string, verbose: boolean): Failure {
  const stack = verbose ? stackOf(error) : undefined;
  const more = stack === undefined ? {} : { stack };
  if (error instanceof CrawlError) {
    const { code, exitCode, message, hint } = error;
    return { code, exitCode, message, where, hint, ...more };
  }
  const what = error instanceof Error ? error.message : String(error);
  const message = `This is a bug in Orbweaver: ${what}`;
  const exitCode = ERRORS.E_INTERNAL.exit;
  return { code: 'E_INTERNAL', exitCode, message, where, hint: BUG_HINT, ...more };
}

export function failureLines({ code, message, where, hint, stack }: Failure): readonly string[] {
  const lines = [
    `orb: ${safeText(message, 1_000)}`,
    `     Where: ${safeText(where, 500)} (${code})`,
    `     Do: ${safeText(hint, 1_000)}`,
  ];
  for (const line of (stack ?? '').split('\n')) {
    if (line !== '') lines.push(`     ${safeText(line, 500)}`);
  }
  return lines;
}

const CAUSES_MAX = 5;

function stackOf(error: unknown): string {
  const stacks: string[] = [];
  let at = error;
  while (at instanceof Error && stacks.length < CAUSES_MAX) {
    stacks.push(at.stack ?? at.message);
    at = at.cause;
  }
  return stacks.join('\ncaused by ');
}

/** The reader of our output has gone away: nothing to report, nobody to report it to. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'EPIPE';
}

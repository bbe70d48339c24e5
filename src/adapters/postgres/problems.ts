/**
 * What PostgreSQL says when it cannot, by what a person can do about it; and which of it passes
 * by itself: a server that restarts, a connection that was cut, two who waited for each other.
 */
import { CrawlError } from '../../base/errors.ts';
import { NotOurs } from '../../ports/tenures.ts';

/** SQLSTATE of a server's answer, or the system's code of a connection that failed. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}

const PASSING_CODES = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '40001', '40P01', '25006', '25P03'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
]);

/** The same again, a moment later, may well succeed. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (PASSING_CODES.has(code) || code.startsWith('08')) return true;
  const said = (error as Error | undefined)?.message ?? '';
  return /connection terminated|not queryable|timeout expired|timeout exceeded|read timeout/i.test(
    said,
  );
}

const AGAIN = 'run the same command again: nothing that was stored is lost';

type Told = (where: string, said: string) => ConstructorParameters<typeof CrawlError>;

const TOLD: Readonly<Record<string, Told>> = {
  '28P01': refused,
  '28000': refused,
  '3D000': (where, said) => [
    ...(['E_CONFIG', `there is no such database at ${where}: ${said}`] as const),
    'make it with `createdb`, or name another one in the URL of the store',
  ],
  '42501': (where, said) => [
    ...(['E_CONFIG', `the user of ${where} may not do what a crawl needs: ${said}`] as const),
    'let the user create a schema in this database, or make it and give it to the user',
  ],
  '53100': (where, said) => [
    ...(['E_DISK_FULL', `the disk of the store at ${where} is full: ${said}`] as const),
    `make room there, then ${AGAIN}`,
  ],
  '53300': (where, said) => [
    ...(['E_STORE_DOWN', `the store at ${where} takes no more connections: ${said}`] as const),
    'raise its max_connections, or run fewer nodes: each needs five',
  ],
  XX001: damaged,
  XX002: damaged,
};

function refused(where: string, said: string): ReturnType<Told> {
  const hint = 'check the user and the password in the URL of the store';
  return ['E_CONFIG', `the store at ${where} refuses us: ${said}`, hint];
}

function damaged(where: string, said: string): ReturnType<Told> {
  const hint = 'restore the database from a copy; its log has the details';
  return ['E_STORE_DAMAGED', `the store at ${where} is damaged: ${said}`, hint];
}

/** That an arc is not ours is no failure of the store: it is told as it is. */
export function storeError(error: unknown, where: string): CrawlError | NotOurs {
  if (error instanceof CrawlError || error instanceof NotOurs) return error;
  const said = (error as Error).message || codeOf(error);
  const told = TOLD[codeOf(error)];
  if (told !== undefined) {
    const [code, message, hint] = told(where, said);
    return new CrawlError(code, message, hint, error);
  }
  const hint = isPassing(error)
    ? `see that the server runs and can be reached, then ${AGAIN}`
    : `look at the cause and at the server's log, then ${AGAIN}`;
  return new CrawlError('E_STORE_DOWN', `the store at ${where} failed: ${said}`, hint, error);
}

/**
 * What Cassandra and its driver say when they cannot, by what a person can do about it; and which
 * of it passes by itself: a node that restarts, too few replicas for a moment, a slow answer.
 *
 * The driver asks several nodes, so its error is often a list; the first thing in it that does not
 * pass is what a person must hear.
 */
import { CrawlError } from '../../base/errors.ts';

/** Codes of the protocol's answers. */
const CODES = {
  ...{ badCredentials: 0x0100, unavailable: 0x1000, overloaded: 0x1001, starting: 0x1002 },
  ...{ writeTimeout: 0x1100, readTimeout: 0x1200, readFailure: 0x1300, writeFailure: 0x1500 },
  ...{ casUnknown: 0x1700, syntax: 0x2000, unauthorised: 0x2100, invalid: 0x2200 },
  ...{ config: 0x2300, exists: 0x2400 },
} as const;

const PASSING_CODES: ReadonlySet<unknown> = new Set([
  ...[CODES.unavailable, CODES.overloaded, CODES.starting, CODES.writeTimeout],
  ...[CODES.readTimeout, CODES.readFailure, CODES.writeFailure, CODES.casUnknown],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EAI_AGAIN'],
]);
const PASSING_NAMES = new Set(['OperationTimedOutError', 'BusyConnectionError']);
/** A table that somebody has just made is "unknown CF" until the server has opened its files. */
const PASSING_WORDS =
  /socket was closed|connection (?:was )?(?:closed|timeout)|not (?:connected|open)|unknown CF/i;

interface Failure extends Error {
  readonly code?: number | string;
  readonly innerErrors?: Readonly<Record<string, Error>>;
}

/** The failures behind one: of every node that was asked, or itself. */
function causesOf(error: unknown): Failure[] {
  const inner = Object.values((error as Failure | undefined)?.innerErrors ?? {});
  return inner.length === 0 ? [error as Failure] : inner.flatMap(causesOf);
}

/** The same again, a moment later, may well succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CrawlError) return false;
  return causesOf(error).every(({ name, code, message = '' }) => {
    if (name === 'NoHostAvailableError') return true;
    return PASSING_CODES.has(code) || PASSING_NAMES.has(name) || PASSING_WORDS.test(message);
  });
}

/** No node was left to be asked. */
export function isNobodyThere(error: unknown): boolean {
  return (error as Failure | undefined)?.name === 'NoHostAvailableError';
}

/** The keyspace or a table of it is not there. */
export function isMissing(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, message }) =>
      code === CODES.invalid && /does not exist|unconfigured table|unknown keyspace/i.test(message),
  );
}

const AGAIN = 'run the same command again: nothing that was stored is lost';

type Told = readonly ['E_CONFIG' | 'E_STORE_DOWN' | 'E_DISK_FULL', string, string];

function told(cause: Failure, where: string): Told {
  const said = cause.message || String(cause.code ?? cause.name);
  if (cause.name === 'AuthenticationError' || cause.code === CODES.badCredentials) {
    const hint = 'check the user and the password in the URL of the store';
    return ['E_CONFIG', `the store at ${where} refuses us: ${said}`, hint];
  }
  if (cause.code === CODES.unauthorised) {
    const hint = 'let the user create, read and change the tables of the keyspace';
    return ['E_CONFIG', `the user of ${where} may not do what a crawl needs: ${said}`, hint];
  }
  if (/local ?data ?cent/i.test(said)) {
    const hint = 'name the data centre in the URL of the store: ?dc=NAME (`nodetool status` tells)';
    return ['E_CONFIG', `no such data centre at ${where}: ${said}`, hint];
  }
  if (/no space left|disk (?:is )?full/i.test(said)) {
    const hint = `make room there, then ${AGAIN}`;
    return ['E_DISK_FULL', `the disk of the store at ${where} is full: ${said}`, hint];
  }
  const hint = isPassing(cause)
    ? `see that the nodes run and can be reached, then ${AGAIN}`
    : `look at the cause and at the log of Cassandra, then ${AGAIN}`;
  return ['E_STORE_DOWN', `the store at ${where} failed: ${said}`, hint];
}

export function storeError(error: unknown, where: string): Error {
  if (error instanceof CrawlError) return error;
  const causes = causesOf(error);
  const worst = causes.find((cause) => !isPassing(cause)) ?? causes[0];
  const [code, message, hint] = told(worst ?? (error as Failure), where);
  return new CrawlError(code, message, hint, error);
}

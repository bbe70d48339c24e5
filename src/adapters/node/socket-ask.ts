/**
 * The asking side of a folder's socket: one connection for each question. Rows are read as
 * fast as the caller takes them; a caller that stops early hangs up.
 */
import { createConnection, type Socket } from 'node:net';
import { CrawlError, ERRORS, type ErrorCode } from '../../base/errors.ts';
import { findPlace } from './socket-place.ts';

export interface SocketAsker {
  ask(request: string): AsyncIterable<string>;
}

/** Longer than any row that the answering side makes: a body travels in pieces. */
const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;

/** Undefined when nobody listens in this folder. */
export async function askSocket(dir: string): Promise<SocketAsker | undefined> {
  const path = await findPlace(dir);
  const probe = await connect(path);
  if (probe === undefined) return undefined;
  probe.destroy();
  return { ask: (request) => askAt(path, request) };
}

function connect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

async function* askAt(path: string, request: string): AsyncIterable<string> {
  const socket = await connect(path);
  if (socket === undefined) throw gone();
  try {
    socket.setEncoding('utf8');
    socket.write(`${request}\n`);
    for await (const line of lines(socket)) {
      if (line === '.') return;
      if (line.startsWith('!')) throw errorFrom(line.slice(1));
      yield line.slice(1);
    }
    throw gone();
  } finally {
    socket.destroy();
  }
}

async function* lines(socket: Socket): AsyncIterable<string> {
  let rest = '';
  try {
    for await (const part of socket as AsyncIterable<string>) {
      const pieces = (rest + part).split('\n');
      rest = pieces.pop() as string;
      yield* pieces;
      if (rest.length > LINE_CHARACTERS_MAX) throw gone();
    }
  } catch (error) {
    throw error instanceof CrawlError ? error : gone(error);
  }
}

function gone(cause?: unknown): CrawlError {
  const message = 'The running crawl ended, or cut the line, before it had answered.';
  return new CrawlError('E_STORE_DOWN', message, 'Ask again.', cause);
}

function errorFrom(text: string): CrawlError {
  const { code, message, hint } = JSON.parse(text) as Record<string, string>;
  const known = (
    code !== undefined && Object.hasOwn(ERRORS, code) ? code : 'E_INTERNAL'
  ) as ErrorCode;
  return new CrawlError(known, message ?? 'unknown', hint ?? '');
}

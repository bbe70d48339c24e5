/**
 * A socket in a crawl's folder, through which the running crawl answers (A4). The asking side is
 * socket-ask.ts, the place socket-place.ts.
 *
 *   one connection, one request:   request\n  ──▶
 *                                  ◀──  +row\n +row\n …  then  .\n  or  !{"code":…}\n
 *
 * Promises:
 *   1. Only the owner of the folder can connect: the socket has mode 0600.
 *   2. A client costs a bounded amount of memory, also one that sends much or reads nothing:
 *      rows are made when there is room for them, and who reads nothing for a minute is cut off.
 *   3. A client that goes away ends the work for it.
 *   4. A socket file that a killed crawl left behind is replaced.
 *
 * Not here: what is asked and answered (../../crawl/ask-wire.ts).
 */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { CrawlError } from '../../base/errors.ts';
import { claimPlace, type SocketPlace } from './socket-place.ts';

/** Answers a request with rows, none of which holds a line end. */
export type SocketHandler = (request: string) => AsyncIterable<string>;

export interface SocketServer {
  /** Cuts off who is being answered, and takes the socket away. */
  close(): Promise<void>;
}

export interface SocketLimits {
  readonly clientsMax: number;
  readonly requestBytesMax: number;
  readonly idleMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  clientsMax: 16,
  requestBytesMax: 64 * 1024,
  idleMs: 60_000,
};

export async function serveSocket(
  dir: string,
  handle: SocketHandler,
  limits: SocketLimits = SOCKET_LIMITS,
): Promise<SocketServer> {
  const place = await claimPlace(dir);
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    // An error ends the connection; 'close' follows and that is all there is to do.
    socket.on('error', () => undefined);
    socket.on('timeout', () => socket.destroy());
    void serveClient(socket, handle, limits);
  });
  server.maxConnections = limits.clientsMax;
  await listen(server, place);
  return { close: () => close(server, clients, place) };
}

async function listen(server: Server, place: SocketPlace): Promise<void> {
  server.listen(place.path);
  await once(server, 'listening');
  if (place.isFile) await chmod(place.path, 0o600);
  await place.announce();
  // The socket must not keep a process alive whose crawl has ended.
  server.unref();
}

async function close(server: Server, clients: Set<Socket>, place: SocketPlace): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const client of clients) client.destroy();
  await closed;
  await place.leave();
}

async function serveClient(
  socket: Socket,
  handle: SocketHandler,
  limits: SocketLimits,
): Promise<void> {
  try {
    const request = await patiently(socket, limits, readLine(socket, limits.requestBytesMax));
    if (request === undefined) return;
    for await (const row of handle(request)) {
      if (socket.destroyed) return;
      if (!socket.write(`+${row}\n`)) await patiently(socket, limits, room(socket));
    }
    socket.setTimeout(limits.idleMs);
    socket.end('.\n');
  } catch (error) {
    if (!socket.destroyed) socket.end(`!${JSON.stringify(wireError(error))}\n`);
  } finally {
    socket.resume();
  }
}

/** Waits for the client, but not for ever; our own work may take as long as it takes. */
async function patiently<T>(socket: Socket, limits: SocketLimits, work: Promise<T>): Promise<T> {
  socket.setTimeout(limits.idleMs);
  try {
    return await work;
  } finally {
    socket.setTimeout(0);
  }
}

/** Until the client has read what was sent, or is gone. */
function room(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
    if (socket.destroyed) done();
  });
}

/** The first line; undefined when the client goes away or sends too much without one. */
async function readLine(socket: Socket, bytesMax: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const done = (line: string | undefined): void => {
      socket.off('data', onData).off('close', onClose).off('end', onClose).pause();
      if (line === undefined) socket.destroy();
      resolve(line);
    };
    const onClose = (): void => done(undefined);
    const onData = (part: Buffer): void => {
      const end = part.indexOf(10);
      size += end < 0 ? part.length : end;
      parts.push(end < 0 ? part : part.subarray(0, end));
      if (size > bytesMax) done(undefined);
      else if (end >= 0) done(Buffer.concat(parts).toString('utf8'));
    };
    socket.on('data', onData).once('close', onClose).once('end', onClose);
  });
}

function wireError(error: unknown): { code: string; message: string; hint: string } {
  if (error instanceof CrawlError) {
    const { code, message, hint } = error;
    return { code, message, hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'E_INTERNAL', message, hint: 'Report it.' };
}

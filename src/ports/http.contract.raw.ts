/**
 * A server that is free to be wrong: it answers byte by byte what a test tells it to, over a
 * bare socket. Part of http.contract.ts.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export type Answerer = (socket: Socket, head: string, count: number) => void;

export interface RawServer {
  readonly port: number;
  /** Connections accepted and request heads read so far. */
  readonly seen: { connections: number; heads: string[] };
  /** Resolves when the client has closed its side of a connection. */
  nextClose(): Promise<void>;
  close(): Promise<void>;
}

/** Calls `answer` for each request head that arrives; `count` is its number on that connection. */
export async function rawServer(answer: Answerer): Promise<RawServer> {
  const seen = { connections: 0, heads: [] as string[] };
  const sockets = new Set<Socket>();
  const closing: (() => void)[] = [];
  const server: Server = createServer((socket) => {
    seen.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      for (const tell of closing.splice(0)) tell();
    });
    readHeads(socket, (head, count) => {
      seen.heads.push(head);
      answer(socket, head, count);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    seen,
    nextClose: () => new Promise((resolve) => closing.push(resolve)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function readHeads(socket: Socket, heard: (head: string, count: number) => void): void {
  let text = '';
  let count = 0;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end);
      text = text.slice(end + 4);
      heard(head, ++count);
    }
  });
}

/** An ordinary page, with its length. */
export function page(body: string, ...fields: string[]): string {
  const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', ...fields];
  return `${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Writes the same piece for as long as the client listens. */
export function pour(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

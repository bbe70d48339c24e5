/**
 * What a node says to its engines, counted where it leaves the process: by the port of each
 * engine's server, so that no relay is between them and costs time.
 *
 *   turns      times that it wrote to a line after the engine had answered on it: a round trip,
 *              if whoever asked waits for it
 *   requests   HTTP requests to S3, statements to PostgreSQL, messages handed to Kafka's driver
 */
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Producer } from '@platformatic/kafka';
import pg from 'pg';

export interface LineCounts {
  readonly turns: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

export interface Traffic {
  readonly lines: Readonly<Record<string, LineCounts>>;
  /** By the part of the topic's name that is ours: `urls`, `pages`. */
  readonly messages: Readonly<Record<string, number>>;
  readonly produces: number;
  readonly statements: number;
  readonly s3Requests: number;
}

class Line {
  turns = 0;
  bytesOut = 0;
  bytesIn = 0;
}

type Chunk = { readonly length: number } | null;
type Written = readonly { readonly chunk: { readonly length: number } }[];

/** `ports`: of the servers, by name. Answers a reader of the counts since then. */
export function countTraffic(ports: Readonly<Record<string, number>>): () => Traffic {
  const lines = Object.fromEntries(Object.keys(ports).map((name) => [name, new Line()]));
  const byPort = new Map(Object.entries(ports).map(([name, port]) => [port, lines[name] as Line]));
  watchSockets(byPort);
  const asked = { produces: 0, statements: 0, s3Requests: 0 };
  const messages: Record<string, number> = {};
  watchKafka(asked, messages);
  watchPostgres(asked);
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: { getHeader(name: string): unknown } };
    if (`${request.getHeader('host')}`.endsWith(`:${ports.s3}`)) asked.s3Requests++;
  });
  const copy = () =>
    Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, { ...line }]));
  return () => ({ lines: copy(), messages: { ...messages }, ...asked });
}

function watchSockets(byPort: ReadonlyMap<number, Line>): void {
  const answered = new WeakMap<Socket, boolean>();
  const { _write, _writev, push } = Socket.prototype;
  const written = (socket: Socket, bytes: number) => {
    const line = byPort.get(socket.remotePort ?? 0);
    if (line === undefined) return;
    line.bytesOut += bytes;
    if (answered.get(socket) ?? true) line.turns++;
    answered.set(socket, false);
  };
  Object.assign(Socket.prototype, {
    _write(this: Socket, chunk: Chunk, ...rest: [BufferEncoding, () => void]) {
      written(this, chunk?.length ?? 0);
      return _write.call(this, chunk, ...rest);
    },
    _writev(this: Socket, chunks: Written, done: () => void) {
      written(
        this,
        chunks.reduce((sum, { chunk }) => sum + chunk.length, 0),
      );
      return _writev?.call(this, chunks as never, done);
    },
    push(this: Socket, chunk: Chunk, ...rest: []) {
      const line = byPort.get(this.remotePort ?? 0);
      if (line !== undefined && chunk !== null) {
        line.bytesIn += chunk.length;
        answered.set(this, true);
      }
      return push.call(this, chunk, ...rest);
    },
  });
}

function watchKafka(asked: { produces: number }, messages: Record<string, number>): void {
  const { send } = Producer.prototype;
  type Sent = { readonly messages: readonly { readonly topic: string }[] };
  Object.assign(Producer.prototype, {
    send(this: object, options: Sent, ...rest: []) {
      asked.produces++;
      for (const { topic } of options.messages) {
        const name = topic.slice(topic.lastIndexOf('-') + 1);
        messages[name] = (messages[name] ?? 0) + 1;
      }
      return (send as (...all: unknown[]) => unknown).call(this, options, ...rest);
    },
  });
}

function watchPostgres(asked: { statements: number }): void {
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...all: unknown[]) {
      asked.statements++;
      return (query as (...all: unknown[]) => unknown).apply(this, all);
    },
  });
}

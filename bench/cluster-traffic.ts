/**
 * What a node says to its engines, counted where it leaves the process: by the port of each
 * engine's server, so that no relay is between them and costs time.
 *
 *   turns      times that it wrote to a line after the engine had answered on it: a round trip,
 *              if whoever asked waits for it
 *   requests   HTTP requests to S3, statements to PostgreSQL, messages handed to Kafka's driver
 */
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

/** All connections to one engine. */
class Line {
  turns = 0;
  bytesOut = 0;
  requests = 0;
  /** What each had read when it was written to last. */
  readonly #read = new Map<Socket, number>();

  wrote(socket: Socket, chunk: Chunk, bytes: number): void {
    const { bytesRead } = socket;
    if (this.#read.get(socket) !== bytesRead) this.turns++;
    this.#read.set(socket, bytesRead);
    this.bytesOut += bytes;
    if (METHOD.test(String(chunk?.slice(0, METHOD_LENGTH_MAX)))) this.requests++;
  }

  get counts(): LineCounts {
    const bytesIn = [...this.#read.keys()].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    return { turns: this.turns, bytesOut: this.bytesOut, bytesIn };
  }
}

type Chunk = Buffer | string | null;
type Written = readonly { readonly chunk: Exclude<Chunk, null> }[];

/** A request of HTTP begins a write; a body that follows it does not look like one. */
const METHOD = /^(PUT|GET|HEAD|POST|DELETE) /;
const METHOD_LENGTH_MAX = 7;

/** `ports`: of the servers, by name. Answers a reader of the counts since then. */
export function countTraffic(ports: Readonly<Record<string, number>>): () => Traffic {
  const lines = Object.fromEntries(Object.keys(ports).map((name) => [name, new Line()]));
  watchSockets(new Map(Object.entries(ports).map(([name, port]) => [port, lines[name] as Line])));
  const asked = { produces: 0, statements: 0 };
  const messages: Record<string, number> = {};
  watchKafka(asked, messages);
  watchPostgres(asked);
  const copy = () => Object.fromEntries(Object.entries(lines).map(([name, l]) => [name, l.counts]));
  const s3Requests = () => lines.s3?.requests ?? 0;
  return () => ({ lines: copy(), messages: { ...messages }, ...asked, s3Requests: s3Requests() });
}

function watchSockets(byPort: ReadonlyMap<number, Line>): void {
  const { _write, _writev } = Socket.prototype;
  Object.assign(Socket.prototype, {
    _write(this: Socket, chunk: Chunk, ...rest: [BufferEncoding, () => void]) {
      byPort.get(this.remotePort ?? 0)?.wrote(this, chunk, chunk?.length ?? 0);
      return _write.call(this, chunk, ...rest);
    },
    _writev(this: Socket, chunks: Written, done: () => void) {
      const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
      byPort.get(this.remotePort ?? 0)?.wrote(this, chunks[0]?.chunk ?? null, bytes);
      return _writev?.call(this, chunks as never, done);
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

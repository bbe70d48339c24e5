/**
 * Connections to a bucket's server, kept between requests: each carries one at a time, and what
 * comes when all of them are at work waits for the first that is free.
 *
 * The same connection that pages are fetched over (../node/http-h1.ts), because a body is written
 * for every page: node:http does the same at five times the cost.
 */
import { isIP, type Socket } from 'node:net';
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ConnectPlan, type Inbox, openSocket, TlsSessions } from '../node/http-connect.ts';
import { Deadlines, type Watched } from '../node/http-deadlines.ts';
import type { Fault } from '../node/http-errors.ts';
import { type Answering, H1Connection } from '../node/http-h1.ts';

export interface LinesOptions {
  readonly clock: Clock;
  readonly isTls: boolean;
  readonly hostname: string;
  readonly port: number;
  /** Open at once. */
  readonly lines: number;
  /** A connection that has no answer for so long is given up. */
  readonly attemptMs: number;
}

export interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly words: string;
}

/** What a server says about a refusal is short. */
const WORDS_MAX = 16 * 1024;
const HEADER_BYTES_MAX = 32 * 1024;
const IDLE_MS = 60_000;

export class PutLines {
  readonly #options: LinesOptions;
  readonly #sessions = new TlsSessions();
  readonly #deadlines: Deadlines;
  readonly #all = new Set<Line>();
  /** The one that was used last is used next: so those that are too many end. */
  readonly #idle: Line[] = [];
  readonly #waiting: Exchange[] = [];

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.clock);
  }

  /** Resolves with whatever the server answers; rejects when there is no answer in `leftMs`. */
  send(request: Uint8Array, leftMs: number): Promise<Answer> {
    const endsAt = this.#options.clock.now() + leftMs;
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(request, endsAt, resolve, reject, () => {
        this.#deadlines.remove(exchange);
        this.#released(exchange.line);
      });
      this.#deadlines.add(exchange);
      this.#waiting.push(exchange);
      this.#next();
    });
  }

  close(): void {
    for (const one of this.#deadlines.snapshot()) (one as Exchange).fail(new Error('closed'));
    this.#deadlines.stop();
    for (const line of [...this.#all]) line.close();
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]?.isOver) {
        this.#waiting.shift();
        continue;
      }
      const line = this.#free();
      if (line === undefined) return;
      line.carry(this.#waiting.shift() as Exchange);
    }
  }

  #free(): Line | undefined {
    const now = this.#options.clock.now();
    for (let line = this.#idle.pop(); line !== undefined; line = this.#idle.pop()) {
      if (line.idleUntil > now) return line;
      line.close();
    }
    return this.#all.size < this.#options.lines ? this.#opened() : undefined;
  }

  #opened(): Line {
    const line: Line = new Line(this.#options, this.#sessions, () => {
      this.#all.delete(line);
      const at = this.#idle.indexOf(line);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    this.#all.add(line);
    return line;
  }

  #released(line: Line | undefined): void {
    if (line !== undefined && this.#all.has(line)) {
      if (line.rest(this.#options.clock.now())) this.#idle.push(line);
      else line.close();
    }
    this.#next();
  }
}

/** One connection; it opens with its first request. */
class Line implements Inbox {
  idleUntil: Instant = 0;
  readonly #options: LinesOptions;
  readonly #sessions: TlsSessions;
  readonly #onClosed: () => void;
  #socket: Socket | undefined;
  #connection: H1Connection | undefined;

  constructor(options: LinesOptions, sessions: TlsSessions, onClosed: () => void) {
    this.#options = options;
    this.#sessions = sessions;
    this.#onClosed = onClosed;
  }

  carry(exchange: Exchange): void {
    exchange.beginOn(this, this.#options.clock.now() + this.#options.attemptMs);
    if (this.#connection !== undefined) this.#connection.send(exchange.request, exchange);
    else this.#connect(exchange);
  }

  onBytes(bytes: Buffer, length: number): void {
    this.#connection?.onBytes(bytes, length);
  }

  /** Answers whether it may be used again. */
  rest(now: Instant): boolean {
    const idleMs = this.#connection?.idleMs ?? 0;
    this.idleUntil = now + idleMs;
    if (idleMs > 0) this.#connection?.rest();
    return idleMs > 0;
  }

  close(): void {
    this.#onClosed();
    this.#connection?.destroy();
    this.#socket?.destroy();
  }

  #connect(exchange: Exchange): void {
    this.#socket = openSocket(planOf(this.#options), this.#sessions, this, (fault, socket) => {
      if (exchange.isOver) return;
      if (socket === null) return exchange.fail(fault.error);
      const { hostname: host } = this.#options;
      const rules = { host, headerBytes: HEADER_BYTES_MAX, idleMs: IDLE_MS };
      this.#connection = new H1Connection(socket, { ...rules, onClose: () => this.close() });
      this.#connection.send(exchange.request, exchange);
    });
  }
}

/** One request and its answer; over once, by whichever end comes first. */
class Exchange implements Answering, Watched {
  slot = 0;
  isOver = false;
  line: Line | undefined;
  readonly request: Uint8Array;
  #endsAt: Instant;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #onOver: () => void;
  #status = 0;
  #date: string | undefined;
  #words = '';

  constructor(
    request: Uint8Array,
    endsAt: Instant,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
    onOver: () => void,
  ) {
    this.request = request;
    this.#endsAt = endsAt;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onOver = onOver;
  }

  beginOn(line: Line, endsAt: Instant): void {
    this.line = line;
    this.#endsAt = Math.min(this.#endsAt, endsAt);
  }

  check(now: Instant): void {
    if (now >= this.#endsAt) this.fail(late());
  }

  onAsked(): boolean {
    return !this.isOver;
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#date = headers.date;
  }

  onBody(bytes: Buffer, from: number, to: number): void {
    if (this.#words.length < WORDS_MAX) this.#words += bytes.toString('utf8', from, to);
  }

  onEnd(): void {
    this.isOver = true;
    this.#onOver();
    this.#resolve({ status: this.#status, date: this.#date, words: this.#words });
  }

  onFault({ detail }: Fault): void {
    this.fail(new Error(detail));
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.line?.close();
    this.#onOver();
    this.#reject(error);
  }
}

function late(): Error {
  return Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
}

/** The name is looked up when it is connected to, as the driver does. */
function planOf({ hostname, port, isTls }: LinesOptions): ConnectPlan {
  const address = hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(address) !== 0;
  const trust = { allowH2: false, acceptBadTls: false };
  return { address, port, isTls, servername: isLiteral ? undefined : hostname, ...trust };
}

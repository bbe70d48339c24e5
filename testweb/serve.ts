/**
 * The web's first face: real servers on loopback, with names, certificates and a log.
 *
 *   http://h0042.d1s7.test:PORT/     127.1.1.43:PORT     one listener per address
 *   https://…:TLSPORT/               HTTP/2 by ALPN, or HTTP/1.1
 *   DNS                              127.0.0.1:DNSPORT
 *   tripwire                         127.0.0.1:PORT and [::1]:PORT, where nobody should come
 */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { type NameServer, serveNames } from './dns.ts';
import { type WebAnswer, whole } from './exchange.ts';
import { type Listening, listenOn } from './listen.ts';
import { RequestLog, TRIPWIRE } from './log.ts';
import { type Incoming, type Outgoing, play } from './play.ts';
import { Recall } from './recall.ts';
import { openTls, type TlsFace } from './serve-tls.ts';
import type { Web } from './web.ts';

export interface ServeOptions {
  /** 0, or left out: one that is free on all addresses. */
  readonly port?: number;
  /** Opens the TLS face too; a web whose scheme is https always has it. */
  readonly tls?: boolean;
  /** The product token that requests are expected to name. */
  readonly agent?: string;
  /** Told of every request as it arrives, with all that it carries. */
  readonly onRequest?: (request: Incoming) => void;
  /** Every answer begins this much later, as one from far away. */
  readonly latencyMs?: number;
}

export interface WebServer {
  /** The web at the ports that were found: ask this one for URLs and truth. */
  readonly web: Web;
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly dnsPort: number;
  /** The authority that signed the good certificates, PEM. */
  readonly ca: string | undefined;
  readonly log: RequestLog;
  readonly names: NameServer;
  /** What the web takes for the time goes on by this; the log keeps the real instants. */
  advance(ms: number): void;
  /** Forgets every request: an empty log, and busy pages busy again. */
  reset(): void;
  close(): Promise<void>;
}

const IDLE_MS = 60_000;

/** Comparable between processes: milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

export async function serveWeb(web: Web, options: ServeOptions = {}): Promise<WebServer> {
  const secure = web.settings.scheme === 'https';
  const desk = new Desk(options);
  const addresses = addressesOf(web);
  const plain = secure ? undefined : await openPlain(addresses, options.port ?? 0, desk);
  const tls =
    secure || options.tls === true
      ? await openTls(web, addresses, secure ? (options.port ?? 0) : 0, desk.handler)
      : undefined;
  const port = plain?.port ?? tls!.port;
  const bound = web.at(tls === undefined ? { port } : { port, tlsPort: tls.port });
  desk.open(bound);
  const names = await serveNames(bound);
  return {
    web: bound,
    port,
    tlsPort: tls?.port,
    dnsPort: names.port,
    ca: tls?.ca,
    log: desk.log,
    names,
    advance: (ms) => desk.advance(ms),
    reset: () => desk.reset(),
    close: () => closeAll([plain, tls, names]),
  };
}

/** Answers requests of all faces; the web is told when its ports are known. */
class Desk {
  readonly #agent: string;
  readonly #onRequest: ServeOptions['onRequest'];
  readonly #latencyMs: number;
  #recall: Recall | undefined;
  #log: RequestLog | undefined;
  #aheadMs = 0;

  constructor({ agent = 'Orbweaver', onRequest, latencyMs = 0 }: ServeOptions) {
    this.#agent = agent;
    this.#onRequest = onRequest;
    this.#latencyMs = latencyMs;
  }

  open(web: Web): void {
    this.#recall = new Recall(web);
    this.#log = new RequestLog(web);
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  reset(): void {
    this.#log?.reset();
    this.#recall?.reset();
  }

  get log(): RequestLog {
    return this.#log!;
  }

  readonly handler = (request: Incoming, response: Outgoing, tripwire: boolean): void => {
    const atMs = now();
    if (this.#recall === undefined) return void response.destroy();
    this.#onRequest?.(request);
    const name = hostOf(request, tripwire);
    const path = request.url ?? '/';
    const { method = 'GET', headers } = request;
    const asked = { url: `http://${name}${path}`, method, headers, atMs: atMs + this.#aheadMs };
    const answer = tripwire ? snare() : this.#recall.answer(asked);
    const log = this.#log!;
    const row = log.begin({
      host: answer.host >= 0 ? answer.host : log.hostId(name),
      resource: answer.resource,
      path,
      atMs,
      status: answer.status,
      named: String(request.headers['user-agent'] ?? '').includes(this.#agent),
    });
    response.once('close', () => log.end(row, now()));
    play({ ...answer, delayMs: answer.delayMs + this.#latencyMs }, request, response);
  };
}

function hostOf(request: Incoming, tripwire: boolean): string {
  if (tripwire) return TRIPWIRE;
  const host = String(request.headers[':authority'] ?? request.headers.host ?? '');
  const colon = host.lastIndexOf(':');
  return (colon < 0 ? host : host.slice(0, colon)).toLowerCase();
}

function snare(): WebAnswer {
  return whole(200, { 'content-type': 'text/html' }, Buffer.from('<h1>secret</h1>'));
}

function addressesOf(web: Web): string[] {
  const own = [...web.hosts, ...web.specials].map((host) => host.address);
  return ['127.0.0.1', ...new Set(own)];
}

async function openPlain(
  addresses: readonly string[],
  port: number,
  desk: Desk,
): Promise<Listening> {
  const wired = new WeakSet<Socket>();
  const server = createServer({ keepAliveTimeout: IDLE_MS, maxHeaderSize: 64 * 1024 });
  server.on('request', (request, response) => {
    desk.handler(request, response, wired.has(request.socket));
  });
  const accept = (socket: Socket, address: string): void => {
    if (address === '127.0.0.1' || address === '::1') wired.add(socket);
    server.emit('connection', socket);
  };
  const listening = await listenOn(addresses, port, accept);
  const six = await listenOn(['::1'], listening.port, accept).catch(() => undefined);
  return {
    port: listening.port,
    close: async () => {
      await Promise.all([listening.close(), six?.close()]);
      server.closeAllConnections();
    },
  };
}

async function closeAll(
  parts: readonly (Listening | TlsFace | NameServer | undefined)[],
): Promise<void> {
  await Promise.all(parts.map((part) => part?.close()));
}

/**
 * One connection to one origin at one address, carrying one exchange at a time.
 *
 * Over HTTP/1 it is our own (http-h1.ts), over HTTP/2 a session of node:http2 (http-h2.ts). Which
 * of them is known when the connection stands and its remote address has passed the rules (Y1).
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Instant } from '../../base/instant.ts';
import { type AddressRules, addressVerdict } from '../../fetch/address.ts';
import type { Answered, Tls } from '../../fetch/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ConnectPlan, type Inbox, openSocket, type TlsSessions } from './http-connect.ts';
import { detailOf, type Fault, failure } from './http-errors.ts';
import { type Answering, type Asking, H1Connection } from './http-h1.ts';
import { H2Session } from './http-h2.ts';
import { openThrough, type ProxyServer } from './http-proxy.ts';

export interface LineRules {
  readonly clock: Clock;
  readonly addresses: AddressRules;
  readonly acceptBadTls: boolean;
  readonly allowH2: boolean;
  readonly idleMs: number;
  readonly proxy: ProxyServer | undefined;
}

export interface Place {
  readonly origin: string;
  readonly address: string;
  readonly headerBytes: number;
}

/** Who keeps the lines (http-lines.ts). */
export interface LineOwner {
  readonly rules: LineRules;
  readonly sessions: TlsSessions;
  idle(line: Line): void;
  isIdle(line: Line): boolean;
  forget(line: Line): void;
}

export class Line implements Inbox {
  readonly key: string;
  /** Milliseconds that connecting took for this exchange; undefined on an open connection. */
  connectMs: number | undefined;
  remoteAddress = '';
  tls: Tls | undefined;
  tlsError: string | undefined;
  wasIdle = false;
  /** Closed when found idle after this (http-lines.ts). */
  idleUntil: Instant = 0;
  readonly #lines: LineOwner;
  readonly #place: Place;
  readonly #host: string;
  readonly #plan: ConnectPlan;
  #transport: H1Connection | H2Session | undefined;
  #socket: Socket | undefined;

  constructor(lines: LineOwner, key: string, place: Place) {
    this.#lines = lines;
    this.key = key;
    this.#place = place;
    const url = new URL(place.origin);
    this.#host = url.host;
    this.#plan = planOf(url, place, lines.rules);
  }

  get httpVersion(): Answered['httpVersion'] {
    return this.#transport?.version ?? '1.1';
  }

  /** Connects first: only then is known which protocol the server speaks. */
  ask(asking: Asking, answering: Answering): void {
    if (this.#transport !== undefined) {
      this.#transport.ask(asking, answering);
      return;
    }
    this.#connect((fault, socket) => {
      if (socket === null) answering.onFault(fault);
      else {
        this.#transport = this.#transportOver(socket);
        this.#transport.ask(asking, answering);
      }
    });
  }

  onBytes(bytes: Buffer, length: number): void {
    if (this.#transport instanceof H1Connection) this.#transport.onBytes(bytes, length);
  }

  reuse(): void {
    this.wasIdle = true;
    this.connectMs = undefined;
  }

  /** Back after a clean end, which was now. */
  give(now: Instant): void {
    const idleMs = this.#transport?.idleMs ?? 0;
    if (idleMs <= 0) {
      this.drop();
      return;
    }
    this.idleUntil = now + idleMs;
    this.#transport?.rest();
    this.#lines.idle(this);
  }

  drop(): void {
    this.#lines.forget(this);
    this.#transport?.destroy();
    this.#socket?.destroy();
  }

  #transportOver(socket: Socket): H1Connection | H2Session {
    const { origin, headerBytes } = this.#place;
    const { idleMs } = this.#lines.rules;
    const host = this.#host;
    const onClose = () => {
      if (this.#lines.isIdle(this)) this.drop();
    };
    if (this.#plan.isTls && (socket as TLSSocket).alpnProtocol === 'h2') {
      return new H2Session(socket, { origin, host, headerBytes, idleMs, onClose });
    }
    return new H1Connection(socket, { host, headerBytes, idleMs, onClose });
  }

  #connect(done: (...result: [null, Socket] | [Fault, null]) => void): void {
    const { clock } = this.#lines.rules;
    const startedAt = clock.now();
    this.#socket = this.#openSocket((fault, socket) => {
      if (socket === null) {
        done(failure(fault.reason, detailOf(fault.error)), null);
        return;
      }
      this.#socket = socket;
      const refused = this.#refusal(socket);
      if (refused !== undefined) {
        socket.destroy();
        done(failure('refused', refused), null);
        return;
      }
      this.connectMs = clock.now() - startedAt;
      if (this.#plan.isTls) {
        const { authorizationError } = socket as TLSSocket;
        this.tls = tlsOf(socket as TLSSocket);
        this.tlsError = authorizationError ? String(authorizationError) : undefined;
      }
      done(null, socket);
    });
  }

  #openSocket(done: Parameters<typeof openSocket>[3]): Socket {
    const { proxy } = this.#lines.rules;
    const { sessions } = this.#lines;
    if (proxy === undefined) return openSocket(this.#plan, sessions, this, done);
    const target = `${new URL(this.#place.origin).hostname}:${this.#plan.port}`;
    return openThrough(proxy, target, this.#plan, sessions, this, done);
  }

  /** Why the address that we are really connected to may not be asked (Y1). */
  #refusal(socket: Socket): string | undefined {
    const { proxy, addresses } = this.#lines.rules;
    if (proxy !== undefined) {
      this.remoteAddress = proxy.name;
      return undefined;
    }
    this.remoteAddress = socket.remoteAddress ?? this.#plan.address;
    const verdict = addressVerdict(this.remoteAddress, addresses);
    return verdict.allowed ? undefined : `${this.remoteAddress}: ${verdict.why}`;
  }
}

function tlsOf(socket: TLSSocket): Tls {
  const { standardName, name } = socket.getCipher();
  return { protocol: socket.getProtocol() ?? '', cipher: standardName ?? name };
}

function planOf({ protocol, hostname, port }: URL, place: Place, rules: LineRules): ConnectPlan {
  const isTls = protocol === 'https:';
  const isLiteral = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return {
    address: place.address,
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
    servername: isLiteral ? undefined : hostname,
    allowH2: rules.allowH2,
    acceptBadTls: rules.acceptBadTls,
  };
}

/**
 * One connection to one origin at one address, carrying one exchange at a time.
 *
 * Over HTTP/1 it is an undici Client, which owns one socket and opens it again when it must; over
 * HTTP/2 a session of node:http2 (http-h2.ts says why). Which of them is known when the
 * connection stands and its remote address has passed the rules (Y1).
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { type AddressRules, addressVerdict } from '../../fetch/address.ts';
import type { Answered, FailureReason } from '../../fetch/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ConnectPlan, openSocket, type TlsSessions } from './http-connect.ts';
import { detailOf } from './http-errors.ts';
import { H2Session } from './http-h2.ts';

export interface LineFault {
  readonly reason: FailureReason | 'refused';
  readonly detail: string;
}

/** What an exchange needs of a connection; a proxy offers the same (http-proxy.ts). */
export interface Line {
  /** Milliseconds that connecting took for this exchange; undefined on an open connection. */
  readonly connectMs: number | undefined;
  readonly remoteAddress: string;
  readonly httpVersion: Answered['httpVersion'];
  readonly tlsError: string | undefined;
  /** Why connecting failed, when it did. */
  readonly fault: LineFault | undefined;
  readonly wasIdle: boolean;
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  give(): void;
  drop(controller?: Dispatcher.DispatchController): void;
}

export interface LineRules {
  readonly clock: Clock;
  readonly addresses: AddressRules;
  readonly acceptBadTls: boolean;
  readonly allowH2: boolean;
  readonly idleMs: number;
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
  idle(line: ClientLine): void;
  isIdle(line: ClientLine): boolean;
  forget(line: ClientLine): void;
}

export class ClientLine implements Line {
  readonly key: string;
  connectMs: number | undefined;
  remoteAddress = '';
  tlsError: string | undefined;
  fault: LineFault | undefined;
  wasIdle = false;
  readonly #lines: LineOwner;
  readonly #place: Place;
  readonly #plan: ConnectPlan;
  #transport: Client | H2Session | undefined;
  #socket: Socket | undefined;
  #version: Answered['httpVersion'] | undefined;

  constructor(lines: LineOwner, key: string, place: Place) {
    this.#lines = lines;
    this.key = key;
    this.#place = place;
    this.#plan = planOf(place, lines.rules);
  }

  get httpVersion(): Answered['httpVersion'] {
    return this.#version ?? '1.1';
  }

  /** Connects first: only then is known which protocol the server speaks. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#transport !== undefined) {
      this.#transport.dispatch(options, handler);
      return;
    }
    this.#connect(this.#plan, (error, socket) => {
      if (error !== null) handler.onResponseError?.(NO_CONTROL, error);
      else {
        this.#transport = this.#version === '2' ? this.#openH2(socket) : this.#openH1(socket);
        this.#transport.dispatch(options, handler);
      }
    });
  }

  reuse(): void {
    this.wasIdle = true;
    this.connectMs = undefined;
    if (this.#version !== '2') this.#version = undefined;
  }

  give(): void {
    if (this.#transport instanceof H2Session && !this.#transport.isOpen) this.drop();
    else this.#lines.idle(this);
  }

  drop(): void {
    this.#lines.forget(this);
    const transport = this.#transport;
    if (transport instanceof H2Session) transport.destroy();
    else if (transport !== undefined && !transport.destroyed) transport.destroy(null, ignore);
    this.#socket?.destroy();
  }

  async close(): Promise<void> {
    const transport = this.#transport;
    this.drop();
    if (transport instanceof Client) await transport.destroy();
  }

  #openH2(socket: Socket): H2Session {
    const { origin, headerBytes } = this.#place;
    const { idleMs } = this.#lines.rules;
    return new H2Session(socket, { origin, headerBytes, idleMs, onClose: () => this.#onClose() });
  }

  /** The client takes the socket that is open, and opens others itself when that one is gone. */
  #openH1(first: Socket): Client {
    const { idleMs } = this.#lines.rules;
    const again = { ...this.#plan, allowH2: false };
    let ready: Socket | undefined = first;
    const client = new Client(this.#place.origin, {
      connect: (_, done) => {
        const socket = ready;
        ready = undefined;
        if (socket !== undefined) queueMicrotask(() => done(null, socket));
        else this.#connect(again, done);
      },
      pipelining: 1,
      maxHeaderSize: this.#place.headerBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      keepAliveTimeoutThreshold: 1_000,
    });
    client.on('disconnect', () => this.#onClose());
    return client;
  }

  #onClose(): void {
    if (this.#lines.isIdle(this)) this.drop();
  }

  #connect(plan: ConnectPlan, done: (...result: [null, Socket] | [Error, null]) => void): void {
    const { clock, addresses } = this.#lines.rules;
    const startedAt = clock.now();
    this.#socket = openSocket(plan, this.#lines.sessions, (fault, socket) => {
      if (socket === null) {
        const { reason, error } = fault;
        this.fault = { reason, detail: detailOf(error) };
        done(error, null);
        return;
      }
      const remote = socket.remoteAddress ?? plan.address;
      const verdict = addressVerdict(remote, addresses);
      if (!verdict.allowed) {
        this.fault = { reason: 'refused', detail: `${remote}: ${verdict.why}` };
        socket.destroy();
        done(new Error(verdict.why), null);
        return;
      }
      this.remoteAddress = remote;
      this.connectMs = clock.now() - startedAt;
      this.#describe(socket);
      done(null, socket);
    });
  }

  #describe(socket: Socket): void {
    if (this.#plan.isTls) {
      const { alpnProtocol, authorizationError } = socket as TLSSocket;
      this.tlsError = authorizationError ? String(authorizationError) : undefined;
      if (alpnProtocol === 'h2') {
        this.#version = '2';
        return;
      }
    }
    this.#watchVersion(socket);
  }

  /**
   * undici does not tell HTTP/1.0 from 1.1, so the first bytes of each answer are looked at on
   * their way to its parser: `HTTP/1.x`.
   */
  #watchVersion(socket: Socket): void {
    const read = socket.read;
    socket.read = (size?: number) => {
      const chunk = size === undefined ? read.call(socket) : read.call(socket, size);
      if (chunk !== null && this.#version === undefined) {
        this.#version = chunk[7] === 0x30 ? '1.0' : '1.1';
      }
      return chunk;
    };
  }
}

function planOf(place: Place, rules: LineRules): ConnectPlan {
  const { protocol, hostname, port } = new URL(place.origin);
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

function ignore(): void {}

/** For an error before there is anything to control. */
const NO_CONTROL: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: ignore,
  pause: ignore,
  resume: ignore,
};

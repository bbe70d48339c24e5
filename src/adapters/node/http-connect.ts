/**
 * Opens one connection to one address, and says exactly what went wrong when it cannot.
 *
 * The address is given, never looked up here: a name that answers differently the second time
 * changes nothing. TCP and TLS failures are told apart by how far the socket came, not by the
 * text of the error.
 */
import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { FailureReason } from '../../fetch/outcome.ts';

export interface ConnectPlan {
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
  /** For SNI and the certificate; undefined when the URL names an address. */
  readonly servername: string | undefined;
  readonly allowH2: boolean;
  readonly acceptBadTls: boolean;
}

export interface ConnectFault {
  readonly reason: Extract<FailureReason, 'connect' | 'tls'>;
  readonly error: Error;
}

export type Connected = (...result: [null, Socket] | [ConnectFault, null]) => void;

/** Where the bytes of a connection go, lent for the call alone. */
export interface Inbox {
  onBytes(bytes: Buffer, length: number): void;
}

/** `tls.connect` passes it on to the socket, though the types do not say so. */
type OnRead = Required<Pick<TcpNetConnectOpts, 'onread'>>;

/**
 * One for all connections: a read is heard of, and its bytes are copied, before the next is
 * made. A buffer for each read, as streams allocate, was a tenth of the crawl in garbage.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

const SESSIONS_MAX = 1_000;

/** TLS sessions by server, so that a later connection needs no whole handshake. */
export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();

  get(server: string): Buffer | undefined {
    return this.#sessions.get(server);
  }

  set(server: string, session: Buffer): void {
    this.#sessions.delete(server);
    this.#sessions.set(server, session);
    if (this.#sessions.size > SESSIONS_MAX) {
      for (const oldest of this.#sessions.keys()) {
        this.#sessions.delete(oldest);
        break;
      }
    }
  }
}

/** The socket is returned at once, so that a connection in progress can be given up. */
export function openSocket(
  plan: ConnectPlan,
  sessions: TlsSessions,
  inbox: Inbox,
  done: Connected,
): Socket {
  const onread = {
    buffer: READ_BUFFER,
    callback: (length: number, bytes: Uint8Array) => {
      inbox.onBytes(bytes as Buffer, length);
      return true;
    },
  };
  if (plan.isTls) return watch(openTls(plan, sessions, { onread }), 'tls', done);
  const { address: host, port } = plan;
  return watch(connectTcp({ host, port, noDelay: true, onread }), 'tcp', done);
}

/** TLS over a connection that is open; it reads as streams do, for no buffer can be lent to it. */
export function secureSocket(
  under: Socket,
  plan: ConnectPlan,
  sessions: TlsSessions,
  inbox: Inbox,
  done: Connected,
): void {
  const socket = openTls(plan, sessions, { socket: under });
  watch(socket, 'tls-only', (...result) => {
    const isH2 = socket.alpnProtocol === 'h2';
    if (result[1] !== null && !isH2) readAll(socket, inbox);
    done(...result);
  });
}

export function readAll(socket: Socket, inbox: Inbox): void {
  socket.on('data', (bytes: Buffer) => inbox.onBytes(bytes, bytes.length));
  socket.resume();
}

/**
 * Calls `done` once, when the connection is ready or cannot be, and lets go of it: a connection
 * outlives its first exchange, and would keep the answer to that as long as it is open.
 */
export function watch<S extends Socket>(
  socket: S,
  awaited: 'tcp' | 'tls' | 'tls-only',
  done: Connected,
): S {
  let isTcpOpen = awaited === 'tls-only';
  let waiting: Connected | undefined = done;
  const finish: Connected = (...result) => {
    const told = waiting;
    waiting = undefined;
    told?.(...result);
  };
  socket.once('connect', () => {
    isTcpOpen = true;
    if (awaited === 'tcp') finish(null, socket);
  });
  if (awaited !== 'tcp') socket.once('secureConnect', () => finish(null, socket));
  const fail = (error: Error) => finish({ reason: isTcpOpen ? 'tls' : 'connect', error }, null);
  socket.on('error', fail);
  socket.once('close', () => fail(new Error('closed before the connection was ready')));
  return socket;
}

function openTls(
  plan: ConnectPlan,
  sessions: TlsSessions,
  over: OnRead | { readonly socket: Socket },
): TLSSocket {
  const server = `${plan.servername ?? plan.address}:${plan.port}`;
  const session = sessions.get(server);
  const options: ConnectionOptions = {
    host: plan.address,
    port: plan.port,
    ALPNProtocols: plan.allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    rejectUnauthorized: !plan.acceptBadTls,
    ...(plan.servername !== undefined && { servername: plan.servername }),
    ...(session !== undefined && { session }),
    ...over,
  };
  const socket = connectTls(options);
  socket.setNoDelay(true);
  socket.on('session', (fresh: Buffer) => sessions.set(server, fresh));
  return socket;
}

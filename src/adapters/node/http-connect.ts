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

/** Passed on to the stream under the socket, though the types do not say so. */
interface StreamOptions {
  readonly highWaterMark: number;
}

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
export function openSocket(plan: ConnectPlan, sessions: TlsSessions, done: Connected): Socket {
  const socket = plan.isTls ? openTls(plan, sessions) : openTcp(plan);
  let isTcpOpen = false;
  let isDone = false;
  const finish: Connected = (...result) => {
    if (isDone) return;
    isDone = true;
    done(...result);
  };
  socket.once('connect', () => {
    isTcpOpen = true;
    if (!plan.isTls) finish(null, socket);
  });
  if (plan.isTls) socket.once('secureConnect', () => finish(null, socket));
  const fail = (error: Error) => finish({ reason: isTcpOpen ? 'tls' : 'connect', error }, null);
  socket.on('error', fail);
  socket.once('close', () => fail(new Error('closed before the connection was ready')));
  return socket;
}

function openTcp(plan: ConnectPlan): Socket {
  const { address: host, port } = plan;
  const options: TcpNetConnectOpts & StreamOptions = {
    host,
    port,
    noDelay: true,
    highWaterMark: 64 * 1024,
  };
  return connectTcp(options);
}

function openTls(plan: ConnectPlan, sessions: TlsSessions): TLSSocket {
  const server = `${plan.servername ?? plan.address}:${plan.port}`;
  const session = sessions.get(server);
  const options: ConnectionOptions & StreamOptions = {
    host: plan.address,
    port: plan.port,
    highWaterMark: 16 * 1024,
    ALPNProtocols: plan.allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    rejectUnauthorized: !plan.acceptBadTls,
    ...(plan.servername !== undefined && { servername: plan.servername }),
    ...(session !== undefined && { session }),
  };
  const socket = connectTls(options);
  socket.setNoDelay(true);
  socket.on('session', (fresh: Buffer) => sessions.set(server, fresh));
  return socket;
}

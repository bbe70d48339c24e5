/**
 * Connections through an HTTP proxy (`--proxy`): it is asked to CONNECT, and what it then passes
 * on is spoken to as if there were no proxy.
 *
 * The proxy opens the connections, so our pinned address and the check of the connected
 * address do not apply: what may be reached is then the proxy's to decide. The resolver's
 * check on the name's addresses still holds. The reported remote address is the proxy's host.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { HeadReader } from '../../fetch/http1-head.ts';
import {
  type Connected,
  type ConnectPlan,
  type Inbox,
  readAll,
  secureSocket,
  type TlsSessions,
  watch,
} from './http-connect.ts';

export interface ProxyServer {
  readonly name: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The value of Proxy-Authorization, when the URL named a user. */
  readonly credentials: string | undefined;
}

const HEADER_BYTES = 16 * 1024;

/** `http://user:password@host:port`; throws when it is no such URL. */
export function proxyOf(text: string): ProxyServer {
  const { protocol, hostname, port, username, password } = new URL(text);
  const isTls = protocol === 'https:';
  if (!isTls && protocol !== 'http:') throw new Error(`not an HTTP proxy: ${protocol}`);
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    name: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
    credentials: username === '' ? undefined : `Basic ${Buffer.from(secret).toString('base64')}`,
  };
}

/** As `openSocket`; `target` is the host and port of the origin. */
export function openThrough(
  proxy: ProxyServer,
  target: string,
  plan: ConnectPlan,
  sessions: TlsSessions,
  inbox: Inbox,
  done: Connected,
): Socket {
  const { name: host, port } = proxy;
  const socket = proxy.isTls ? connectTls({ host, port }) : connectTcp({ host, port });
  return watch(socket, proxy.isTls ? 'tls' : 'tcp', (...result) => {
    if (result[1] === null) {
      done({ reason: 'connect', error: result[0].error }, null);
      return;
    }
    askTunnel(socket, connectText(proxy, target), (fault) => {
      if (fault !== undefined) {
        socket.destroy();
        done({ reason: 'connect', error: new Error(fault) }, null);
      } else if (plan.isTls) secureSocket(socket, plan, sessions, inbox, done);
      else {
        readAll(socket, inbox);
        done(null, socket);
      }
    });
  });
}

function connectText({ credentials }: ProxyServer, target: string): string {
  const proof = credentials === undefined ? '' : `proxy-authorization: ${credentials}\r\n`;
  return `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${proof}\r\n`;
}

function askTunnel(socket: Socket, text: string, done: (fault?: string) => void): void {
  const heads = new HeadReader(HEADER_BYTES);
  const finish = (fault?: string) => {
    socket.off('data', heard).off('close', closed);
    done(fault);
  };
  const closed = () => finish('the proxy closed the connection');
  const heard = (bytes: Buffer) => {
    const end = heads.read(bytes, 0, bytes.length);
    if (end === -1) {
      if (heads.fault !== undefined) finish(`the proxy: ${heads.fault.detail}`);
      return;
    }
    const status = heads.head?.status ?? 0;
    if (status < 200 || status > 299) {
      finish(`the proxy answered ${status}`);
      return;
    }
    socket.pause();
    if (end < bytes.length) socket.unshift(bytes.subarray(end));
    finish();
  };
  socket.on('data', heard).once('close', closed);
  socket.write(text, 'latin1');
}

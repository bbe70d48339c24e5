/**
 * A connection to an address, with its channel, within a deadline.
 *
 * Who answers there is not known before the greeting; nothing is said to it before either.
 */
import { connect, type TLSSocket } from 'node:tls';
import type { Clock } from '../../ports/clock.ts';
import type { Unsent } from '../../ports/peers.ts';
import { Line } from './line.ts';
import { dialerChannel } from './secure.ts';

const PORT_MAX = 65_535;

export interface Dialled {
  readonly line: Line;
  /** Ends the deadline, which closes the line otherwise. */
  readonly inTime: () => void;
}

export interface DialParts {
  readonly sharedKey: Uint8Array;
  readonly clock: Clock;
  readonly dialMs: number;
  readonly frameBytesMax: number;
}

export async function dial(at: string, parts: DialParts): Promise<Dialled | Unsent> {
  const place = placeAt(at);
  if (place === undefined) return silent(`${at} is no address`);
  const { clock, dialMs } = parts;
  const stop = new AbortController();
  const inTime = () => stop.abort();
  const socket = connect({ ...place, ...dialerChannel(parts.sharedKey) });
  void clock.sleepUntil(clock.now() + dialMs, stop.signal).then(() => {
    if (!stop.signal.aborted) socket.destroy(new Error(`no answer in ${dialMs} ms`));
  });
  const problem = await opened(socket);
  if (problem === undefined) return { line: new Line(socket, parts.frameBytesMax), inTime };
  inTime();
  socket.destroy();
  return problem;
}

export function placeAt(at: string): { host: string; port: number } | undefined {
  const cut = at.lastIndexOf(':');
  const host = at.slice(0, cut).replace(/^\[(.*)\]$/, '$1');
  const port = Number(at.slice(cut + 1));
  return cut > 0 && Number.isInteger(port) && port >= 0 && port <= PORT_MAX
    ? { host, port }
    : undefined;
}

function opened(socket: TLSSocket): Promise<Unsent | undefined> {
  return new Promise((resolve) => {
    socket.on('secureConnect', () => resolve(undefined));
    // Kept for good: an error that nobody hears would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(failure(error)));
    socket.on('close', () => resolve(silent('the other end closed')));
  });
}

/** A channel that cannot be made with somebody who is there is one to a stranger. */
function failure({ code, message }: NodeJS.ErrnoException): Unsent {
  const isChannel = code?.startsWith('ERR_SSL') === true;
  if (!isChannel) return silent(message);
  return { kind: 'failed', why: 'stranger', detail: 'it has not the key of this ring' };
}

export function silent(detail: string): Unsent {
  return { kind: 'failed', why: 'silent', detail };
}

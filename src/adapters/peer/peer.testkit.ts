/** Nodes of one ring on loopback, and what stands between them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connect } from 'node:tls';
import type { Peers } from '../../ports/peers.ts';
import { certify, type Membership, sharedKeyOf } from '../../ring/index.ts';
import { SignKey } from '../../sign/index.ts';
import { systemClock } from '../node/index.ts';
import { GREETING_BYTES_MAX, greetAsDialer } from './greet.ts';
import { openPeers, type PeersOptions } from './index.ts';
import { Line } from './line.ts';
import { dialerChannel } from './secure.ts';

export const clock = systemClock();
const RING_KEY = new SignKey(Buffer.alloc(32, 250));
const DAY_MS = 86_400_000;

export function secretMember(secret = 'a secret of this ring'): Membership {
  return { kind: 'secret', secret: Buffer.from(secret) };
}

export interface CertificateCase {
  readonly by?: SignKey;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** A member by the ring's key, from a day ago to tomorrow if nothing else is said. */
export function certifiedMember(key: SignKey, it: CertificateCase = {}): Membership {
  const { by = RING_KEY, fromMs = -DAY_MS, untilMs = DAY_MS } = it;
  const now = clock.now();
  const node = key.publicJwk.x;
  const span = { from: now + fromMs, until: now + untilMs };
  const certificate = certify(by, { node, name: 'a node', ...span });
  return { kind: 'certificate', ring: RING_KEY.publicJwk.x, certificate };
}

export async function openNode(
  t: TestContext,
  options: Partial<PeersOptions> & Pick<PeersOptions, 'key'>,
): Promise<Peers> {
  const peers = await openPeers({
    membership: secretMember(),
    listen: '127.0.0.1:0',
    clock,
    ...options,
    limits: { dialMs: 1_000, ...options.limits },
  });
  t.after(() => peers.close());
  return peers;
}

/** Somebody who has the ring's shared key and a channel, and says what it likes. */
export async function insider(t: TestContext, at: string): Promise<Line> {
  const [host, port] = at.split(':');
  const key = sharedKeyOf(secretMember());
  const socket = connect({ host: host ?? '', port: Number(port), ...dialerChannel(key) });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  return new Line(socket, GREETING_BYTES_MAX);
}

/** An insider that was greeted under its key: a member that may go mad now. */
export async function madMember(t: TestContext, at: string, key: SignKey): Promise<Line> {
  const line = await insider(t, at);
  const life = Buffer.alloc(8, 1);
  const me = { key, at: '127.0.0.1:9', life, membership: secretMember() };
  const greeting = await greetAsDialer({ me, clock }, line);
  assert.equal(greeting.kind, 'known');
  return line;
}

export interface Wiretap {
  readonly at: string;
  /** What dialers sent and what they got, all of it. */
  readonly sent: Buffer[];
  readonly got: Buffer[];
  /** What becomes of a piece on its way to the listener; undefined: nothing arrives any more. */
  change: (piece: Buffer) => Buffer | undefined;
}

/** Somebody between two nodes, who sees and may change every byte. */
export async function wiretap(t: TestContext, to: string): Promise<Wiretap> {
  const [host, port] = to.split(':');
  const sockets: Socket[] = [];
  const server = createServer((dialer) => {
    const listener = connectTcp(Number(port), host);
    sockets.push(dialer, listener);
    dialer.on('data', (piece) => {
      tap.sent.push(piece);
      const changed = tap.change(piece);
      if (changed !== undefined) listener.write(changed);
    });
    listener.on('data', (piece) => {
      tap.got.push(piece);
      if (tap.change(Buffer.alloc(0)) !== undefined) dialer.write(piece);
    });
    for (const [one, other] of [
      [dialer, listener],
      [listener, dialer],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tap: Wiretap = { at, sent: [], got: [], change: (piece) => piece };
  return tap;
}

/** Resolves at a turn of the loop at which it holds; a test's own limit ends one that never does. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

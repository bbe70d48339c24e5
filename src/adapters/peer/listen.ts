/**
 * The door: connections that have proven nothing yet, few and not for long.
 *
 * Each has `greetMs` from its first packet on, however it drips. When all places are taken the
 * oldest gives way: who floods must come faster than a greeting takes to keep a member out. And
 * who comes too often is sent away before there is a channel, which costs more than a socket.
 */
import { createServer, type Server, type Socket } from 'node:net';
import {
  type Server as Channels,
  createServer as createChannels,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import type { Instant } from '../../base/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PeerLimits } from './limits.ts';

export interface DoorParts {
  readonly channel: TlsOptions;
  readonly clock: Clock;
  readonly limits: PeerLimits;
  /** Resolves when it is known who that is, or that it is nobody. */
  readonly greet: (socket: TLSSocket) => Promise<void>;
  readonly failed: (why: 'stranger' | 'slow' | 'full') => void;
}

interface Waiting {
  readonly socket: Socket;
  readonly stop: AbortController;
}

const SECOND_MS = 1_000;
/** A member in a flood waits its turn in the kernel, and is not overlooked. */
const BACKLOG = 4_096;

export class Door {
  readonly server: Server;
  readonly #channels: Channels;
  /** Who came in this second, and how often. */
  readonly #arrivals = new Map<string, number>();
  #secondFrom: Instant = 0;
  #allArrivals = 0;
  readonly #waiting = new Map<string, Waiting>();
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.server = createServer((socket) => this.#arrived(socket));
    // Never listens: it is given the sockets that may come in.
    this.#channels = createChannels(parts.channel);
    this.#channels.on('tlsClientError', (_error, socket: TLSSocket) => {
      parts.failed('stranger');
      socket.destroy();
    });
    this.#channels.on('secureConnection', (socket: TLSSocket) => void this.#secured(socket));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, backlog: BACKLOG }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** Nobody comes in any more, and who waits is sent away. */
  close(): void {
    this.server.close();
    for (const [from, { socket }] of this.#waiting) {
      this.#left(from);
      socket.destroy();
    }
  }

  #arrived(socket: Socket): void {
    const { clock, limits, failed } = this.#parts;
    socket.on('error', () => socket.destroy());
    if (this.#isTooOften(socket.remoteAddress ?? '')) {
      failed('full');
      socket.destroy();
      return;
    }
    const [oldest] = this.#waiting;
    if (oldest !== undefined && this.#waiting.size >= limits.unprovenMax) {
      failed('full');
      this.#left(oldest[0]);
      oldest[1].socket.destroy();
    }
    const from = nameOf(socket);
    const stop = new AbortController();
    this.#waiting.set(from, { socket, stop });
    socket.on('close', () => {
      if (this.#waiting.get(from)?.socket === socket) this.#left(from);
    });
    void clock.sleepUntil(clock.now() + limits.greetMs, stop.signal).then(() => {
      if (stop.signal.aborted) return;
      failed('slow');
      this.#left(from);
      socket.destroy();
    });
    this.#channels.emit('connection', socket);
  }

  #isTooOften(address: string): boolean {
    const { clock, limits } = this.#parts;
    const now = clock.now();
    if (now - this.#secondFrom >= SECOND_MS) {
      this.#secondFrom = now;
      this.#allArrivals = 0;
      this.#arrivals.clear();
    }
    const arrivals = this.#arrivals.get(address) ?? 0;
    if (arrivals >= limits.arrivalsMax || this.#allArrivals >= limits.allArrivalsMax) return true;
    this.#arrivals.set(address, arrivals + 1);
    this.#allArrivals++;
    return false;
  }

  async #secured(socket: TLSSocket): Promise<void> {
    const from = nameOf(socket);
    await this.#parts.greet(socket);
    this.#left(from);
  }

  #left(from: string): void {
    this.#waiting.get(from)?.stop.abort();
    this.#waiting.delete(from);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * The door: connections that have proven nothing yet, few and not for long.
 *
 * Each has `greetMs` from its first packet on, however it drips. When all places are taken the
 * oldest gives way: who floods must come faster than a greeting takes to keep a member out.
 */
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
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

export class Door {
  readonly server: Server;
  readonly #waiting = new Map<string, Waiting>();
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.server = createServer(parts.channel);
    this.server.on('connection', (socket: Socket) => this.#arrived(socket));
    this.server.on('tlsClientError', (_error, socket: TLSSocket) => {
      parts.failed('stranger');
      socket.destroy();
    });
    this.server.on('secureConnection', (socket: TLSSocket) => void this.#secured(socket));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
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
    const [oldest] = this.#waiting;
    if (oldest !== undefined && this.#waiting.size >= limits.unprovenMax) {
      failed('full');
      this.#left(oldest[0]);
      oldest[1].socket.destroy();
    }
    const from = nameOf(socket);
    const stop = new AbortController();
    this.#waiting.set(from, { socket, stop });
    socket.on('close', () => this.#left(from));
    void clock.sleepUntil(clock.now() + limits.greetMs, stop.signal).then(() => {
      if (stop.signal.aborted) return;
      failed('slow');
      this.#left(from);
      socket.destroy();
    });
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

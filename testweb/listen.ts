/**
 * One port on many loopback addresses.
 *
 * Every host has an address of its own, 127.x.y.z, and each is bound separately: 0.0.0.0 would
 * open the test web to the network. The port is found by asking for any on the first address
 * and trying it on the rest.
 */
import { createServer, type Server, type Socket } from 'node:net';

const BATCH = 256;
const PORT_TRIES = 20;

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** `onSocket` gets every connection and the address that it came to. */
export async function listenOn(
  addresses: readonly string[],
  port: number,
  onSocket: (socket: Socket, address: string) => void,
): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const open = new Listeners(onSocket);
    try {
      const found = await open.bind(addresses[0]!, port);
      await open.bindAll(addresses.slice(1), found);
      return { port: found, close: () => open.close() };
    } catch (error) {
      await open.close();
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || port !== 0 || attempt === PORT_TRIES) throw error;
    }
  }
}

class Listeners {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #onSocket: (socket: Socket, address: string) => void;

  constructor(onSocket: (socket: Socket, address: string) => void) {
    this.#onSocket = onSocket;
  }

  bind(address: string, port: number): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      this.#onSocket(socket, address);
    });
    return new Promise((done, fail) => {
      server.once('error', fail);
      server.listen({ host: address, port, backlog: 511 }, () => {
        this.#servers.push(server);
        server.off('error', fail);
        done((server.address() as { port: number }).port);
      });
    });
  }

  async bindAll(addresses: readonly string[], port: number): Promise<void> {
    for (let at = 0; at < addresses.length; at += BATCH) {
      const batch = addresses.slice(at, at + BATCH);
      const bound = await Promise.allSettled(batch.map((address) => this.bind(address, port)));
      for (const result of bound) if (result.status === 'rejected') throw result.reason;
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      this.#servers.map((server) => new Promise<void>((done) => server.close(() => done()))),
    );
  }
}

/**
 * A line to a server that can be cut: a TCP relay on loopback, for what happens to a client when
 * the connection goes, also between its question and the answer.
 */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export class Line {
  readonly #server = createServer((client) => this.#relay(client));
  readonly #sockets = new Set<Socket>();
  readonly #to: { readonly host: string; readonly port: number };
  #isCut = false;
  /** What is to happen once a word has reached the server. */
  #watch:
    | { readonly word: Buffer; readonly act: (client: Socket, server: Socket) => void }
    | undefined;

  private constructor(host: string, port: number) {
    this.#to = { host, port };
  }

  /** `url` names the server; `line.url` is the same server by way of the line. */
  static async to(url: string): Promise<Line & { readonly url: string }> {
    const target = new URL(url);
    const line = new Line(target.hostname, Number(target.port));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    target.port = `${(line.#server.address() as { port: number }).port}`;
    return Object.assign(line, { url: target.href });
  }

  /** Every connection ends at once, and no new one is made until mend(). */
  cut(): void {
    this.refuse();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** No new connection is made until mend(). */
  refuse(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
  }

  /** Once this word has reached the server, nothing comes back any more: resolves when cut. */
  cutAfter(word: string): Promise<void> {
    return this.#after(word, (client, server) => {
      server.removeAllListeners('data').resume();
      client.destroy();
    });
  }

  /**
   * Once this word has reached the server, that connection is silent both ways, and open until
   * one end closes it: as if the other had been stopped. Resolves when it is.
   */
  hangAfter(word: string): Promise<void> {
    return this.#after(word, (client, server) => {
      for (const socket of [client, server]) socket.removeAllListeners('data').resume();
    });
  }

  #after(word: string, act: (client: Socket, server: Socket) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#watch = {
        word: Buffer.from(word),
        act: (client, server) => {
          act(client, server);
          resolve();
        },
      };
    });
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
  }

  #relay(client: Socket): void {
    if (this.#isCut) return void client.destroy();
    const server = connect(this.#to);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
    server.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => this.#forward(bytes, client, server));
  }

  #forward(bytes: Buffer, client: Socket, server: Socket): void {
    server.write(bytes);
    const watch = this.#watch;
    if (watch === undefined || !bytes.includes(watch.word)) return;
    this.#watch = undefined;
    watch.act(client, server);
  }
}

/**
 * The network between the nodes of a ring, for one that can be cut in two: each node announces a
 * relay on its own loopback address, and whoever wants it comes through there.
 *
 *   node 127.0.0.2 ──▶ relay of 127.0.0.5 ──▶ node 127.0.0.5
 *                      who dials? the process whose socket it is (Linux: /proc)
 *
 * A cut is silence, as of a network: nothing is closed, what is said waits, a new connection gets
 * no answer. When it is healed what waited arrives, as TCP would send it again.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One connection through a relay. */
interface Passage {
  readonly from: string | undefined;
  readonly to: string;
  readonly ends: Socket[];
  isSilent: boolean;
  /** What is done when it may go on. */
  proceed: () => void;
}

export interface Relay {
  /** What the node announces, `host:port`. */
  readonly announce: string;
  /** Where the node itself must listen. */
  readonly listen: string;
  close(): void;
}

export class RingLines {
  /** The host that each process is at. */
  readonly #hosts = new Map<number, string>();
  readonly #passages = new Set<Passage>();
  #isCut: (from: string, to: string) => boolean = () => false;
  /** Connections that came since the start, and those whose process was not found. */
  readonly counts = { passages: 0, unknown: 0 };

  /** A relay on a host for the node that will be there. */
  async relay(host: string): Promise<Relay> {
    const listen = `${host}:${await freePort(host)}`;
    const server = createServer({ pauseOnConnect: true }, (client) => {
      this.#relay(client, host, listen);
    });
    server.listen(0, host);
    await once(server, 'listening');
    const close = () => {
      server.close();
      for (const { to, ends } of this.#passages) {
        if (to === host) for (const end of ends) end.destroy();
      }
    };
    return { announce: `${host}:${portOf(server)}`, listen, close };
  }

  /** The process is the node at this host. */
  settle(host: string, pid: number): void {
    for (const [one, at] of this.#hosts) if (at === host) this.#hosts.delete(one);
    this.#hosts.set(pid, host);
  }

  /** Between these hosts and all others nothing passes until heal(). */
  cut(hosts: ReadonlySet<string>): void {
    this.#isCut = (from, to) => hosts.has(from) !== hosts.has(to);
    for (const passage of this.#passages) {
      passage.isSilent = this.#isBetween(passage.from, passage.to);
      if (passage.isSilent) for (const end of passage.ends) end.pause();
    }
  }

  heal(): void {
    this.#isCut = () => false;
    for (const passage of [...this.#passages]) {
      if (!passage.isSilent) continue;
      passage.isSilent = false;
      passage.proceed();
    }
  }

  #isBetween(from: string | undefined, to: string): boolean {
    return from !== undefined && this.#isCut(from, to);
  }

  #relay(client: Socket, to: string, listen: string): void {
    this.counts.passages++;
    const from = this.#dialer(client.remotePort ?? 0);
    if (from === undefined) this.counts.unknown++;
    const isSilent = this.#isBetween(from, to);
    const passage: Passage = { from, to, isSilent, ends: [client], proceed: () => {} };
    this.#passages.add(passage);
    client.on('error', () => undefined);
    client.on('close', () => {
      this.#passages.delete(passage);
      passage.ends[1]?.destroy();
    });
    passage.proceed = () => join(passage, client, listen);
    if (!isSilent) passage.proceed();
  }

  #dialer(port: number): string | undefined {
    const inode = inodeOf(port);
    for (const [pid, host] of this.#hosts) if (inode && hasSocket(pid, inode)) return host;
    return undefined;
  }
}

/** No relay: the node announces where it listens. */
export async function straightTo(host: string): Promise<Relay> {
  const listen = `${host}:${await freePort(host)}`;
  return { announce: listen, listen, close: () => {} };
}

function join(passage: Passage, client: Socket, listen: string): void {
  const [host, port] = listen.split(':');
  const server = connect({ host: host as string, port: Number(port) });
  passage.ends.push(server);
  passage.proceed = () => {
    for (const end of passage.ends) end.resume();
  };
  server.on('error', () => undefined);
  server.on('close', () => client.destroy());
  forward(passage, client, server);
  forward(passage, server, client);
}

/** Not pipe(): it would read on from a cut line whenever the other end has drained. */
function forward(passage: Passage, from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    // Who does not read is not read for either: the sender must notice.
    if (!to.write(bytes)) from.pause();
  });
  to.on('drain', () => {
    if (!passage.isSilent) from.resume();
  });
  from.on('end', () => to.end());
  from.resume();
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

const [LOCAL, STATE, INODE] = [1, 3, 9];
const ESTABLISHED = '01';

/** Of the socket on this machine with this local port: that of whoever dialled. */
function inodeOf(port: number): string | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    if (!line.includes(`:${hex} `)) continue;
    const fields = line.trim().split(/\s+/);
    const isIts = fields[LOCAL]?.endsWith(`:${hex}`) && fields[STATE] === ESTABLISHED;
    if (isIts) return fields[INODE];
  }
  return undefined;
}

function hasSocket(pid: number, inode: string): boolean {
  try {
    const open = readdirSync(`/proc/${pid}/fd`);
    return open.some((fd) => isSocket(`/proc/${pid}/fd/${fd}`, inode));
  } catch {
    return false;
  }
}

function isSocket(path: string, inode: string): boolean {
  try {
    return readlinkSync(path) === `socket:[${inode}]`;
  } catch {
    // It was closed between the two looks.
    return false;
  }
}

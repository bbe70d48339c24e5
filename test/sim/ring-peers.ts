/**
 * The network between ring nodes of one process, in virtual time: messages take a moment, keep
 * their order between two nodes, and are heard when the node that they are for runs (process.ts).
 */
import { createHash } from 'node:crypto';
import type { Met, Peers, Sent, Unsent } from '../../src/ports/peers.ts';
import { type Peer, placeOf } from '../../src/ring/index.ts';
import type { VirtualClock } from './clock.ts';
import type { Process } from './process.ts';

const LATENCY_MS = 3;
const SILENCE_MS = 2_000;

type Receiver = (from: Peer, message: Uint8Array) => boolean;

export class PeerNet {
  readonly clock: VirtualClock;
  readonly stations = new Map<string, Station>();
  messages = 0;
  /** Nothing passes between these and all others. */
  cut: ReadonlySet<string> = new Set();
  /** What becomes of a message: how often it is heard. */
  heard: () => number = () => 1;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** A node is known by its name, wherever it starts again. */
  open(name: string, process: Process): Peers {
    const station = new Station(this, name, process);
    this.stations.set(station.me.at, station);
    return station;
  }

  reach(from: string, to: string): Station | undefined {
    const isCut = this.cut.has(from) !== this.cut.has(to);
    const station = this.stations.get(to);
    return isCut || station?.isDead ? undefined : station;
  }
}

class Station implements Peers {
  readonly me: Peer;
  readonly #net: PeerNet;
  readonly #process: Process;
  #receiver: Receiver = () => true;
  #isClosed = false;

  constructor(net: PeerNet, name: string, process: Process) {
    this.#net = net;
    this.#process = process;
    const key = createHash('sha256').update(name).digest();
    this.me = { id: key.toString('base64url'), place: placeOf(key), at: `${name}:7946` };
  }

  get isDead(): boolean {
    return this.#isClosed || this.#process.isDead;
  }

  async send(to: Peer, message: Uint8Array): Promise<Sent> {
    const net = this.#net;
    if (this.isDead) return failed('closed');
    net.messages++;
    const copy = Buffer.from(message);
    await this.#process.through(net.clock.sleepUntil(net.clock.now() + LATENCY_MS));
    const station = net.reach(this.me.at, to.at);
    if (station === undefined) {
      await this.#process.through(net.clock.sleepUntil(net.clock.now() + SILENCE_MS));
      return failed('silent');
    }
    for (let times = net.heard(); times > 0; times--) void station.hear(this.me, copy);
    return { kind: 'sent' };
  }

  async meet(at: string): Promise<Met> {
    const net = this.#net;
    await this.#process.through(net.clock.sleepUntil(net.clock.now() + 2 * LATENCY_MS));
    const station = net.reach(this.me.at, at);
    return station === undefined ? failed('silent') : { kind: 'met', peer: station.me };
  }

  receive(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  async hear(from: Peer, message: Uint8Array): Promise<void> {
    await this.#process.hear(() => {
      if (!this.#isClosed) this.#receiver(from, message);
    });
  }

  counts() {
    const none = { sessions: 0, unproven: 0, strangers: 0, otherVersions: 0 };
    return { ...none, idTaken: 0, full: 0, nonsense: 0, slow: 0 };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

function failed(why: Unsent['why']): Unsent {
  return { kind: 'failed', why, detail: why };
}

/**
 * `Peers` over TLS and TCP: who comes to the door, who is dialled, and what is said.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Met, PeerCounts, Peers, Sent, Unsent } from '../../ports/peers.ts';
import {
  type Introduction,
  type Membership,
  type Peer,
  SECRET_BYTES_MIN,
  selfAt,
  sharedKeyOf,
} from '../../ring/index.ts';
import type { SignKey } from '../../sign/index.ts';
import { dial, placeAt } from './dial.ts';
import {
  answerDialer,
  GREETING_BYTES_MAX,
  type Greeter,
  greetAsDialer,
  hearDialer,
  refuseDialer,
} from './greet.ts';
import { PEER_LIMITS, type PeerLimits } from './limits.ts';
import { Line } from './line.ts';
import { Door } from './listen.ts';
import { listenerChannel } from './secure.ts';
import { Session } from './session.ts';
import { Sessions } from './sessions.ts';

export interface PeersOptions {
  readonly key: SignKey;
  readonly membership: Membership;
  /** Where to listen, `host:port`; port 0 takes any that is free. */
  readonly listen: string;
  /** Where others find this node, when that is not where it listens. */
  readonly announce?: string;
  readonly clock: Clock;
  readonly limits?: Partial<PeerLimits>;
  /** The version to speak; another than ours only where that is tested. */
  readonly version?: number;
}

export async function openPeers(options: PeersOptions): Promise<Peers> {
  const { membership } = options;
  if (membership.kind === 'secret' && membership.secret.length < SECRET_BYTES_MIN) {
    const hint = 'Make one that nobody can guess: openssl rand -base64 32';
    const what = `The join secret is shorter than ${SECRET_BYTES_MIN} bytes`;
    throw new CrawlError('E_CONFIG', what, hint);
  }
  const limits = { ...PEER_LIMITS, ...options.limits };
  const ended = { strangers: 0, otherVersions: 0, idTaken: 0, full: 0, nonsense: 0, slow: 0 };
  let peers: TlsPeers | undefined;
  const door = new Door({
    channel: listenerChannel(sharedKeyOf(membership)),
    clock: options.clock,
    limits,
    greet: async (socket) => peers?.greeted(socket),
    failed: (why) => {
      ended[why === 'stranger' ? 'strangers' : why]++;
    },
  });
  peers = new TlsPeers(options, limits, door, await listening(door, options), ended);
  return peers;
}

async function listening(door: Door, { key, listen, announce }: PeersOptions): Promise<Peer> {
  const hint = 'Give an address of this machine and a free port, such as 192.0.2.7:7400';
  const place = placeAt(listen);
  if (place === undefined) throw new CrawlError('E_CONFIG', `${listen} is no address`, hint);
  try {
    await door.listen(place.host, place.port);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another process does already' : code;
    throw new CrawlError('E_CONFIG', `Nobody can listen at ${listen}: ${why}`, hint, cause);
  }
  const { port } = door.server.address() as AddressInfo;
  const at = announce ?? `${listen.slice(0, listen.lastIndexOf(':'))}:${port}`;
  const me = selfAt(key, at);
  if (me !== undefined) return me;
  door.close();
  throw new CrawlError('E_CONFIG', `${at} is no address`, hint);
}

type EndedCounts = Record<Exclude<keyof PeerCounts, 'sessions' | 'unproven'>, number>;
type Opened = Session | Unsent;

class TlsPeers implements Peers {
  readonly me: Peer;
  readonly #options: PeersOptions;
  readonly #limits: PeerLimits;
  readonly #sharedKey: Uint8Array;
  readonly #life = randomBytes(8);
  readonly #sessions: Sessions;
  readonly #door: Door;
  readonly #dials = new Map<string, Promise<Opened>>();
  readonly #closing = new AbortController();
  readonly #ended: EndedCounts;
  #receiver: (from: Peer, message: Uint8Array) => boolean = () => true;

  constructor(options: PeersOptions, limits: PeerLimits, door: Door, me: Peer, ended: EndedCounts) {
    this.me = me;
    this.#options = options;
    this.#limits = limits;
    this.#sharedKey = sharedKeyOf(options.membership);
    this.#sessions = new Sessions(limits);
    this.#door = door;
    this.#ended = ended;
    void this.#sweep();
  }

  receive(receiver: (from: Peer, message: Uint8Array) => boolean): void {
    this.#receiver = receiver;
  }

  counts(): PeerCounts {
    return { sessions: this.#sessions.count, unproven: this.#door.waiting, ...this.#ended };
  }

  async send(to: Peer, message: Uint8Array): Promise<Sent> {
    if (message.length > this.#limits.messageBytesMax) {
      return { kind: 'failed', why: 'too-long', detail: `${message.length} bytes` };
    }
    if (this.#closing.signal.aborted) return CLOSED;
    // Without a wait where there is a session: what is sent first goes first.
    const session = this.#sessions.to(to.id) ?? (await this.#dialled(to.at, to.id));
    if (!(session instanceof Session)) return session;
    if (session.peer.id !== to.id) return another(session.peer);
    if (session.send(message)) return { kind: 'sent' };
    return { kind: 'failed', why: 'busy', detail: 'it does not read' };
  }

  async meet(at: string): Promise<Met> {
    const session = await this.#dialled(at, undefined);
    return session instanceof Session ? { kind: 'met', peer: session.peer } : session;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#door.close();
    await Promise.allSettled(this.#dials.values());
    await this.#sessions.closeAll(this.#options.clock);
  }

  /** Two who want the same node wait for one dial. */
  #dialled(at: string, id: string | undefined): Promise<Opened> {
    const name = `${at} ${id ?? ''}`;
    const open = this.#dials.get(name);
    if (open !== undefined) return open;
    if (this.#closing.signal.aborted) return Promise.resolve(CLOSED);
    if (this.#dials.size >= this.#limits.dialsMax) return Promise.resolve(BUSY);
    const dialling = this.#dial(at, id).finally(() => this.#dials.delete(name));
    this.#dials.set(name, dialling);
    return dialling;
  }

  async #dial(at: string, id: string | undefined): Promise<Opened> {
    const { clock } = this.#options;
    const { dialMs } = this.#limits;
    const parts = { sharedKey: this.#sharedKey, clock, dialMs, frameBytesMax: GREETING_BYTES_MAX };
    const dialled = await dial(at, parts);
    if ('kind' in dialled) return dialled;
    const { line, inTime } = dialled;
    const greeting = await greetAsDialer(this.#greeter(), line);
    inTime();
    if (greeting.kind === 'refused') return this.#left(line, { ...greeting, kind: 'failed' });
    const { peer, life } = greeting;
    if (id !== undefined && peer.id !== id) return this.#left(line, another(peer));
    if (this.#closing.signal.aborted) return this.#left(line, CLOSED);
    const session = this.#session(line, peer, life, true);
    const answer = await this.#admit(session, () => {});
    if (answer === 'welcome') return session;
    return this.#left(line, { kind: 'failed', why: answer, detail: 'this end holds another' });
  }

  #left(line: Line, why: Unsent): Unsent {
    line.close(why.detail);
    return why;
  }

  async greeted(socket: TLSSocket): Promise<void> {
    const line = new Line(socket, GREETING_BYTES_MAX);
    const greeter = this.#greeter();
    const greeting = await hearDialer(greeter, line);
    if (greeting.kind === 'refused') {
      const { why } = greeting;
      if (why === 'version') this.#ended.otherVersions++;
      else this.#ended.strangers++;
      if (why !== 'silent') await refuseDialer(greeter.me, line, why);
      return;
    }
    const { peer, life } = greeting;
    const welcome = () => answerDialer(greeter.me, line, 'welcome');
    const answer = await this.#admit(this.#session(line, peer, life, false), welcome);
    if (answer !== 'welcome') await refuseDialer(greeter.me, line, answer);
  }

  async #admit(session: Session, welcome: () => void) {
    const { clock } = this.#options;
    const isMe = session.peer.id === this.me.id;
    const answer = isMe
      ? 'id-taken'
      : await this.#sessions.admit(session, () => clock.now(), welcome);
    if (answer === 'id-taken') this.#ended.idTaken++;
    if (answer === 'full') this.#ended.full++;
    return answer;
  }

  #session(line: Line, peer: Peer, life: string, isDialled: boolean): Session {
    const { clock } = this.#options;
    const hear = (from: Peer, message: Uint8Array) => {
      if (this.#closing.signal.aborted) return true;
      const makesSense = this.#receiver(from, message);
      if (!makesSense) this.#ended.nonsense++;
      return makesSense;
    };
    return new Session({ line, peer, life, isDialled, clock, limits: this.#limits, hear });
  }

  #greeter(): Greeter {
    const { key, membership, clock, version } = this.#options;
    const me: Introduction = { key, at: this.me.at, life: this.#life, membership };
    return { me: version === undefined ? me : { ...me, version }, clock };
  }

  async #sweep(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleepUntil(clock.now() + this.#limits.idleMs / 4, signal);
      this.#sessions.closeIdle(clock.now());
    }
  }
}

const CLOSED: Unsent = { kind: 'failed', why: 'closed', detail: 'this end is closed' };
const BUSY: Unsent = { kind: 'failed', why: 'busy', detail: 'too many dials at once' };

function another({ id }: Peer): Unsent {
  return { kind: 'failed', why: 'another', detail: `the node ${id} answers there` };
}

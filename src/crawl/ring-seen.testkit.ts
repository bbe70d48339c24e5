/**
 * A ring that stands still, for tests of how one is seen: nodes with keys, their reports as those
 * of a settled ring would be, and calls between them in this process. A test says who is silent,
 * who dies, who lies.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { CallHandler, RingCalls } from '../ports/ring-calls.ts';
import type { RingArc, RingLookup, RingReport } from '../ports/ring-report.ts';
import { type Found, type Peer, type Position, peerFrom, plusPower } from '../ring/index.ts';
import { ARCS } from '../url/index.ts';
import { endOf } from './ring-arcs-lines.ts';
import { makeRingAnswers, type RingAnswers, type RingSource } from './ring-survey.ts';

const SEATS = 5;
const SUCCESSORS = 4;
const FINGERS = 64;

export class StillRing {
  readonly clock: Clock;
  /** Clockwise from zero; those that live. */
  peers: readonly Peer[];
  /** By place: they hear, and say nothing. */
  readonly silent = new Set<string>();
  /** By place: what they say instead. */
  readonly lies = new Map<string, (true_: Uint8Array) => Uint8Array>();
  readonly epochs = new Array<number>(ARCS).fill(1);
  readonly handing = new Set<number>();
  readonly lookups = new Map<string, RingLookup[]>();
  asked = 0;
  #open = 0;
  mostAtOnce = 0;
  readonly #answers = new Map<string, CallHandler>();
  readonly #opened = new Map<string, RingAnswers>();

  constructor(nodes: number, clock: Clock) {
    this.clock = clock;
    const peers = Array.from({ length: nodes }, (_, i) => peerOf(i));
    this.peers = peers.sort((a, b) => (a.place < b.place ? -1 : 1));
    for (const peer of this.peers) this.answersOf(peer);
  }

  answersOf(peer: Peer): RingAnswers {
    const known = this.#opened.get(peer.id);
    if (known !== undefined) return known;
    const made = makeRingAnswers(this.sourceOf(peer), this.#callsOf(peer), this.clock);
    this.#opened.set(peer.id, made);
    return made;
  }

  sourceOf(me: Peer): RingSource {
    return {
      report: () => this.reportOf(me),
      lookup: async (key) => this.#look(me, key),
    };
  }

  /** Gone: its neighbours have noticed, and its arcs have others, in their next epochs. */
  kill(peer: Peer): void {
    const owned = arcsNumbered().filter((arc) => this.seatsOf(arc)[0]?.id === peer.id);
    this.peers = this.peers.filter(({ id }) => id !== peer.id);
    this.silent.add(peer.place);
    for (const arc of owned) this.epochs[arc] = (this.epochs[arc] as number) + 1;
  }

  /** The owner, and who else keeps it. */
  seatsOf(arc: number): readonly Peer[] {
    return this.#from(endOf(arc), Math.min(SEATS, this.peers.length));
  }

  reportOf(me: Peer): RingReport {
    const nth = this.peers.findIndex(({ id }) => id === me.id);
    const many = this.peers.length;
    const at = (i: number) => this.peers[(nth + i + many) % many] as Peer;
    const successors = Array.from({ length: Math.min(SUCCESSORS, many - 1) }, (_, i) => at(i + 1));
    const lookups = this.lookups.get(me.id) ?? [];
    return {
      ...{ me, status: 'member', at: this.clock.now(), successors, fingers: this.#fingersOf(me) },
      before: many > 1 ? at(-1) : undefined,
      arcs: arcsNumbered().flatMap((arc) => this.#arcOf(arc, me)),
      counts: {
        ...{ ownerships: 20, losses: 3, handOvers: 2, staleRefused: 1, staleTold: 0 },
        ...{ messagesIn: 9_000, messagesOut: 9_100, bytesIn: 4e6, bytesOut: 5e6 },
        ...{ rowBytesIn: 1e6, rowBytesOut: 2e6, strangers: 0, nonsense: 0 },
        ...{ lookups: 40, lookupHops: 90, lent: 70, lentSettled: 60, lentLost: 7 },
        ...{ borrowed: 8, borrowedSettled: 5, borrowedLost: 2 },
      },
      ...{ lookups, totals: { known: 5_000, waiting: 3_000, fetched: 2_000 } },
    };
  }

  #arcOf(arc: number, me: Peer): RingArc[] {
    const seats = this.seatsOf(arc).map(({ place }) => place);
    if (!seats.includes(me.place)) return [];
    const [owner, epoch] = [seats[0], this.epochs[arc] as number];
    if (owner !== me.place) return [{ arc, epoch, role: 'seat', owner, seats }];
    const isHanding = this.handing.has(arc);
    const level = seats.filter((place) => !this.silent.has(place)).length;
    return [{ arc, epoch, role: 'owner', owner, seats, level, isHanding }];
  }

  #fingersOf(me: Peer): Peer[] {
    const places = Array.from({ length: FINGERS }, (_, power) => plusPower(me.place, power));
    const fingers = new Map(places.flatMap((place) => this.#from(place, 1)).map((p) => [p.id, p]));
    fingers.delete(me.id);
    return [...fingers.values()];
  }

  #look(me: Peer, key: Position): Found | undefined {
    const [owner] = this.#from(key, 1);
    if (owner === undefined || this.silent.has(owner.place)) return undefined;
    const at = this.clock.now();
    const found = { key, owner, range: undefined, hops: owner.id === me.id ? 0 : 2, at };
    const seen = { key, owner: owner.place, hops: found.hops, ms: 1.5, at };
    this.lookups.set(me.id, [seen, ...(this.lookups.get(me.id) ?? [])].slice(0, 8));
    return found;
  }

  #from(place: Position, many: number): Peer[] {
    const first = Math.max(
      0,
      this.peers.findIndex((peer) => peer.place >= place),
    );
    return Array.from(
      { length: many },
      (_, i) => this.peers[(first + i) % this.peers.length] as Peer,
    );
  }

  #callsOf(me: Peer): RingCalls {
    return {
      askOwner: () => Promise.reject(new Error('nothing is asked of owners here')),
      tryOwner: () => Promise.reject(new Error('nothing is asked of owners here')),
      askNode: async (to, _topic, question) => {
        this.asked++;
        this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open);
        await new Promise(setImmediate);
        this.#open--;
        const answer = this.silent.has(to.place) ? undefined : this.#answers.get(to.id);
        const said = await answer?.(question, undefined, me);
        return said && (this.lies.get(to.place)?.(said) ?? said);
      },
      serve: (_topic, answer) => void this.#answers.set(me.id, answer),
    };
  }
}

function arcsNumbered(): number[] {
  return Array.from({ length: ARCS }, (_, arc) => arc);
}

export function peerOf(nth: number): Peer {
  const id = createHash('sha256').update(`node ${nth}`).digest('base64url');
  return peerFrom({ id, at: `127.0.0.1:${7_946 + nth}` }) as Peer;
}

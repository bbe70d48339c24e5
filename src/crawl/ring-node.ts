/**
 * A node of a ring: where it stands, the arcs that it owns or keeps copies of, and what it asks of
 * others (D1 to D5).
 *
 *   RingMember   who is where: Chord                  ring-member.ts
 *   Seats        who owns which arc, and its copies   ring-arcs.ts, ring-arcs-*.ts
 *   Calls        questions and answers                ring-calls.ts
 *   Post         one message a turn for each node     ring-arcs-post.ts
 *
 * What a peer sends that no node of this version sends ends the connection; so does, at its next
 * word, what turns out to be no rows. Bytes of a peer never stop this node; its own disk does.
 */
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { ArcCopies, SavedArc } from '../ports/arc-copies.ts';
import type { ArcLog, LogWrite } from '../ports/arc-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Peers } from '../ports/peers.ts';
import type { Random } from '../ports/random.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import type { CallHandler, RingCalls, Topic } from '../ports/ring-calls.ts';
import {
  type LendCounts,
  NOTHING_LENT,
  type RingLookup,
  type RingReport,
} from '../ports/ring-report.ts';
import type { RingSeats } from '../ports/ring-seats.ts';
import { NotOurs } from '../ports/tenures.ts';
import {
  type ArcRules,
  type ChordRules,
  decodeTalk,
  type Found,
  type NodeId,
  type Peer,
  type Position,
  RING_RULES,
  seatsFor,
  type TalkPart,
} from '../ring/index.ts';
import { Seats } from './ring-arcs.ts';
import { Lines } from './ring-arcs-lines.ts';
import { Post } from './ring-arcs-post.ts';
import { Calls } from './ring-calls.ts';
import { type JoinEnd, RingMember } from './ring-member.ts';
import { reportOf } from './ring-node-report.ts';
import { decodeRules, encodeRules, type SharedRules } from './ring-rules.ts';

/** Those of the simulation, with times and amounts for real disks. */
export const NODE_RULES: ArcRules = {
  ...RING_RULES,
  ...{ termMs: 9_000, handOverMsMax: 5_000, againMs: 4_000, checkEveryMs: 600_000 },
  tailMax: { entries: 4_000, bytes: 4 * 1024 * 1024 },
  batchMax: { entries: 500, bytes: 40 * 1024 },
};
/** A dead neighbour is to be missed well before the next one dies, one that is back to be found. */
export const NODE_CHORD: Partial<ChordRules> = { stabiliseMs: 1_000, reachMs: 5_000 };
const TICK_MS = SECOND_MS;
const LEAVE_QUIET_MS = 120 * SECOND_MS;
const LOOKUPS_KEPT = 16;

export interface RingNodeOptions {
  readonly peers: Peers;
  readonly clock: Clock;
  readonly random: Random;
  readonly copies: ArcCopies;
  readonly rules?: Partial<ArcRules>;
  readonly chord?: Partial<ChordRules>;
  /** How often terms are renewed and progress is sent on: several times in a term. */
  readonly tickMs?: number;
  /** Resolves after a turn of the event loop: what is said within it goes in one message. */
  readonly turn?: () => Promise<void>;
  /** What this node holds, for its reports. */
  readonly totals?: () => RingReport['totals'];
  /** Something went wrong that this node lives with. */
  readonly log?: (what: string, error: unknown) => void;
  /** Its disk failed: it has stopped, and says nothing to anybody any more. */
  readonly failed?: (error: unknown) => void;
}

export class RingNode implements ArcLog, RingArcs, RingCalls, RingSeats {
  readonly me: Peer;
  readonly #options: RingNodeOptions;
  readonly #member: RingMember;
  readonly #post: Post;
  readonly #lines: Lines;
  readonly #seats: Seats;
  readonly #calls: Calls;
  readonly #over = new AbortController();
  readonly #mad = new Set<NodeId>();
  /** Told by whoever lends here, and borrows. */
  readonly lends: { -readonly [Name in keyof LendCounts]: number } = { ...NOTHING_LENT };
  readonly #lookups: RingLookup[] = [];
  readonly #walked = { lookups: 0, lookupHops: 0 };
  #ticked: () => void = () => {};
  #isTicking = false;

  constructor(options: RingNodeOptions) {
    const { peers, clock, random, copies, chord } = options;
    this.me = peers.me;
    this.#options = options;
    const rules = { ...NODE_RULES, ...options.rules };
    this.#member = new RingMember({
      ...{ peers, clock, rules: { ...NODE_CHORD, ...chord } },
      other: (from, bytes) => this.#heard(from, bytes),
    });
    this.#post = new Post(peers, clock, options.turn);
    this.#lines = new Lines({
      ...{ clock, seats: seatsFor(rules.copies), standing: () => this.#member.view() },
      lookup: (key) => this.lookup(key),
    });
    this.#seats = new Seats({
      ...{ me: peers.me.place, rules, clock, random, copies },
      ...{ post: this.#post, lines: this.#lines },
      failed: (error) => this.#failed(error),
      isNonsense: (from) => this.#mad.add(from),
    });
    this.#calls = this.#callsOf(options);
    this.#calls.serve('rules', async () => encodeRules(rules));
  }

  /**
   * Begins a ring where nothing is kept yet; else goes on with what is, as one of its ring, and
   * looks for those that it knew there.
   */
  async start(lost: readonly Peer[] = []): Promise<void> {
    const saved = await this.#options.copies.saved();
    if (saved.size === 0) this.#seats.found();
    else this.#seats.resume(saved);
    this.#member.start(lost);
    this.#begin();
  }

  /** What the first member at one of these addresses says that all have alike; before joining. */
  async rulesAt(contacts: readonly string[]): Promise<SharedRules | undefined> {
    for (const at of contacts) {
      const met = await this.#options.peers.meet(at);
      if (met.kind !== 'met' || met.peer.id === this.me.id) continue;
      const answer = await this.#calls.askNode(met.peer, 'rules', new Uint8Array(0));
      if (answer !== undefined) return decodeRules(answer);
    }
    return undefined;
  }

  /** Through any member at one of these addresses. A refused node may try again. */
  async join(contacts: readonly string[]): Promise<JoinEnd> {
    const saved = await this.#options.copies.saved();
    if ([...saved.values()].some((one) => isFounders(one, this.me.place))) {
      return { kind: 'refused', why: 'another-ring', contacts: [] };
    }
    const end = await this.#member.join(contacts);
    if (end.kind !== 'joined') return end;
    this.#seats.resume(saved);
    this.#begin();
    return end;
  }

  /**
   * Hands over whatever it owns or keeps, tells its neighbours and closes. False when nothing of it
   * has moved for so long, nobody is there to take it, or it is not wanted any more: then it is a
   * member as before, and what it has handed over comes back.
   */
  async leave(quietMs = LEAVE_QUIET_MS, signal?: AbortSignal): Promise<boolean> {
    this.#setLeaving(true);
    let [least, until] = [Number.POSITIVE_INFINITY, 0];
    for (;;) {
      const { owned, kept } = this.left;
      const rest = 2 * owned + kept;
      if (rest === 0) break;
      if (rest < least) [least, until] = [rest, this.#now + quietMs];
      const isOver = this.#over.signal.aborted || signal?.aborted === true;
      if (isOver || this.#now >= until || this.#lines.isAlone) {
        this.#setLeaving(false);
        return false;
      }
      await new Promise<void>((resolve) => {
        this.#ticked = resolve;
      });
    }
    this.#end();
    await this.#member.leave();
    return true;
  }

  /** What a leaver still has: arcs of its own, and copies. */
  get left(): { readonly owned: number; readonly kept: number } {
    let [owned, kept] = [0, 0];
    for (const { owning, charter } of this.#seats.states().values()) {
      if (owning !== undefined) owned++;
      else if (charter.seats.includes(this.me.place)) kept++;
    }
    return { owned, kept };
  }

  /** Without a word. */
  async close(): Promise<void> {
    this.#end();
    await this.#member.close();
  }

  epochOf(arc: number): number | undefined {
    return this.#over.signal.aborted ? undefined : this.#seats.epochOf(arc);
  }

  /** Until when it may act for the arc, less what a request takes to arrive. */
  actsUntil(arc: number): Instant {
    return this.#over.signal.aborted ? 0 : this.#seats.actsUntil(arc);
  }

  write(arc: number, bodies: readonly Uint8Array[], isAwaited: boolean): LogWrite {
    if (this.#over.signal.aborted) throw new NotOurs([arc]);
    return this.#seats.write(arc, bodies, isAwaited);
  }

  onArcs(listener: (arcs: readonly number[]) => void): () => void {
    return this.#seats.onArcs(listener);
  }

  hold(arc: number): void {
    this.#seats.hold(arc);
  }

  release(arc: number): void {
    this.#seats.release(arc);
  }

  askOwner(arc: number, topic: Topic, question: Uint8Array): Promise<Uint8Array> {
    return this.#calls.askOwner(arc, topic, question);
  }

  tryOwner(arc: number, topic: Topic, question: Uint8Array, ms: number) {
    return this.#calls.tryOwner(arc, topic, question, ms);
  }

  askNode(to: Peer, topic: Topic, question: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#calls.askNode(to, topic, question);
  }

  serve(topic: Topic, answer: CallHandler): void {
    this.#calls.serve(topic, answer);
  }

  owners(): readonly Peer[] {
    return this.#seats.owners().flatMap((place) => this.#lines.peerAt(place) ?? []);
  }

  sharedWith({ place }: Peer): ReadonlySet<number> {
    return this.#seats.sharedWith(place);
  }

  /** Who should own what is at this place; undefined when nobody who was asked knew. */
  async lookup(key: Position): Promise<Found | undefined> {
    const from = this.#now;
    const found = await this.#member.lookup(key);
    this.#walked.lookups++;
    this.#walked.lookupHops += found?.hops ?? 0;
    const { owner, hops = 0 } = found ?? {};
    const ms = this.#now - from;
    this.#lookups.unshift({ key, owner: owner?.place, hops, ms, at: this.#now });
    this.#lookups.splice(LOOKUPS_KEPT);
    return found;
  }

  report(): RingReport {
    const { totals, peers } = this.#options;
    const { strangers, nonsense } = peers.counts();
    return reportOf({
      ...{ view: this.#member.view(), at: this.#now, states: this.#seats.states() },
      isLeaving: this.#post.isLeaving,
      isOver: this.#over.signal.aborted,
      counts: {
        ...{ ...this.#seats.counts, ...this.#post.counts, ...this.#seats.comparing.bytes },
        ...{ ...this.#walked, strangers, nonsense, ...this.lends },
      },
      lookups: [...this.#lookups],
      totals: totals?.() ?? { known: 0, waiting: 0, fetched: 0 },
    });
  }

  get #now(): Instant {
    return this.#options.clock.now();
  }

  #setLeaving(isLeaving: boolean): void {
    this.#post.isLeaving = isLeaving;
    this.#lines.isLeaving = isLeaving;
  }

  #callsOf({ clock, random, log }: RingNodeOptions): Calls {
    return new Calls({
      ...{ me: this.me, clock, random, log: log ?? (() => {}) },
      send: (to, part) => this.#post.send(to, part),
      isOurs: (arc) => this.epochOf(arc) !== undefined,
      ownerOf: (arc) => this.#seats.ownerOf(arc),
      line: (arc) => this.#lines.wanted(arc),
      peerAt: (place) => (place === this.me.place ? this.me : this.#lines.peerAt(place)),
    });
  }

  #begin(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    void this.#tickOn();
  }

  async #tickOn(): Promise<void> {
    const { clock, tickMs = TICK_MS } = this.#options;
    while (!this.#over.signal.aborted) {
      this.#lines.look();
      this.#seats.tick(this.#post.isLeaving);
      this.#post.tend();
      this.#ticked();
      await clock.sleepUntil(clock.now() + tickMs, this.#over.signal);
    }
    this.#ticked();
  }

  #heard(from: Peer, bytes: Uint8Array): boolean {
    if (this.#over.signal.aborted) return true;
    const talk = this.#mad.delete(from.place) ? undefined : decodeTalk(bytes);
    if (talk === undefined) return false;
    this.#post.heard(from, talk, bytes.length);
    if (from.place === this.me.place) return true;
    if (!this.#isTicking) return this.#hearAnswers(from, talk.parts);
    this.#lines.met(from, talk.isLeaving);
    for (const part of talk.parts) this.#take(from, part);
    return true;
  }

  /** Nobody has anything else to say to a node that has not begun. */
  #hearAnswers(from: Peer, parts: readonly TalkPart[]): true {
    for (const part of parts) if (part.kind === 'answer') this.#calls.heard(from, part);
    return true;
  }

  #take(from: Peer, part: TalkPart): void {
    if (part.kind === 'arc') this.#seats.hear(from, part.arc, part.message);
    else if (part.kind === 'piece') this.#seats.hearRows(from, part);
    else this.#calls.heard(from, part);
  }

  #failed(error: unknown): void {
    if (this.#over.signal.aborted) return;
    void this.close();
    this.#options.failed?.(error);
  }

  #end(): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#seats.end();
    this.#calls.end();
    this.#post.end();
  }
}

/** Nobody else ever had a seat: the arc is of a ring that this node began, and of no other. */
function isFounders({ charter, promised }: SavedArc, me: NodeId): boolean {
  return promised > 0 && charter.seats.length === 1 && charter.seats[0] === me;
}

/**
 * Questions to whoever owns an arc, and answers to those of others (ports/ring-calls.ts).
 *
 *   askOwner ─▶ who? ─▶ call ─▶ answer
 *               ▲  └ whoever answered last, whom our copy follows, else those in line for the arc
 *               └─── elsewhere: perhaps it says who; silence: after a pause, the next in line
 *
 * One question about an arc at a time; the others wait for its answer, but for those that have to be
 * quick (tryOwner). A question that is asked again keeps its number: where it is being answered,
 * that answer serves.
 */
import { assert } from '../base/index.ts';
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import {
  CALL_BYTES_MAX,
  type CallHandler,
  type RingCalls,
  type Topic,
} from '../ports/ring-calls.ts';
import { NotOurs } from '../ports/tenures.ts';
import type { NodeId, Peer, TalkPart } from '../ring/index.ts';

/** An owner may wait for K copies before it answers. */
const PATIENCE_MS = 4 * SECOND_MS;
/** Whoever has little time asks more than one. */
const TRIES_AT_LEAST = 3;
const PAUSE_MS = 150;
const PAUSE_MS_MAX = SECOND_MS;
/** Questions of one node that are being answered, and of all. */
const SERVED_MAX = 128;
const ALL_SERVED_MAX = 4_096;

type Call = TalkPart & { readonly kind: 'call' };
type Answered = { readonly kind: 'answer'; readonly answer: Uint8Array };
type End =
  | Answered
  | { readonly kind: 'elsewhere'; readonly owner: NodeId | undefined }
  | { readonly kind: 'silence' };

interface Asked {
  /** Only those who were asked are believed. */
  readonly of: Set<string>;
  end: (end: End) => void;
}

export interface CallsParts {
  readonly me: Peer;
  readonly clock: Clock;
  readonly random: Random;
  readonly send: (to: Peer, part: TalkPart) => void;
  /** May this node act for it now? */
  readonly isOurs: (arc: number) => boolean;
  /** Whom a copy that is kept here follows. */
  readonly ownerOf: (arc: number) => NodeId | undefined;
  readonly line: (arc: number) => readonly NodeId[];
  readonly peerAt: (place: NodeId) => Peer | undefined;
  readonly log: (what: string, error: unknown) => void;
}

export class Calls implements RingCalls {
  readonly #parts: CallsParts;
  readonly #handlers = new Map<Topic, CallHandler>();
  readonly #asked = new Map<number, Asked>();
  readonly #last = new Map<number, Promise<unknown>>();
  readonly #owners = new Map<number, NodeId>();
  readonly #served = new Map<string, number>();
  readonly #serving = new Set<string>();
  readonly #over = new AbortController();
  #number: number;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    // Numbers of another life of this node are not these.
    this.#number = Math.floor(parts.random.next() * 2 ** 40);
  }

  serve(topic: Topic, answer: CallHandler): void {
    this.#handlers.set(topic, answer);
  }

  askOwner(arc: number, topic: Topic, question: Uint8Array): Promise<Uint8Array> {
    assert(question.length <= CALL_BYTES_MAX, 'a question fits into a message');
    const before = this.#last.get(arc) ?? Promise.resolve();
    const asking = before.then(() => this.#askOwner(arc, topic, question));
    this.#last.set(
      arc,
      asking.catch(() => {}),
    );
    return asking;
  }

  async tryOwner(
    arc: number,
    topic: Topic,
    question: Uint8Array,
    ms: number,
  ): Promise<Uint8Array | undefined> {
    const { clock } = this.#parts;
    const until = clock.now() + ms;
    const patienceMs = ms / TRIES_AT_LEAST;
    const end = await this.#asking(arc, topic, question, patienceMs, () => clock.now() >= until);
    return end?.answer;
  }

  async askNode(to: Peer, topic: Topic, question: Uint8Array): Promise<Uint8Array | undefined> {
    const call: Call = { kind: 'call', n: ++this.#number, topic, arc: undefined, question };
    const end = await this.#ask(to, call);
    this.#asked.delete(call.n);
    return end.kind === 'answer' ? end.answer : undefined;
  }

  /** All who still wait are told that it is over. */
  end(): void {
    this.#over.abort();
    for (const { end } of this.#asked.values()) end(SILENCE);
  }

  heard(from: Peer, part: TalkPart & { readonly kind: 'call' | 'answer' | 'elsewhere' }): void {
    if (part.kind === 'call') {
      void this.#heardCall(from, part);
      return;
    }
    const asked = this.#asked.get(part.n);
    if (asked?.of.has(from.id) === true) asked.end(part);
  }

  async #askOwner(arc: number, topic: Topic, question: Uint8Array): Promise<Uint8Array> {
    const end = await this.#asking(arc, topic, question, PATIENCE_MS, () => false);
    if (end === undefined) throw new Error('this node of the ring is closed');
    return end.answer;
  }

  async #asking(
    arc: number,
    topic: Topic,
    question: Uint8Array,
    patienceMs: number,
    isLate: () => boolean,
  ): Promise<Answered | undefined> {
    const call: Call = { kind: 'call', n: ++this.#number, topic, arc, question };
    try {
      for (let tries = 0; !isLate() && !this.#over.signal.aborted; tries++) {
        const end = await this.#attempt(call, arc, tries, patienceMs);
        if (end.kind === 'answer') return end;
        const isNews = end.kind === 'elsewhere' && this.#isNews(arc, end.owner);
        if (!isNews || tries % 4 === 3) await this.#pause(tries);
      }
      return undefined;
    } finally {
      this.#asked.delete(call.n);
    }
  }

  async #attempt(call: Call, arc: number, tries: number, patienceMs: number): Promise<End> {
    const { me, isOurs, peerAt } = this.#parts;
    const place = isOurs(arc) ? me.place : this.#whom(arc, tries);
    const to = place === undefined ? undefined : peerAt(place);
    if (place === me.place) return this.#here(call, me);
    if (to === undefined) return SILENCE;
    const end = await this.#ask(to, call, patienceMs);
    if (end.kind === 'answer') this.#owners.set(arc, to.place);
    else if (end.kind === 'silence') this.#owners.delete(arc);
    return end;
  }

  #whom(arc: number, tries: number): NodeId | undefined {
    const { ownerOf, line, me } = this.#parts;
    const others = line(arc).filter((place) => place !== me.place);
    const followed = ownerOf(arc);
    const hint = this.#owners.get(arc) ?? (followed === me.place ? undefined : followed);
    if (hint !== undefined && tries % 3 < 2) return hint;
    return others[Math.floor(tries / 2) % Math.max(1, others.length)];
  }

  /** Somebody was named whom we did not think of. */
  #isNews(arc: number, owner: NodeId | undefined): boolean {
    const isNews = owner !== undefined && owner !== this.#owners.get(arc);
    if (owner === undefined || owner === this.#parts.me.place) this.#owners.delete(arc);
    else this.#owners.set(arc, owner);
    return isNews;
  }

  async #pause(tries: number): Promise<void> {
    const { clock, random } = this.#parts;
    const ms = Math.min(PAUSE_MS_MAX, PAUSE_MS * (1 + tries)) * (0.5 + random.next());
    await clock.sleepUntil(clock.now() + ms, this.#over.signal);
  }

  async #ask(to: Peer, call: Call, patienceMs = PATIENCE_MS): Promise<End> {
    const { clock, send, me } = this.#parts;
    if (to.id === me.id) return this.#here(call, me);
    if (this.#over.signal.aborted) return SILENCE;
    const stop = new AbortController();
    const answered = new Promise<End>((end) => {
      const asked = this.#asked.get(call.n) ?? { of: new Set<string>(), end };
      asked.of.add(to.id);
      asked.end = end;
      this.#asked.set(call.n, asked);
    });
    send(to, call);
    const late = clock.sleepUntil(clock.now() + patienceMs, stop.signal);
    const end = await Promise.race([answered, late.then(() => SILENCE)]);
    stop.abort();
    return end;
  }

  async #heardCall(from: Peer, call: Call): Promise<void> {
    const { send } = this.#parts;
    const name = `${from.id} ${call.n}`;
    const served = this.#served.get(from.id) ?? 0;
    if (this.#serving.has(name) || served >= SERVED_MAX) return;
    if (this.#serving.size >= ALL_SERVED_MAX || this.#over.signal.aborted) return;
    this.#serving.add(name);
    this.#served.set(from.id, served + 1);
    const end = await this.#here(call, from);
    this.#serving.delete(name);
    const left = (this.#served.get(from.id) ?? 1) - 1;
    if (left > 0) this.#served.set(from.id, left);
    else this.#served.delete(from.id);
    if (end.kind !== 'silence' && !this.#over.signal.aborted) send(from, { ...end, n: call.n });
  }

  async #here({ topic, arc, question }: Call, from: Peer): Promise<End> {
    const { isOurs, ownerOf, me, log } = this.#parts;
    const handler = this.#handlers.get(topic);
    const elsewhere = (): End => {
      const owner = arc === undefined ? undefined : ownerOf(arc);
      return { kind: 'elsewhere', owner: owner === me.place ? undefined : owner };
    };
    if (handler === undefined || (arc !== undefined && !isOurs(arc))) return elsewhere();
    try {
      const answer = await handler(question, arc, from);
      assert(answer.length <= CALL_BYTES_MAX, 'an answer fits into a message');
      return { kind: 'answer', answer };
    } catch (error) {
      if (error instanceof NotOurs) return elsewhere();
      if (!this.#over.signal.aborted) log(`a question about ${topic} was not answered`, error);
      return SILENCE;
    }
  }
}

const SILENCE: End = { kind: 'silence' };

/**
 * Many nodes of a ring in one process and in virtual time: the network between them, and chance.
 *
 *   effects ─▶ send: lost, or there after a delay ─▶ wheel of milliseconds ─▶ step ─▶ truth
 *              after: a wait on the same wheel
 *
 * Everything comes from the seed. A node is only ever touched through `step`, so what runs here is
 * what runs for real; the truth looks on after each step.
 */
import { type SeededRandom, seededRandom } from '../../src/base/random.ts';
import {
  CHORD_RULES,
  type Chord,
  type ChordEffect,
  type ChordInput,
  type ChordRules,
  chordMember,
  chordOut,
  type Found,
  memberTimers,
  placeOf,
  step as properStep,
  type Step,
} from '../../src/ring/index.ts';
import { RingTruth, type SimPeer } from './ring-truth.ts';

export interface WorldOptions {
  readonly seed: number | string;
  /** All nodes that will ever be, the first of them as a base. */
  readonly places: number;
  readonly base?: number;
  readonly rules?: Partial<ChordRules>;
  /** The share of messages that never arrive. */
  readonly loss?: number;
  readonly step?: Step;
}

interface Event {
  readonly rank: number;
  /** A wait ends with the life it began in; a message finds whoever is there. */
  readonly life: number;
  readonly input: ChordInput;
}

/** The longest wait of a node, and more. */
const WHEEL_MS = 65_536;
const ANY_LIFE = -1;
const TENDING = new Set(['round', 'fix', 'reach']);
const PUT_OFF_MS = 60_000;
const DELAY_MIN_MS = 10;
const DELAY_MEAN_MS = 30;
const DELAY_MAX_MS = 250;

/** A lookup of a user, and who owned the key when it was asked and when it was answered. */
export interface Question {
  readonly target: number;
  readonly ownerThen: number;
  ownerNow: number;
  isOver: boolean;
  found: Found | undefined;
}

export function isRight({ found, ownerThen, ownerNow }: Question): boolean {
  const owner = (found?.owner as SimPeer | undefined)?.rank;
  return owner !== undefined && (owner === ownerNow || owner === ownerThen);
}

export class RingWorld {
  now = 0;
  steps = 0;
  sent = 0;
  /** False: nobody stabilises, mends a finger or greets; what is broken stays so. */
  isTending = true;
  readonly truth: RingTruth;
  readonly random: SeededRandom;
  readonly peers: readonly SimPeer[];
  readonly rules: ChordRules;
  readonly loss: number;
  /** Who cannot hear whom: a message between two sides is lost. */
  sideOf: ((rank: number) => number) | undefined;
  readonly #open = new Map<number, Question>();
  readonly #chords: (Chord | undefined)[];
  readonly #lives: Int32Array;
  readonly #wheel: (Event[] | undefined)[] = new Array(WHEEL_MS);
  readonly #step: Step;
  readonly #refused: number[] = [];
  #tags = 0;

  constructor(options: WorldOptions) {
    const { seed, places, loss = 0 } = options;
    this.rules = { ...CHORD_RULES, ...options.rules };
    this.random = seededRandom(seed);
    this.peers = peersOf(seed, places);
    this.loss = loss;
    this.#step = options.step ?? properStep;
    const base = options.base ?? this.rules.successors + 1;
    this.truth = new RingTruth(places, Math.min(base, this.rules.successors + 1));
    this.#chords = new Array(places);
    this.#lives = new Int32Array(places);
    this.#startBase(base);
  }

  chordAt(rank: number): Chord | undefined {
    return this.#chords[rank];
  }

  /** Ranks that are members, in order. */
  members(): number[] {
    const ranks: number[] = [];
    for (let rank = 0; rank < this.peers.length; rank++) {
      if (this.truth.isMember(rank)) ranks.push(rank);
    }
    return ranks;
  }

  isRunning(rank: number): boolean {
    return this.#chords[rank] !== undefined;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random.next() * from.length)] as T;
  }

  join(rank: number, via: readonly number[]): void {
    if (this.isRunning(rank)) return;
    this.#lives[rank] = (this.#lives[rank] as number) + 1;
    this.#chords[rank] = chordOut(this.peers[rank] as SimPeer, this.rules);
    this.#do(rank, { kind: 'join', via: via.map((one) => this.peers[one] as SimPeer) });
  }

  leave(rank: number): void {
    this.#do(rank, { kind: 'leave' });
    this.crash([rank]);
  }

  /** All at once: nothing happens between the first and the last. */
  crash(ranks: readonly number[]): void {
    for (const rank of ranks) {
      this.truth.noted(rank, this.#chords[rank], undefined, this.now);
      this.#chords[rank] = undefined;
    }
    this.truth.check(this.now);
  }

  /** Changes what a node holds, from outside: for faults that no message makes. */
  alter(rank: number, change: (chord: Chord) => Chord): void {
    const chord = this.#chords[rank];
    if (chord !== undefined) this.#set(rank, chord, change(chord));
  }

  /** A node looks up who owns the place of a rank. */
  ask(rank: number, target: number): Question {
    const ownerThen = this.truth.ownerAt(target);
    const question = { target, ownerThen, ownerNow: -1, isOver: false, found: undefined };
    const tag = ++this.#tags;
    this.#open.set(tag, question);
    const { place } = this.peers[target] as SimPeer;
    this.#do(rank, { kind: 'lookup', key: place, tag });
    return question;
  }

  inject(rank: number, input: ChordInput, ms = 0): void {
    this.#put(ms, { rank, life: ANY_LIFE, input });
  }

  runFor(ms: number): void {
    this.runUntil(this.now + ms);
  }

  runUntil(end: number): void {
    for (; this.now < end; this.now++) this.#runMs();
  }

  /** Joiners that were turned away since this was asked last: they may try again. */
  takeRefused(): number[] {
    return this.#refused.splice(0);
  }

  #startBase(count: number): void {
    const every = this.peers.length / count;
    const base = Array.from({ length: count }, (_, i) => this.peers[Math.floor(i * every)]);
    for (const peer of base as SimPeer[]) {
      const chord = chordMember(peer, base as SimPeer[], this.rules);
      this.#chords[peer.rank] = chord;
      this.truth.noted(peer.rank, undefined, chord, 0);
      for (const effect of memberTimers(chord)) this.#effect(peer.rank, effect, true);
    }
    this.truth.check(0);
  }

  #runMs(): void {
    const slot = this.now % WHEEL_MS;
    const events = this.#wheel[slot];
    if (events === undefined) return;
    this.#wheel[slot] = undefined;
    for (const { rank, life, input } of events) {
      if (life !== ANY_LIFE && life !== this.#lives[rank]) continue;
      if (this.isTending || !TENDING.has(input.kind)) this.#do(rank, input);
      else this.#put(PUT_OFF_MS, { rank, life, input });
    }
    // What was put into this very millisecond has its turn in it, too.
    if (this.#wheel[slot] !== undefined) this.#runMs();
  }

  #do(rank: number, input: ChordInput): void {
    const was = this.#chords[rank];
    if (was === undefined) return;
    this.steps++;
    const [is, effects] = this.#step(was, input, this.now);
    this.#set(rank, was, is);
    for (const effect of effects) this.#effect(rank, effect, false);
  }

  #set(rank: number, was: Chord, is: Chord): void {
    if (was === is) {
      this.truth.checks++;
      return;
    }
    this.#chords[rank] = is;
    this.truth.stepped(rank, was, is, this.now);
  }

  #effect(rank: number, effect: ChordEffect, isSpread: boolean): void {
    if (effect.kind === 'send') this.#send(rank, effect);
    else if (effect.kind === 'after') {
      const spread = isSpread ? Math.floor(this.random.next() * this.rules.stabiliseMs) : 0;
      const life = this.#lives[rank] as number;
      this.#put(effect.ms + spread, { rank, life, input: effect.input });
    } else if (effect.kind === 'found' || effect.kind === 'unfound') {
      this.#answered(effect.tag, effect.kind === 'found' ? effect.found : undefined);
    } else if (effect.kind === 'refused') {
      this.#chords[rank] = undefined;
      this.#refused.push(rank);
    }
  }

  #answered(tag: number, found: Found | undefined): void {
    const question = this.#open.get(tag);
    if (question === undefined) return;
    this.#open.delete(tag);
    question.isOver = true;
    question.found = found;
    question.ownerNow = this.truth.ownerAt(question.target);
  }

  #send(rank: number, { to, message }: Extract<ChordEffect, { kind: 'send' }>): void {
    this.sent++;
    const target = (to as SimPeer).rank;
    if (this.loss > 0 && this.random.next() < this.loss) return;
    if (this.sideOf !== undefined && this.sideOf(rank) !== this.sideOf(target)) return;
    const delay = DELAY_MIN_MS - DELAY_MEAN_MS * Math.log(1 - this.random.next());
    const from = this.peers[rank] as SimPeer;
    const ms = Math.min(DELAY_MAX_MS, Math.floor(delay));
    this.#put(ms, { rank: target, life: ANY_LIFE, input: { kind: 'got', from, message } });
  }

  #put(ms: number, event: Event): void {
    if (ms >= WHEEL_MS) throw new RangeError('a wait is longer than the wheel');
    const slot = (this.now + ms) % WHEEL_MS;
    const events = this.#wheel[slot];
    if (events === undefined) this.#wheel[slot] = [event];
    else events.push(event);
  }
}

function peersOf(seed: number | string, count: number): SimPeer[] {
  const made = Array.from({ length: count }, (_, i) => {
    const id = `node ${i} of ${seed}`;
    return { id, place: placeOf(Buffer.from(id)), at: `${i}` };
  });
  made.sort((a, b) => (a.place < b.place ? -1 : 1));
  return made.map((peer, rank) => ({ ...peer, rank }));
}

/**
 * A node that lives on a ring: chord's steps with real time and real peers (D1, D2, D3).
 *
 *   peers ── bytes ─▶ message ─┐                       ┌─▶ send ─▶ bytes ─▶ peers
 *   clock ── a wait is over ───┼─▶ step(state, input) ─┼─▶ after: wait
 *   lookup, join, leave ───────┘                       └─▶ found, joined, refused ─▶ who asked
 *
 * It decides nothing: what a node believes and says is in ../ring/chord.ts, the same that runs in
 * simulation. A message that cannot be sent is a message that was lost; silence is waited out.
 * A node that is left alone goes on as a ring of one and greets whom it lost, until one answers.
 *
 * Not here: the arcs that this node owns, and their copies (ring-node.ts).
 */
import type { Clock } from '../ports/clock.ts';
import type { Peers, Unsent } from '../ports/peers.ts';
import {
  CHORD_RULES,
  type Chord,
  type ChordEffect,
  type ChordInput,
  type ChordRules,
  chordMember,
  chordOut,
  decodeMessage,
  encodeMessage,
  type Found,
  isTalk,
  memberTimers,
  ownRange,
  type Peer,
  type Position,
  type Range,
  step,
} from '../ring/index.ts';

export interface RingMemberOptions {
  readonly peers: Peers;
  readonly clock: Clock;
  readonly rules?: Partial<ChordRules>;
  /** Who hears what is not Chord's; false says that it was nonsense. */
  readonly other?: (from: Peer, message: Uint8Array) => boolean;
}

export type JoinEnd =
  | { readonly kind: 'joined' }
  /** `contacts` says what became of each address that was given, where none could be met. */
  | {
      readonly kind: 'refused';
      /** `another-ring`: this node has arcs of a ring that it began itself. */
      readonly why: 'id-taken' | 'no-answer' | 'no-contact' | 'another-ring';
      readonly contacts: readonly Unsent[];
    };

export interface RingView {
  readonly me: Peer;
  readonly status: Chord['status'];
  readonly before: Peer | undefined;
  readonly successors: readonly Peer[];
  readonly fingers: readonly Peer[];
  readonly range: Range;
  /** The list of successors is full: there may be others beyond its end. */
  readonly isPart: boolean;
  /** Stabilises that this node began, since it is a member. */
  readonly rounds: number;
}

type Send = Extract<ChordEffect, { kind: 'send' }>;

export class RingMember {
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #asked = new Map<number, (found: Found | undefined) => void>();
  #chord: Chord;
  #joining: ((end: JoinEnd) => void) | undefined;
  #tags = 0;
  #rounds = 0;

  constructor({ peers, clock, rules, other }: RingMemberOptions) {
    this.#peers = peers;
    this.#clock = clock;
    this.#chord = chordOut(peers.me, { ...CHORD_RULES, ...rules });
    peers.receive((from, bytes) => {
      return other !== undefined && isTalk(bytes) ? other(from, bytes) : this.#heard(from, bytes);
    });
  }

  /** Begins a ring: this node is all of it, and looks for those that it knew before. */
  start(lost: readonly Peer[] = []): void {
    this.#chord = { ...chordMember(this.#chord.me, [], this.#chord.rules), lost };
    this.#do(memberTimers(this.#chord));
  }

  /** Through any member at one of these addresses. A refused node may try again. */
  async join(contacts: readonly string[]): Promise<JoinEnd> {
    const met = await Promise.all(contacts.map((at) => this.#peers.meet(at)));
    const via = met.flatMap((one) => (one.kind === 'met' ? [one.peer] : []));
    const failed = met.flatMap((one) => (one.kind === 'failed' ? [one] : []));
    const isTaken = failed.some(({ why }) => why === 'id-taken');
    if (isTaken) return { kind: 'refused', why: 'id-taken', contacts: failed };
    if (via.length === 0) return { kind: 'refused', why: 'no-contact', contacts: failed };
    const end = new Promise<JoinEnd>((resolve) => {
      this.#joining = resolve;
    });
    this.#step({ kind: 'join', via });
    return end;
  }

  /** Who owns a key; undefined when nobody who was asked knew, or this node is no member. */
  lookup(key: Position): Promise<Found | undefined> {
    const tag = ++this.#tags;
    return new Promise((resolve) => {
      this.#asked.set(tag, resolve);
      this.#step({ kind: 'lookup', key, tag });
    });
  }

  view(): RingView {
    const { me, status, before, list, fingers } = this.#chord;
    const known = new Map(fingers.flatMap((one) => (one === undefined ? [] : [[one.id, one]])));
    return {
      me,
      status,
      before,
      successors: list,
      fingers: [...known.values()],
      range: ownRange(this.#chord),
      isPart: list.length >= this.#chord.rules.successors,
      rounds: this.#rounds,
    };
  }

  /** Says good-bye to its neighbours and closes its peers. */
  async leave(): Promise<void> {
    const said: Promise<unknown>[] = [];
    const [left, effects] = step(this.#chord, { kind: 'leave' }, this.#clock.now());
    this.#chord = left;
    for (const effect of effects) if (effect.kind === 'send') said.push(this.#send(effect));
    await Promise.all(said);
    await this.close();
  }

  /** Without a word. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#joined({ kind: 'refused', why: 'no-answer', contacts: [] });
    for (const tag of [...this.#asked.keys()]) this.#answered(tag, undefined);
    await this.#peers.close();
  }

  #heard(from: Peer, bytes: Uint8Array): boolean {
    const message = decodeMessage(bytes);
    if (message === undefined) return false;
    this.#step({ kind: 'got', from, message });
    return true;
  }

  #step(input: ChordInput): void {
    if (this.#over.signal.aborted) return;
    if (input.kind === 'round') this.#rounds++;
    const [next, effects] = step(this.#chord, input, this.#clock.now());
    this.#chord = next;
    this.#do(effects);
  }

  #do(effects: readonly ChordEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') void this.#send(effect);
      else if (effect.kind === 'after') void this.#wait(effect.ms, effect.input);
      else if (effect.kind === 'found') this.#answered(effect.tag, effect.found);
      else if (effect.kind === 'unfound') this.#answered(effect.tag, undefined);
      else if (effect.kind === 'joined') this.#joined({ kind: 'joined' });
      else if (effect.kind === 'refused') {
        this.#joined({ kind: 'refused', why: effect.why, contacts: [] });
      }
    }
  }

  async #wait(ms: number, input: ChordInput): Promise<void> {
    await this.#clock.sleepUntil(this.#clock.now() + ms, this.#over.signal);
    this.#step(input);
  }

  async #send({ to, message }: Send): Promise<void> {
    const end = await this.#peers.send(to, encodeMessage(message));
    if (end.kind === 'failed' && end.why === 'id-taken') this.#twin(end);
  }

  /**
   * Another node with our key is there already, and a joiner gives way. A member does not: one
   * that lies could send members away like this.
   */
  #twin(end: Unsent): void {
    if (this.#chord.status !== 'joining') return;
    this.#chord = chordOut(this.#chord.me, this.#chord.rules);
    this.#joined({ kind: 'refused', why: 'id-taken', contacts: [end] });
  }

  #joined(end: JoinEnd): void {
    this.#joining?.(end);
    this.#joining = undefined;
  }

  #answered(tag: number, found: Found | undefined): void {
    this.#asked.get(tag)?.(found);
    this.#asked.delete(tag);
  }
}

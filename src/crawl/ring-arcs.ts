/**
 * The arcs of a ring at one node: the steps of each (../ring/arc-step.ts) with real time, rows and peers.
 *
 *   messages, ticks, writes ─▶ stepArc ─▶ what must be durable ─▶ InOrder ─▶ then messages ─▶ Post
 *                                  └▶ owned, and nobody else's turn ─▶ told to the crawler (ring-arcs.ts of ports)
 *
 * It decides nothing: who owns what is decided in ../ring. A node acts for an arc while a majority
 * of its seats has promised to choose nobody else; the crawler holds an arc while it acts for it,
 * and until it lets go the arc stays, whoever should have it.
 */
import type { Instant } from '../base/instant.ts';
import { type ArcCopies, BadRows, type SavedArc } from '../ports/arc-copies.ts';
import type { ArcLog, LogWrite } from '../ports/arc-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import { NotOurs } from '../ports/tenures.ts';
import {
  type ArcEffect,
  type ArcEvent,
  type ArcRules,
  type ArcState,
  type ArcTalk,
  foundArc,
  isActing,
  isReadyFor,
  joinArc,
  leaseUntil,
  memberAgain,
  type NodeId,
  type Peer,
  type RowsPiece,
  type Stamp,
  stepArc,
  withoutCopy,
} from '../ring/index.ts';
import { ARCS } from '../url/index.ts';
import { Comparing } from './ring-arcs-compare.ts';
import type { Lines } from './ring-arcs-lines.ts';
import { InOrder } from './ring-arcs-order.ts';
import type { Post } from './ring-arcs-post.ts';
import { changesIn, savedIfChanged, savedOf } from './ring-arcs-saved.ts';

export interface SeatsParts {
  readonly me: NodeId;
  readonly rules: ArcRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly copies: ArcCopies;
  readonly post: Post;
  readonly lines: Lines;
  /** What this node cannot go on after. */
  readonly failed: (error: unknown) => void;
  /** Sent what no node of this ring sends. */
  readonly isNonsense: (from: NodeId) => void;
}

export interface Held {
  state: ArcState;
  readonly order: InOrder;
  /** As far as it is on disk, and as it was remade there. */
  durable: Stamp;
  remade: number;
  /** The crawler acts for it. */
  isHeld: boolean;
}

export class Seats implements ArcLog, RingArcs {
  readonly counts = { ownerships: 0, losses: 0, handOvers: 0, staleRefused: 0, staleTold: 0 };
  readonly #parts: SeatsParts;
  readonly #arcs = new Map<number, Held>();
  readonly #tokens = new Map<number, (isKept: boolean) => void>();
  readonly #listeners = new Set<(arcs: readonly number[]) => void>();
  readonly comparing: Comparing;
  #told: readonly number[] = [];
  #lastToken = 0;

  constructor(parts: SeatsParts) {
    this.#parts = parts;
    const { copies, post, clock, failed, isNonsense } = parts;
    this.comparing = new Comparing({
      ...{ copies, post, clock, failed, isNonsense },
      held: (arc) => this.#arcs.get(arc),
      event: (arc, event) => this.#step(arc, event),
    });
  }

  /** Begins a ring: every arc has one seat, this node's. */
  found(): void {
    const { me, rules, clock } = this.#parts;
    const charter = { at: { epoch: 1, index: 0 }, seats: [me] };
    for (let arc = 0; arc < ARCS; arc++) {
      const held = this.#hold(arc, foundArc(me, rules, charter, clock.now()));
      held.order.run({ saved: savedOf(held.state), after: () => {} });
    }
  }

  /** What this node had when it was last here. */
  resume(saved: ReadonlyMap<number, SavedArc>): void {
    const { me, rules, clock } = this.#parts;
    for (const [arc, one] of saved) this.#hold(arc, memberAgain(me, rules, one, clock.now()));
  }

  tick(isLeaving: boolean): void {
    const { lines, random } = this.#parts;
    for (const [arc, held] of this.#arcs) {
      if (this.comparing.isLate(arc, held.state)) {
        held.state = { ...held.state, coming: undefined };
        this.comparing.over(arc);
      }
      const wanted = this.#given(held, lines.wanted(arc));
      this.#step(arc, { kind: 'tick', wanted, chance: random.next(), isLeaving });
    }
    this.#tell();
  }

  hear(from: Peer, arc: number, message: ArcTalk): void {
    const { me, rules, clock } = this.#parts;
    if (from.place === me) return;
    if (!this.#arcs.has(arc)) this.#hold(arc, joinArc(me, rules, clock.now()));
    if (message.kind === 'refuse') this.counts.staleTold++;
    if (message.kind === 'sums') this.comparing.compare(from.place, arc, message);
    else this.#step(arc, { kind: 'message', from: from.place, message });
  }

  hearRows(from: Peer, piece: RowsPiece): void {
    const { arc, epoch, anchor, bucket, of } = piece;
    const isStale = epoch < (this.#arcs.get(arc)?.state.promised ?? 0);
    const rows = isStale ? [] : this.comparing.gathered(from, piece);
    if (rows === undefined) return;
    const message = { kind: 'rows', epoch, anchor, bucket, of, rows } as const;
    this.#step(arc, { kind: 'message', from: from.place, message });
  }

  epochOf(arc: number): number | undefined {
    const state = this.#arcs.get(arc)?.state;
    return state !== undefined && isActing(state, this.#now) ? state.promised : undefined;
  }

  actsUntil(arc: number): Instant {
    const state = this.#arcs.get(arc)?.state;
    if (state?.owning === undefined || state.owning.handing !== undefined) return 0;
    return leaseUntil(state) - state.rules.marginMs;
  }

  write(arc: number, bodies: readonly Uint8Array[], isAwaited: boolean): LogWrite {
    const held = this.#arcs.get(arc);
    if (held === undefined || this.epochOf(arc) === undefined) throw new NotOurs([arc]);
    const isTold = isAwaited || this.#parts.rules.awaits === 'everything';
    let isDurable = () => {};
    const wait = new Promise<void>((resolve) => {
      isDurable = resolve;
    });
    const token = isTold ? ++this.#lastToken : 0;
    const kept = isTold ? this.#keptOf(arc, token) : wait;
    const [state, effects] = stepArc(
      held.state,
      { kind: 'write', bodies, isAwaited, token },
      this.#now,
    );
    held.state = state;
    held.order.run({ wait, after: () => this.#follow(arc, held, state, effects) });
    return { saved: savedOf(state), isDurable, failed: this.#parts.failed, kept };
  }

  onArcs(listener: (arcs: readonly number[]) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#told);
    return () => this.#listeners.delete(listener);
  }

  hold(arc: number): void {
    const held = this.#arcs.get(arc);
    if (held !== undefined) held.isHeld = true;
  }

  release(arc: number): void {
    const held = this.#arcs.get(arc);
    if (held !== undefined) held.isHeld = false;
  }

  /** Whom this node takes for the owner. */
  ownerOf(arc: number): NodeId | undefined {
    return this.#arcs.get(arc)?.state.owner;
  }

  /** Who owns what this node keeps copies of. */
  owners(): readonly NodeId[] {
    const { me } = this.#parts;
    const others = [...this.#arcs.values()].flatMap(({ state: { owner, owning, charter } }) => {
      const isKept = owning === undefined && charter.seats.includes(me);
      return isKept && owner !== undefined && owner !== me ? [owner] : [];
    });
    return [...new Set(others)];
  }

  /** What this node owns and that one keeps a copy of. */
  sharedWith(place: NodeId): ReadonlySet<number> {
    const shared = [...this.#arcs].filter(
      ([, { state }]) => state.owning !== undefined && state.charter.seats.includes(place),
    );
    return new Set(shared.map(([arc]) => arc));
  }

  states(): ReadonlyMap<number, ArcState> {
    return new Map([...this.#arcs].map(([arc, { state }]) => [arc, state]));
  }

  end(): void {
    for (const { order } of this.#arcs.values()) order.end();
    for (const told of this.#tokens.values()) told(false);
    this.#tokens.clear();
    this.comparing.end();
    this.#told = [];
    for (const listener of this.#listeners) listener([]);
  }

  get #now(): Instant {
    return this.#parts.clock.now();
  }

  #hold(arc: number, state: ArcState): Held {
    const order = new InOrder({
      ...{ arc, copies: this.#parts.copies, current: () => savedOf(held.state) },
      failed: (error) => this.#failed(arc, held, error),
    });
    const { at: durable, remade } = state;
    const held: Held = { state, order, durable, remade, isHeld: false };
    this.#arcs.set(arc, held);
    return held;
  }

  /** While the crawler holds it, this node is the first in line. */
  #given({ state, isHeld }: Held, wanted: readonly NodeId[]): readonly NodeId[] {
    const { me } = this.#parts;
    if (state.owning === undefined || !isHeld) return wanted;
    return [me, ...wanted.filter((node) => node !== me)];
  }

  #step(arc: number, event: ArcEvent): void {
    const held = this.#arcs.get(arc);
    if (held === undefined) return;
    const before = held.state;
    const [state, effects] = stepArc(before, event, this.#now);
    held.state = state;
    const changes = changesIn(effects);
    const saved = savedIfChanged(before, state, changes);
    const hasComeUp = before.coming !== undefined && state.coming === undefined;
    held.order.run({
      ...(saved === undefined ? {} : { saved, changes }),
      after: () => {
        if (hasComeUp) this.comparing.over(arc);
        this.#follow(arc, held, state, effects);
      },
    });
    const isChanged = (before.owning === undefined) !== (state.owning === undefined);
    if (isChanged) this.#tell();
  }

  #follow(arc: number, held: Held, saved: ArcState, effects: readonly ArcEffect[]): void {
    held.durable = saved.at;
    held.remade = saved.remade;
    for (const effect of effects) this.#do(arc, effect);
  }

  #do(arc: number, effect: ArcEffect): void {
    switch (effect.kind) {
      case 'send':
        if (effect.message.kind !== 'rows') this.#send(effect.to, arc, effect.message);
        break;
      case 'sum':
        this.comparing.sum(arc, effect);
        break;
      case 'sendRows': {
        const { to, kind: _, ...wanted } = effect;
        const peer = this.#parts.lines.peerAt(to);
        if (peer !== undefined) this.comparing.send(peer, { arc, ...wanted });
        break;
      }
      case 'written':
        this.#tokens.get(effect.token)?.(effect.isKept);
        this.#tokens.delete(effect.token);
        break;
      case 'own':
        this.counts.ownerships++;
        break;
      case 'lost':
        this.counts.losses++;
        break;
      case 'apply':
      case 'replace':
      case 'drop':
        // Done already: it was saved before this.
        break;
    }
  }

  #send(to: NodeId, arc: number, message: ArcTalk): void {
    if (message.kind === 'refuse') this.counts.staleRefused++;
    if (message.kind === 'bless') this.counts.handOvers++;
    const peer = this.#parts.lines.peerAt(to);
    if (peer !== undefined) this.#parts.post.send(peer, { kind: 'arc', arc, message });
  }

  #keptOf(arc: number, token: number): Promise<void> {
    const kept = new Promise<void>((resolve, reject) => {
      this.#tokens.set(token, (isKept) => (isKept ? resolve() : reject(new NotOurs([arc]))));
    });
    kept.catch(() => {});
    return kept;
  }

  /** Bytes that are no rows: the copy is not what it was thought to be, and comes anew. */
  #failed(arc: number, held: Held, error: unknown): void {
    if (!(error instanceof BadRows)) {
      this.#parts.failed(error);
      return;
    }
    const { owner } = held.state;
    if (owner !== undefined) this.#parts.isNonsense(owner);
    held.state = withoutCopy(held.state);
    held.durable = held.state.at;
    held.remade = held.state.remade;
    this.comparing.over(arc);
    held.order.run({ saved: savedOf(held.state), after: () => {} });
  }

  #tell(): void {
    const arcs = [...this.#arcs].filter(([arc, held]) => this.#isOurs(arc, held));
    const told = arcs.map(([arc]) => arc).sort((a, b) => a - b);
    if (told.join() === this.#told.join()) return;
    this.#told = told;
    for (const listener of this.#listeners) listener(told);
  }

  /** Owned, and not on its way to who should own it. */
  #isOurs(arc: number, { state }: Held): boolean {
    if (!isActing(state, this.#now)) return false;
    const [first] = this.#parts.lines.wanted(arc);
    return first === undefined || !isReadyFor(state, first, this.#now);
  }
}

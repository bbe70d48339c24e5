/**
 * A node of a simulated ring: the real protocol for each of its arcs (src/ring/arc-step.ts), a
 * copy of its rows, and a front that is as small as can be: a queue and a turn for each host.
 *
 *   page fetched ─▶ links delivered to their owners, again and again until acknowledged ─▶ settled
 */

import type { NodeId } from '../../src/ring/arc-log.ts';
import type { ArcEffect, ArcEvent, ArcMessage } from '../../src/ring/arc-messages.ts';
import { type ArcState, isActing } from '../../src/ring/arc-state.ts';
import { joinArc, stepArc } from '../../src/ring/arc-step.ts';
import type { Loan } from '../../src/ring/owner-lend.ts';
import { type Body, Copy, ROW_BYTES, type Row, WAITS } from './ring-crawl-copy.ts';
import { Front } from './ring-crawl-front.ts';
import { useLoan } from './ring-crawl-lend.ts';
import type { Packet, Station } from './ring-crawl-net.ts';
import type { RingWorld } from './ring-crawl-world.ts';

export const TICK_MS = 1_000;
const AGAIN_MS = 1_500;
const READ_MS = 400;

export type RingPacket = Packet &
  (
    | { readonly kind: 'arc'; readonly arc: number; readonly message: ArcMessage }
    | {
        readonly kind: 'deliver';
        readonly arc: number;
        readonly id: number;
        readonly bodies: readonly Body[];
      }
    | { readonly kind: 'accepted'; readonly id: number }
    | { readonly kind: 'offer'; readonly arc: number; readonly host: number }
    | {
        readonly kind: 'borrow';
        readonly arc: number;
        readonly host: number;
        readonly askedAt: number;
      }
    | {
        readonly kind: 'loan';
        readonly arc: number;
        readonly page: number;
        readonly loan: Loan;
        readonly askedAt: number;
      }
    | { readonly kind: 'elsewhere'; readonly id: number; readonly owner: NodeId | undefined }
  );

export interface Held {
  state: ArcState;
  readonly copy: Copy;
  front: Front | undefined;
}

interface Delivery {
  readonly arc: number;
  readonly bodies: readonly Body[];
  readonly since: number;
  readonly done: () => void;
  tries: number;
}

export class RingNode implements Station {
  readonly id: NodeId;
  readonly world: RingWorld;
  readonly arcs = new Map<number, Held>();
  /** Those that it believes to be up, in order of their places; itself among them. */
  view: readonly NodeId[] = [];
  isLeaving = false;
  busy = 0;
  readonly deliveries = new Map<number, Delivery>();
  readonly #owners = new Map<number, NodeId>();
  readonly #writes = new Map<number, (isKept: boolean) => void>();
  readonly #asks = new Set<number>();
  readonly #outbox = new Map<NodeId, RingPacket[]>();
  #made = 0;

  constructor(id: NodeId, world: RingWorld) {
    this.id = id;
    this.world = world;
  }

  get now(): number {
    return this.world.net.clockOf(this.id);
  }

  start(): void {
    const { net } = this.world;
    const tick = () => {
      this.#tick();
      net.timer(this.id, TICK_MS, tick);
    };
    net.timer(this.id, TICK_MS * net.random.next(), tick);
  }

  #tick(): void {
    for (const arc of [...this.arcs.keys()]) {
      const wanted = this.world.wanted(this, arc);
      this.#giveAway(arc, wanted[0]);
      const chance = this.world.net.random.next();
      const lentUntil = this.arcs.get(arc)?.front?.lentUntil ?? 0;
      this.#step(arc, { kind: 'tick', wanted, chance, isLeaving: this.isLeaving, lentUntil });
    }
    this.#flush();
  }

  /** A planted bug: the switch without its preparation. */
  #giveAway(arc: number, next: NodeId | undefined): void {
    const held = this.arcs.get(arc) as Held;
    const { at, promised: epoch } = held.state;
    if (next === undefined || this.world.bug.isGivenTo?.(held.state, next) !== true) return;
    held.state = { ...held.state, owning: undefined, owner: undefined };
    held.front = undefined;
    const message: ArcMessage = { kind: 'bless', epoch, at };
    this.#send(next, { kind: 'arc', arc, message, bytes: bytesOf(message) });
  }

  receive(from: NodeId, packets: readonly RingPacket[]): void {
    for (const packet of packets) this.#receive(from, packet);
    this.#flush();
  }

  #receive(from: NodeId, packet: RingPacket): void {
    switch (packet.kind) {
      case 'arc':
        this.#hear(from, packet.arc, packet.message);
        break;
      case 'deliver':
        this.#accept(from, packet.arc, packet.id, packet.bodies);
        break;
      case 'accepted':
        this.#accepted(packet.id, from);
        break;
      case 'elsewhere':
        this.#elsewhere(packet.id, packet.owner);
        break;
      case 'offer': {
        const { arc, host } = packet;
        this.#asks.add(this.now);
        this.#send(from, { kind: 'borrow', arc, host, askedAt: this.now, bytes: 24 });
        break;
      }
      case 'borrow': {
        const { arc, host, askedAt } = packet;
        const lent = this.arcs.get(arc)?.front?.lend(host);
        if (lent !== undefined)
          this.#send(from, { kind: 'loan', arc, ...lent, askedAt, bytes: 80 });
        break;
      }
      case 'loan':
        // An answer that comes twice is one loan.
        if (!this.#asks.delete(packet.askedAt)) break;
        useLoan(this, packet.arc, packet.page, packet.loan, packet.askedAt);
        break;
    }
  }

  post(to: NodeId, packet: RingPacket): void {
    this.#send(to, packet);
    this.#flush();
  }

  /** Links first, then the page: whatever dies in between, the page comes back. */
  deliverLinks(page: number, done: () => void): void {
    const { web } = this.world;
    const byArc = new Map<number, Body[]>();
    for (const link of web.links(page)) {
      const arc = web.arcOf(web.hostOf(link));
      byArc.set(arc, [...(byArc.get(arc) ?? []), { kind: 'admit', page: link }]);
    }
    let left = byArc.size;
    if (left === 0) done();
    for (const [arc, bodies] of byArc) {
      this.deliver(arc, bodies, () => {
        left--;
        if (left === 0) done();
      });
    }
  }

  hold(arc: number, state: ArcState, copy = new Copy()): Held {
    const held: Held = { state, copy, front: undefined };
    this.arcs.set(arc, held);
    return held;
  }

  #hear(from: NodeId, arc: number, heard: ArcMessage): void {
    const held = this.arcs.get(arc) ?? this.hold(arc, joinArc(this.id, this.world.rules, this.now));
    const message = this.world.bug.hear?.(held.state, heard) ?? heard;
    if (message.kind === 'refuse') this.world.checks.refused++;
    if (message.kind !== 'sums') {
      this.#step(arc, { kind: 'message', from, message });
      return;
    }
    const { epoch, anchor, charter, isCheck, sums } = message;
    const differing = held.copy.differing(sums);
    const { at, remade } = held.state;
    const found = { epoch, anchor, charter, isCheck, differing, of: sums.length, at, remade };
    this.#whenRead(arc, { kind: 'compared', from, ...found });
  }

  #step(arc: number, event: ArcEvent): void {
    const held = this.arcs.get(arc) as Held;
    held.state = this.world.bug.before?.(held.state, event) ?? held.state;
    const [state, effects] = stepArc(held.state, event, this.now);
    held.state = state;
    for (const effect of effects) this.#do(arc, held, effect);
  }

  /** Reading a copy takes a while, in which others write. */
  #whenRead(arc: number, event: ArcEvent): void {
    this.world.net.timer(this.id, READ_MS * this.world.net.random.next(), () => {
      this.#step(arc, event);
      this.#flush();
    });
  }

  #do(arc: number, held: Held, effect: ArcEffect): void {
    switch (effect.kind) {
      case 'send':
        this.#send(effect.to, {
          ...{ kind: 'arc', arc, message: effect.message, bytes: bytesOf(effect.message) },
        });
        break;
      case 'apply':
        held.copy.apply(effect.epoch, effect.entries);
        break;
      case 'replace':
        held.copy.replace(effect.bucket, effect.rows as readonly Row[], effect.upTo);
        break;
      case 'sum': {
        const anchor = held.state.at.index;
        this.#whenRead(arc, { ...effect, kind: 'summed', anchor, sums: [...held.copy.sums] });
        break;
      }
      case 'sendRows': {
        const { to, ...what } = effect;
        this.world.net.timer(this.id, READ_MS * this.world.net.random.next(), () => {
          const { owning, promised } = held.state;
          if (owning === undefined || promised !== effect.epoch) return;
          const rows = held.copy.bucket(effect.bucket);
          const message: ArcMessage = { ...what, kind: 'rows', rows };
          this.post(to, { kind: 'arc', arc, message, bytes: bytesOf(message) });
        });
        break;
      }
      case 'written':
        this.#writes.get(effect.token)?.(effect.isKept);
        this.#writes.delete(effect.token);
        break;
      case 'own':
        this.#own(arc, held, effect.epoch);
        break;
      case 'lost':
        this.#lose(arc, held, effect.unsent);
        break;
      case 'drop':
        held.copy.clear();
        break;
    }
  }

  #own(arc: number, held: Held, epoch: number): void {
    const { copy } = held;
    const { checks, net } = this.world;
    checks.owns(arc, epoch, this.id, (page) => copy.isKnown(page), net.now);
    held.front = new Front(this, arc, held);
    for (const { key, value } of copy.rows.values()) {
      if (key >= 0 && value === WAITS) held.front.push(key);
    }
  }

  #lose(arc: number, held: Held, unsent: readonly { readonly body?: unknown }[]): void {
    held.front = undefined;
    const bodies = unsent.flatMap(({ body }) => (body === undefined ? [] : [body as Body]));
    if (bodies.length > 0) this.deliver(arc, bodies, () => {});
  }

  /** True at the owner while it takes writes. */
  isServing({ state }: Held): boolean {
    return state.owning !== undefined && state.owning.handing === undefined;
  }

  isActing({ state }: Held): boolean {
    return isActing(state, this.now);
  }

  write(arc: number, bodies: readonly Body[], isAwaited: boolean, then?: (kept: boolean) => void) {
    const token = then === undefined ? 0 : ++this.#made;
    if (then !== undefined) this.#writes.set(token, then);
    this.#step(arc, { kind: 'write', bodies, isAwaited, token });
  }

  /** To the owner of an arc, whoever that is, until it has taken them. */
  deliver(arc: number, bodies: readonly Body[], done: () => void): void {
    const id = ++this.#made;
    this.deliveries.set(id, { arc, bodies, since: this.world.net.now, done, tries: 0 });
    this.#attempt(id);
    this.#flush();
  }

  #attempt(id: number): void {
    const delivery = this.deliveries.get(id);
    if (delivery === undefined) return;
    const { arc, bodies } = delivery;
    const line = this.world.wanted(this, arc);
    const hint = delivery.tries % 3 === 2 ? undefined : this.#owners.get(arc);
    const to = hint ?? (line[Math.floor(delivery.tries / 3) % line.length] as NodeId);
    delivery.tries++;
    const again = AGAIN_MS * Math.min(4, 1 + delivery.tries / 4);
    this.world.net.timer(this.id, again, () => this.#attemptLater(id));
    if (to === this.id) this.#accept(to, arc, id, bodies);
    else this.#send(to, { kind: 'deliver', arc, id, bodies, bytes: ROW_BYTES * bodies.length });
  }

  #attemptLater(id: number): void {
    this.#attempt(id);
    this.#flush();
  }

  #accepted(id: number, owner: NodeId): void {
    const delivery = this.deliveries.get(id);
    if (delivery === undefined) return;
    this.deliveries.delete(id);
    this.#owners.set(delivery.arc, owner);
    this.world.checks.acceptMs.push(this.world.net.now - delivery.since);
    delivery.done();
  }

  #elsewhere(id: number, owner: NodeId | undefined): void {
    const delivery = this.deliveries.get(id);
    if (delivery === undefined) return;
    if (owner === undefined || owner === this.id) this.#owners.delete(delivery.arc);
    else if (this.#owners.get(delivery.arc) !== owner) {
      this.#owners.set(delivery.arc, owner);
      if (delivery.tries < 6) this.#attempt(id);
    }
  }

  #accept(from: NodeId, arc: number, id: number, bodies: readonly Body[]): void {
    const held = this.arcs.get(arc);
    const answer = (isKept: boolean) => this.#answer(from, arc, id, bodies, isKept);
    if (held === undefined || !this.isServing(held)) {
      answer(false);
      return;
    }
    const fresh = bodies.filter((body) => isNews(held.copy, body));
    const { bug } = this.world;
    if (bug.isEarlyAck) answer(true);
    this.write(arc, fresh, true, bug.isEarlyAck ? () => {} : answer);
    for (const body of fresh) if (body.kind === 'admit') held.front?.push(body.page);
  }

  #answer(to: NodeId, arc: number, id: number, bodies: readonly Body[], isKept: boolean): void {
    const { checks } = this.world;
    if (isKept) {
      const pages = bodies.flatMap((body) => (body.kind === 'admit' ? [body.page] : []));
      checks.acknowledged(arc, pages);
    }
    const owner = this.arcs.get(arc)?.state.owner;
    if (to === this.id) {
      if (isKept) this.#accepted(id, this.id);
      else this.#elsewhere(id, owner);
    } else if (isKept) this.#send(to, { kind: 'accepted', id, bytes: 16 });
    else this.#send(to, { kind: 'elsewhere', id, owner, bytes: 24 });
  }

  #send(to: NodeId, packet: RingPacket): void {
    const packets = this.#outbox.get(to);
    if (packets === undefined) this.#outbox.set(to, [packet]);
    else packets.push(packet);
  }

  /** What one event has to say to a node goes in one message. */
  #flush(): void {
    for (const [to, packets] of this.#outbox) this.world.net.send(this.id, to, packets);
    this.#outbox.clear();
  }

  flush(): void {
    this.#flush();
  }
}

function isNews(copy: Copy, body: Body): boolean {
  if (body.kind === 'admit') return !copy.isKnown(body.page);
  return body.kind === 'done' && !copy.isDone(body.page);
}

const HEAD_BYTES = 48;
const SUM_BYTES = 8;

function bytesOf(message: ArcMessage): number {
  if (message.kind === 'append') return HEAD_BYTES + ROW_BYTES * message.entries.length;
  if (message.kind === 'rows') return HEAD_BYTES + ROW_BYTES * (message.rows as Row[]).length;
  if (message.kind === 'sums') return HEAD_BYTES + SUM_BYTES * message.sums.length;
  return HEAD_BYTES;
}

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
import { type Body, Copy, ROW_BYTES, type Row, WAITS } from './ring-crawl-copy.ts';
import { Front } from './ring-crawl-front.ts';
import { useLoan } from './ring-crawl-lend.ts';
import type { Host, Station } from './ring-crawl-net.ts';
import { bytesOf, type RingPacket } from './ring-crawl-packet.ts';
import { NO_VIEW, type View } from './ring-crawl-view.ts';
import type { RingWorld } from './ring-crawl-world.ts';

export const TICK_MS = 1_000;
const AGAIN_MS = 1_500;
const READ_MS = 400;

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
  /** How it believes that the ring stands. */
  view: View = NO_VIEW;
  isLeaving = false;
  busy = 0;
  readonly deliveries = new Map<number, Delivery>();
  readonly #owners = new Map<number, NodeId>();
  readonly #writes = new Map<number, (isKept: boolean) => void>();
  readonly #asks = new Set<number>();
  readonly #outbox = new Map<NodeId, RingPacket[]>();
  readonly #host: Host;
  #made = 0;

  constructor(id: NodeId, world: RingWorld) {
    this.id = id;
    this.world = world;
    this.#host = world.net.add(this);
  }

  get now(): number {
    return this.world.net.clockOf(this.#host);
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
    const { isLeaving } = this;
    for (const [arc, held] of this.arcs) {
      const wanted = this.view.wanted(arc);
      this.#giveAway(arc, held, wanted[0]);
      const chance = this.world.net.random.next();
      const lentUntil = held.front?.lentUntil ?? 0;
      this.#step(arc, held, { kind: 'tick', wanted, chance, isLeaving, lentUntil });
    }
    this.#flush();
  }

  /** A planted bug: the switch without its preparation. */
  #giveAway(arc: number, held: Held, next: NodeId | undefined): void {
    const { at, promised: epoch } = held.state;
    if (next === undefined || this.world.bug.isGivenTo?.(held.state, next) !== true) return;
    this.#become(arc, held, { ...held.state, owning: undefined, owner: undefined });
    held.front = undefined;
    this.#say(next, arc, { kind: 'bless', epoch, at });
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
      this.#step(arc, held, { kind: 'message', from, message });
      return;
    }
    const { epoch, anchor, charter, isCheck, sums } = message;
    const differing = held.copy.differing(sums);
    const { at, remade } = held.state;
    const found = { epoch, anchor, charter, isCheck, differing, of: sums.length, at, remade };
    this.#whenRead(arc, held, { kind: 'compared', from, ...found });
  }

  #step(arc: number, held: Held, event: ArcEvent): void {
    const before = this.world.bug.before?.(held.state, event) ?? held.state;
    const [state, effects] = stepArc(before, event, this.now);
    this.#become(arc, held, state);
    for (const effect of effects) this.#do(arc, held, effect);
  }

  /** Whoever looks from above is told of owners as they come and go, and need not look for them. */
  #become(arc: number, held: Held, state: ArcState): void {
    const isOwner = state.owning !== undefined;
    if (isOwner !== (held.state.owning !== undefined)) this.world.owners.note(arc, this, isOwner);
    held.state = state;
  }

  /** Reading a copy takes a while, in which others write. */
  #whenRead(arc: number, held: Held, event: ArcEvent): void {
    this.world.net.timer(this.id, READ_MS * this.world.net.random.next(), () => {
      this.#step(arc, held, event);
      this.#flush();
    });
  }

  #do(arc: number, held: Held, effect: ArcEffect): void {
    switch (effect.kind) {
      case 'send':
        this.#say(effect.to, arc, effect.message);
        break;
      case 'apply':
        held.copy.apply(effect.epoch, effect.entries);
        break;
      case 'replace':
        held.copy.replace(effect.bucket, effect.rows as readonly Row[], effect.upTo);
        break;
      case 'sum': {
        const anchor = held.state.at.index;
        const sums = [...held.copy.sums];
        this.#whenRead(arc, held, { ...effect, kind: 'summed', anchor, sums });
        break;
      }
      case 'sendRows': {
        const { to, ...what } = effect;
        this.world.net.timer(this.id, READ_MS * this.world.net.random.next(), () => {
          const { owning, promised } = held.state;
          if (owning === undefined || promised !== effect.epoch) return;
          const rows = held.copy.bucket(effect.bucket);
          this.#say(to, arc, { ...what, kind: 'rows', rows });
          this.#flush();
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
    const held = this.arcs.get(arc) as Held;
    this.#step(arc, held, { kind: 'write', bodies, isAwaited, token });
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
    const line = this.view.wanted(arc);
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

  #say(to: NodeId, arc: number, message: ArcMessage): void {
    this.#send(to, { kind: 'arc', arc, message, bytes: bytesOf(message) });
  }

  #send(to: NodeId, packet: RingPacket): void {
    const packets = this.#outbox.get(to);
    if (packets === undefined) this.#outbox.set(to, [packet]);
    else packets.push(packet);
  }

  /** What one event has to say to a node goes in one message. */
  #flush(): void {
    if (this.#outbox.size === 0) return;
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

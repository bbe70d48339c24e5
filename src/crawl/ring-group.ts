/**
 * The nodes of a ring as a group (E1, D3): what a node should crawl is what the ring gave it to
 * keep, and a mention goes to the inbox of its arc at whoever owns it.
 *
 *   hand ──▶ by arc, in order ──▶ askOwner(arc) ──▶ inbox ──▶ arrived ──▶ removed
 *                    ▲ 'later': wait          (ring-inbox.ts)
 *
 * Whoever settles waits until others have its links, never until they have settled them: two that
 * waited for each other's settling would wait for ever.
 *
 * Not here: who owns what, and finding it (ring-node.ts); how long it may act (ring-tenures.ts).
 */
import { SECOND_MS } from '../base/instant.ts';
import { decodeMentions, encodeMentions, type Mention } from '../events/index.ts';
import type { ArcGroup, GroupMember } from '../ports/arc-group.ts';
import type { ArcTable } from '../ports/arc-table.ts';
import type { Clock } from '../ports/clock.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import { hostKeyOf } from '../record/index.ts';
import { arcOf, hostOf } from '../url/index.ts';
import { Caller, Heard } from './ring-caller.ts';
import { Inbox } from './ring-inbox.ts';

export interface RingGroupPorts {
  readonly arcs: RingArcs;
  readonly calls: RingCalls;
  readonly inbox: ArcTable;
  readonly clock: Clock;
  /** Of this process and no other, ever. */
  readonly holder: string;
  readonly onTrouble?: (error: unknown) => void;
}

/** A question and a row of an inbox: below what an entry of an arc's log may be. */
const MESSAGE_BYTES_MAX = 16 * 1024;
const LATER_MS = SECOND_MS / 2;
/** Whoever has waited so long is urgent: ring-inbox.ts. */
const URGENT_MS = 15 * SECOND_MS;
const RETRY_MS = SECOND_MS / 2;

/** The first byte of a question. */
const PLAIN = 0;
const URGENT = 1;
/** An answer. */
const TAKEN = 1;
const LATER = 2;
/** It is none, or not for that arc: another version, or a lie. */
const REFUSED = 3;

export class RingGroup implements ArcGroup<Mention> {
  readonly #ports: RingGroupPorts;
  readonly #inbox: Inbox;
  readonly #closed = new AbortController();
  readonly #caller: Caller;
  /** By arc. */
  readonly #heard = new Map<number, Heard<number>>();
  /** What was handed last for each arc: the next waits for it. */
  readonly #sent = new Map<number, Promise<unknown>>();
  readonly #followed = new Map<number, AbortController>();
  /** Readers that have not ended yet: of one arc there is one at a time. */
  readonly #reading = new Map<number, Promise<void>>();
  #member: GroupMember<Mention> | undefined;
  #deafen: () => void = () => undefined;

  /** Takes what comes for the arcs that this node owns from now on, also while it crawls nothing. */
  constructor(ports: RingGroupPorts) {
    this.#ports = ports;
    this.#caller = new Caller(ports.holder);
    this.#inbox = new Inbox(ports.inbox, ports.arcs);
    ports.calls.serve('mentions', (question, arc) => this.#answer(question, arc));
  }

  async open(member: GroupMember<Mention>): Promise<void> {
    this.#member = member;
    this.#deafen = this.#ports.arcs.onArcs((arcs) => member.assigned(arcs));
  }

  async hand(mentions: readonly Mention[]): Promise<void> {
    const byArc = new Map<number, Mention[]>();
    for (const mention of mentions) {
      const arc = arcAt(mention.url);
      const list = byArc.get(arc);
      if (list === undefined) byArc.set(arc, [mention]);
      else list.push(mention);
    }
    await Promise.all([...byArc].map(([arc, list]) => this.#inTurn(arc, list)));
  }

  follow(arcs: readonly number[]): void {
    const wanted = new Set(arcs);
    for (const [arc, over] of this.#followed) {
      if (wanted.has(arc)) continue;
      over.abort();
      this.#followed.delete(arc);
    }
    for (const arc of wanted) if (!this.#followed.has(arc)) this.#begin(arc);
  }

  /** The ring is left by whoever joined it: until then this node takes mentions for others. */
  async close(): Promise<void> {
    this.#deafen();
    this.#closed.abort();
    this.follow([]);
    await Promise.all(this.#reading.values());
  }

  // ---- to others ------------------------------------------------------------------------

  #inTurn(arc: number, mentions: readonly Mention[]): Promise<void> {
    const before = this.#sent.get(arc) ?? Promise.resolve();
    const mine = before.then(() => this.#send(arc, mentions));
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#sent.get(arc) === settled) this.#sent.delete(arc);
      });
    this.#sent.set(arc, settled);
    return mine;
  }

  async #send(arc: number, mentions: readonly Mention[]): Promise<void> {
    for (const message of messagesOf(mentions)) await this.#sendOne(arc, message);
  }

  async #sendOne(arc: number, message: Uint8Array): Promise<void> {
    const { calls, clock, onTrouble } = this.#ports;
    const urgentAt = clock.now() + URGENT_MS;
    for (;;) {
      if (this.#closed.signal.aborted) throw new Error('this node has left its group');
      const kind = Uint8Array.of(clock.now() < urgentAt ? PLAIN : URGENT);
      const question = this.#caller.question(Buffer.concat([kind, message]));
      const [answer] = await calls.askOwner(arc, 'mentions', question);
      if (answer === TAKEN) return;
      if (answer !== LATER) onTrouble?.(new Error(`the owner of arc ${arc} refuses mentions`));
      await clock.sleepUntil(clock.now() + LATER_MS, this.#closed.signal);
    }
  }

  // ---- from others ----------------------------------------------------------------------

  async #answer(question: Uint8Array, arc: number | undefined): Promise<Uint8Array> {
    if (arc === undefined) return Uint8Array.of(REFUSED);
    const heard = this.#heard.get(arc) ?? new Heard<number>();
    this.#heard.set(arc, heard);
    const answer = heard.once(question, (body) => this.#take(arc, body));
    return Uint8Array.of((await answer) ?? REFUSED);
  }

  async #take(arc: number, body: Uint8Array): Promise<number> {
    const message = body.subarray(1);
    if (!isFor(arc, message)) return REFUSED;
    const isTaken = await this.#inbox.add(arc, message, body[0] === URGENT);
    return isTaken ? TAKEN : LATER;
  }

  #begin(arc: number): void {
    const over = new AbortController();
    const before = this.#reading.get(arc) ?? Promise.resolve();
    const done = before
      .then(() => this.#read(arc, over.signal))
      .finally(() => {
        if (this.#reading.get(arc) === done) this.#reading.delete(arc);
      });
    this.#reading.set(arc, done);
    this.#followed.set(arc, over);
  }

  /** What could not be told, or removed, is told again. */
  async #read(arc: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    const tell = async (mentions: readonly Mention[]) => this.#member?.arrived(arc, mentions);
    while (!signal.aborted) {
      try {
        await this.#inbox.read(arc, tell, signal);
      } catch {
        await clock.sleepUntil(clock.now() + RETRY_MS, signal);
      }
    }
  }
}

function arcAt(url: string): number {
  return arcOf(hostKeyOf(hostOf(url)));
}

/** A mention that is longer than a message is no URL that a server would take: it is left out. */
function messagesOf(mentions: readonly Mention[]): Uint8Array[] {
  if (mentions.length === 0) return [];
  const message = encodeMentions(mentions);
  if (message.length <= MESSAGE_BYTES_MAX) return [message];
  const half = mentions.length >> 1;
  if (half === 0) return [];
  return [...messagesOf(mentions.slice(0, half)), ...messagesOf(mentions.slice(half))];
}

function isFor(arc: number, message: Uint8Array): boolean {
  if (message.length > MESSAGE_BYTES_MAX) return false;
  const mentions = decodeMentions(message);
  return mentions?.every(({ url }) => arcAt(url) === arc) ?? false;
}

/**
 * All nodes of a ring that one of them can find: its own report, and those of whoever is named.
 *
 *   own report ─▶ successors, before, fingers ─▶ asked ─▶ their successors, before ─▶ asked ─▶ …
 *                                                  └─ no answer in time: silent
 *
 * Whoever is named is asked, AT_ONCE of them at a time, each has ASK_MS, and WALK_MS after the begin
 * nobody more is asked. A node that answered within SILENT_SHOWN_MS is shown also when nobody names it any more:
 * that it has just died is what somebody came to see. A finger may point to a node that is long
 * gone, so fingers lead on, and prove nothing.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { RingCalls } from '../ports/ring-calls.ts';
import type { RingPeer, RingReport } from '../ports/ring-report.ts';
import type { Peer } from '../ring/index.ts';
import { decodeReport } from './ring-report.ts';

const ASK_MS = SECOND_MS;
const WALK_MS = 3 * SECOND_MS;
/** Half of the connections that a node may begin at a time (adapters/peer/limits.ts). */
export const AT_ONCE = 32;
export const SILENT_SHOWN_MS = 2 * MINUTE_MS;
/** Of a ring with more nodes a part is shown. */
export const NODES_SHOWN_MAX = 256;
const NO_QUESTION = new Uint8Array(0);

export interface SeenNode {
  readonly peer: RingPeer;
  /** Undefined of a silent one. */
  readonly report: RingReport | undefined;
  /** When it last answered, to whoever looked through this node. */
  readonly heardAt: Instant | undefined;
}

/** One walk: whom it asked, and who was named as a member. */
interface Walked {
  readonly until: Instant;
  readonly asked: Map<string, SeenNode>;
  readonly named: Set<string>;
  isWhole: boolean;
}

export class RingWalk {
  readonly #own: () => RingReport;
  readonly #calls: RingCalls;
  readonly #clock: Clock;
  /** Those that answered of late, by id. */
  readonly #heard = new Map<string, { readonly peer: RingPeer; readonly at: Instant }>();
  #open = 0;
  readonly #queue: (() => void)[] = [];

  constructor(own: () => RingReport, calls: RingCalls, clock: Clock) {
    this.#own = own;
    this.#calls = calls;
    this.#clock = clock;
  }

  async nodes(): Promise<{ readonly nodes: readonly SeenNode[]; readonly isWhole: boolean }> {
    const own = this.#own();
    const until = this.#clock.now() + WALK_MS;
    const walked: Walked = { until, asked: new Map(), named: new Set(), isWhole: true };
    const me = { peer: own.me, report: own, heardAt: own.at };
    walked.asked.set(own.me.id, me);
    const first = [...own.fingers, ...[...this.#heard.values()].map(({ peer }) => peer)];
    await Promise.all([this.#follow(own, walked), ...first.map((peer) => this.#see(peer, walked))]);
    this.#forget();
    const shown = [...walked.asked.values()].filter(
      ({ peer, report }) =>
        report !== undefined || walked.named.has(peer.id) || this.#heard.has(peer.id),
    );
    const nodes = shown.sort((a, b) => (a.peer.place < b.peer.place ? -1 : 1));
    return { nodes, isWhole: walked.isWhole };
  }

  /** The same node as it is now. */
  async again(node: SeenNode): Promise<SeenNode> {
    const own = this.#own();
    if (node.peer.id === own.me.id) return { peer: own.me, report: own, heardAt: own.at };
    return this.#ask(node.peer);
  }

  async #follow(report: RingReport, walked: Walked): Promise<void> {
    const { before, successors } = report;
    const named = before === undefined ? successors : [before, ...successors];
    for (const { id } of named) walked.named.add(id);
    await Promise.all(named.map((peer) => this.#see(peer, walked)));
  }

  async #see(peer: RingPeer, walked: Walked): Promise<void> {
    const { asked, until } = walked;
    if (asked.has(peer.id)) return;
    if (asked.size >= NODES_SHOWN_MAX || this.#clock.now() > until) {
      walked.isWhole = false;
      return;
    }
    asked.set(peer.id, { peer, report: undefined, heardAt: this.#heard.get(peer.id)?.at });
    const seen = await this.#inTurn(async () => {
      return this.#clock.now() > until ? undefined : this.#ask(peer);
    });
    if (seen === undefined) {
      asked.delete(peer.id);
      walked.isWhole = false;
      return;
    }
    asked.set(peer.id, seen);
    if (seen.report !== undefined) await this.#follow(seen.report, walked);
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#open < AT_ONCE) this.#open++;
    else await new Promise<void>((begin) => this.#queue.push(begin));
    try {
      return await act();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#open--;
      else next();
    }
  }

  async #ask(peer: RingPeer): Promise<SeenNode> {
    const late = new AbortController();
    const bytes = await Promise.race([
      this.#calls.askNode(peer as Peer, 'report', NO_QUESTION).catch(() => undefined),
      this.#clock.sleepUntil(this.#clock.now() + ASK_MS, late.signal).then(() => undefined),
    ]);
    late.abort();
    const report = bytes && decodeReport(bytes, peer.id);
    if (report === undefined) {
      return { peer, report, heardAt: this.#heard.get(peer.id)?.at };
    }
    const heardAt = this.#clock.now();
    this.#heard.delete(peer.id);
    // Whoever leaves with a good-bye is not missed.
    const isStaying = report.status !== 'leaving' && report.status !== 'gone';
    if (isStaying) this.#heard.set(peer.id, { peer, at: heardAt });
    return { peer, report, heardAt };
  }

  #forget(): void {
    const since = this.#clock.now() - SILENT_SHOWN_MS;
    const tooMany = this.#heard.size - NODES_SHOWN_MAX;
    let nth = 0;
    for (const [id, { at }] of this.#heard) {
      if (at < since || nth++ < tooMany) this.#heard.delete(id);
    }
  }
}

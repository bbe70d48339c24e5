/**
 * The simplest ring that keeps the promises of its ports: arcs are dealt out among the nodes of one
 * process, rows are everybody's, and a question is heard twice now and then.
 *
 * Not here: votes, terms, copies: the real ones are tried in test/sim/ring-nodes.test.ts.
 */
import { seededRandom } from '../base/random.ts';
import type { ArcTable, TableRow } from '../ports/arc-table.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import type { CallHandler, RingCalls, Topic } from '../ports/ring-calls.ts';
import { NotOurs } from '../ports/tenures.ts';
import type { Peer } from '../ring/index.ts';
import { ARCS } from '../url/index.ts';
import { peerOf } from './ring-seen.testkit.ts';

type Answer = (question: Uint8Array, arc?: number) => Promise<Uint8Array>;

export class ToyRing {
  readonly nodes: ToyNode[] = [];
  readonly rows = new Map<string, Map<string, TableRow>>();
  readonly #owners = new Map<number, ToyNode>();
  readonly #epochs = new Map<number, number>();
  readonly #random = seededRandom(1);

  join(): ToyNode {
    const node = new ToyNode(this);
    this.nodes.push(node);
    this.deal();
    return node;
  }

  /** Hands on what is not held, and says what should go. */
  deal(): void {
    const { nodes } = this;
    for (let arc = 0; arc < ARCS; arc++) {
      const wanted = nodes[arc % nodes.length];
      const owner = this.#owners.get(arc);
      const isBusy = owner !== undefined && nodes.includes(owner) && owner.held.has(arc);
      if (wanted === undefined || owner === wanted || isBusy) continue;
      this.give(arc, wanted);
    }
    for (const node of nodes) node.tell();
  }

  give(arc: number, node: ToyNode): void {
    this.#owners.set(arc, node);
    this.#epochs.set(arc, (this.#epochs.get(arc) ?? 0) + 1);
  }

  part(node: ToyNode): void {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    this.deal();
  }

  wants(arc: number): ToyNode | undefined {
    return this.nodes[arc % this.nodes.length];
  }

  ownerOf(arc: number): ToyNode | undefined {
    return this.#owners.get(arc);
  }

  epochOf(arc: number): number {
    return this.#epochs.get(arc) ?? 0;
  }

  isTwice(): boolean {
    return this.#random.next() < 0.2;
  }
}

export class ToyNode implements RingArcs, RingCalls {
  readonly me: Peer;
  readonly #ring: ToyRing;
  readonly held = new Set<number>();
  actsUntilAll = Number.MAX_SAFE_INTEGER;
  readonly #answers = new Map<Topic, CallHandler>();
  readonly #last = new Map<number, Promise<unknown>>();
  #listeners: ((arcs: readonly number[]) => void)[] = [];

  constructor(ring: ToyRing) {
    this.#ring = ring;
    this.me = peerOf(ring.nodes.length);
  }

  onArcs(listener: (arcs: readonly number[]) => void): () => void {
    this.#listeners.push(listener);
    this.tell();
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener);
    };
  }

  tell(): void {
    const all = Array.from({ length: ARCS }, (_, arc) => arc);
    const arcs = all.filter((arc) => this.#owns(arc) && this.#ring.wants(arc) === this);
    for (const listener of this.#listeners) listener(arcs);
  }

  epochOf(arc: number): number | undefined {
    return this.#owns(arc) ? this.#ring.epochOf(arc) : undefined;
  }

  actsUntil(arc: number): number {
    return this.#owns(arc) ? this.actsUntilAll : 0;
  }

  hold(arc: number): void {
    this.held.add(arc);
  }

  release(arc: number): void {
    if (this.held.delete(arc)) this.#ring.deal();
  }

  serve(topic: Topic, answer: CallHandler): void {
    this.#answers.set(topic, answer);
  }

  askOwner(arc: number, topic: Topic, question: Uint8Array): Promise<Uint8Array> {
    const mine = (this.#last.get(arc) ?? Promise.resolve()).then(async () => {
      for (;;) {
        const answer = this.#ring.ownerOf(arc)?.answerOf(topic);
        try {
          if (this.#ring.isTwice()) await answer?.(question, arc);
          const heard = await answer?.(question, arc);
          if (heard !== undefined) return heard;
        } catch (error) {
          if (!(error instanceof NotOurs)) throw error;
        }
        await new Promise(setImmediate);
      }
    });
    this.#last.set(
      arc,
      mine.catch(() => undefined),
    );
    return mine;
  }

  async tryOwner(arc: number, topic: Topic, question: Uint8Array) {
    const answer = this.#ring.ownerOf(arc)?.answerOf(topic);
    if (this.#ring.isTwice()) await answer?.(question, arc);
    return answer?.(question, arc);
  }

  async askNode(): Promise<Uint8Array | undefined> {
    return undefined;
  }

  /** As if it had asked itself. */
  answerOf(topic: Topic): Answer | undefined {
    const answer = this.#answers.get(topic);
    return answer && ((question, arc) => answer(question, arc, this.me));
  }

  table(name: string): ArcTable {
    const { rows: tables } = this.#ring;
    const of = (arc: number) => {
      const key = `${name} ${arc}`;
      const rows = tables.get(key) ?? new Map<string, TableRow>();
      tables.set(key, rows);
      return rows;
    };
    const own = async (arc: number) => {
      await new Promise(setImmediate);
      if (!this.#owns(arc)) throw new NotOurs([arc]);
      return of(arc);
    };
    return {
      async put(arc, rows) {
        const table = await own(arc);
        for (const row of rows) table.set(hex(row.key), row);
      },
      async remove(arc, keys) {
        const table = await own(arc);
        for (const key of keys) table.delete(hex(key));
      },
      async rows(arc, after, limit) {
        const sorted = [...of(arc)].sort(([a], [b]) => (a < b ? -1 : 1));
        const from = after === undefined ? '' : hex(after);
        return sorted
          .filter(([key]) => key > from)
          .map(([, row]) => row)
          .slice(0, limit);
      },
      count: async (arc, limit) => Math.min(limit, of(arc).size),
    };
  }

  #owns(arc: number): boolean {
    return this.#ring.ownerOf(arc) === this;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/**
 * A group of nodes that live in one process: a simulation, or a test.
 */
import { assert } from '../../base/assert.ts';
import type { Mention } from '../../events/index.ts';
import type { ArcGroup, GroupMember } from '../../ports/arc-group.ts';
import { urlKeyOf } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';

const ARCS = 64;

/** What all of them share. */
export class MemoryGroup {
  readonly #nodes: MemoryArcGroup[] = [];
  readonly #queues = Array.from({ length: ARCS }, (): Mention[] => []);
  /** Who is being told of an arc. */
  readonly #busy = new Map<number, MemoryArcGroup>();

  connect(): MemoryArcGroup {
    return new MemoryArcGroup(this);
  }

  /** Mentions that nobody has taken yet. */
  get pending(): number {
    return this.#queues.reduce((sum, { length }) => sum + length, 0);
  }

  join(node: MemoryArcGroup): void {
    this.#nodes.push(node);
    this.#assign();
  }

  /** It leaves, or is missed: what it was being told of is told to whoever comes after it. */
  part(node: MemoryArcGroup): void {
    if (!this.#nodes.includes(node)) return;
    this.#nodes.splice(this.#nodes.indexOf(node), 1);
    for (const [arc, told] of this.#busy) if (told === node) this.#busy.delete(arc);
    this.#assign();
  }

  hand(mentions: readonly Mention[]): void {
    for (const mention of mentions) this.#queues[arcOf(urlKeyOf(mention.url))]?.push(mention);
    this.deliver();
  }

  deliver(): void {
    for (const arc of this.#queues.keys()) void this.#deliverOne(arc);
  }

  /** What could not be accepted is told again with whatever comes next. */
  async #deliverOne(arc: number): Promise<void> {
    const queue = this.#queues[arc] as Mention[];
    const node = this.#nodes.find(({ followed }) => followed.has(arc));
    if (node === undefined || queue.length === 0 || this.#busy.has(arc)) return;
    this.#busy.set(arc, node);
    const count = queue.length;
    const isTaken = await node.member?.arrived(arc, queue.slice(0, count)).then(
      () => true,
      () => false,
    );
    if (this.#busy.get(arc) !== node) return;
    this.#busy.delete(arc);
    if (!isTaken) return;
    queue.splice(0, count);
    await this.#deliverOne(arc);
  }

  #assign(): void {
    for (const [nth, { member }] of this.#nodes.entries()) {
      const arcs = Array.from({ length: ARCS }, (_, arc) => arc);
      member?.assigned(arcs.filter((arc) => arc % this.#nodes.length === nth));
    }
  }
}

export class MemoryArcGroup implements ArcGroup<Mention> {
  readonly #shared: MemoryGroup;
  member: GroupMember<Mention> | undefined;
  followed = new Set<number>();

  constructor(shared: MemoryGroup) {
    this.#shared = shared;
  }

  async open(member: GroupMember<Mention>): Promise<void> {
    assert(this.member === undefined, 'it is opened once');
    this.member = member;
    this.#shared.join(this);
  }

  async hand(mentions: readonly Mention[]): Promise<void> {
    this.#shared.hand(mentions);
  }

  follow(arcs: readonly number[]): void {
    this.followed = new Set(arcs);
    this.#shared.deliver();
  }

  async close(): Promise<void> {
    this.follow([]);
    this.#shared.part(this);
  }
}

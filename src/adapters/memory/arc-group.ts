/**
 * A group of nodes that live in one process: a simulation, or a test.
 */
import { assert } from '../../base/assert.ts';
import type { Mention } from '../../events/index.ts';
import type { ArcGroup, GroupMember } from '../../ports/arc-group.ts';
import { urlKeyOf } from '../../record/index.ts';
import { ARCS, overlap, quarterOf, splitFrom, withPartsOf } from '../../url/index.ts';

/** What all of them share. */
export class MemoryGroup {
  readonly #nodes: MemoryArcGroup[] = [];
  /** What waits for each of the smallest arcs. */
  readonly #queues = new Map<number, Mention[]>();
  /** Who is being told of which. */
  readonly #busy = new Map<number, MemoryArcGroup>();

  connect(): MemoryArcGroup {
    return new MemoryArcGroup(this);
  }

  /** Mentions that nobody has taken yet. */
  get pending(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
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
    for (const mention of mentions) {
      const arc = quarterOf(urlKeyOf(mention.url));
      const queue = this.#queues.get(arc);
      if (queue === undefined) this.#queues.set(arc, [mention]);
      else queue.push(mention);
    }
    this.deliver();
  }

  deliver(): void {
    for (const node of this.#nodes) {
      for (const arc of node.followed) void this.#deliverOne(node, arc);
    }
  }

  /** What could not be accepted is told again with whatever comes next. */
  async #deliverOne(node: MemoryArcGroup, arc: number): Promise<void> {
    const told = [...this.#queues]
      .filter(([small, queue]) => queue.length > 0 && overlap(small, arc))
      .filter(([small]) => !this.#busy.has(small))
      .map(([small, queue]) => ({ small, queue, count: queue.length }));
    if (told.length === 0 || !node.followed.has(arc)) return;
    for (const { small } of told) this.#busy.set(small, node);
    const mentions = told.flatMap(({ queue }) => queue.slice());
    const isTaken = await node.member?.arrived(arc, mentions).then(
      () => true,
      () => false,
    );
    for (const { small, queue, count } of told) {
      if (this.#busy.get(small) !== node) continue;
      this.#busy.delete(small);
      if (isTaken) queue.splice(0, count);
    }
    if (isTaken) await this.#deliverOne(node, arc);
  }

  #assign(): void {
    const shares = this.#nodes.map((): number[] => []);
    const whole = Array.from({ length: ARCS }, (_, arc) => arc);
    for (const arc of whole.flatMap(withPartsOf)) shares[this.#ownerOf(arc)]?.push(arc);
    for (const [nth, { member }] of this.#nodes.entries()) member?.assigned(shares[nth] ?? []);
  }

  /** The first half of an arc stays where it is. */
  #ownerOf(arc: number): number {
    const former = splitFrom(arc);
    const owner = former === undefined ? arc : this.#ownerOf(former) + (arc % 2);
    return owner % this.#nodes.length;
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

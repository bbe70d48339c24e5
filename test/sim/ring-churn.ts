/**
 * Coming and going in a simulated ring: a growth by joins alone, and churn at a half-life.
 *
 * A joiner is given three members to ask, any three; half of those who go say so. One joiner in
 * five is a node that crashed before and comes back with its key, while others may still list it.
 */
import type { RingWorld } from './ring-world.ts';

const CONTACTS = 3;
const RETURN_SHARE = 0.2;
const GROW_STEP_MS = 100;
/** A ring that grows by more than so much in a second has nobody who knows it. */
const GROW_SHARE = 0.04;

/** Until so many are members. Returns the ranks that never were, in the order they will come. */
export function grow(world: RingWorld, nodes: number): number[] {
  const coming: number[] = [];
  for (const { rank } of world.peers) if (!world.isRunning(rank)) coming.push(rank);
  for (let i = coming.length - 1; i > 0; i--) {
    const j = Math.floor(world.random.next() * (i + 1));
    [coming[i], coming[j]] = [coming[j] as number, coming[i] as number];
  }
  while (world.truth.members < nodes) {
    const members = world.members();
    const most = Math.ceil((GROW_SHARE * members.length * GROW_STEP_MS) / 1_000);
    const count = Math.min(most, nodes - members.length, coming.length);
    for (const rank of coming.splice(coming.length - count)) joinVia(world, rank, members);
    world.runFor(GROW_STEP_MS);
    coming.push(...world.takeRefused());
  }
  return coming;
}

function joinVia(world: RingWorld, rank: number, members: readonly number[]): void {
  world.join(
    rank,
    Array.from({ length: CONTACTS }, () => world.pick(members)),
  );
}

export class Churn {
  joins = 0;
  leaves = 0;
  crashes = 0;
  readonly #world: RingWorld;
  readonly #coming: number[];
  readonly #gone: number[] = [];
  readonly #goingPerMs: number;

  /** `halfLife` in minutes: after it, half of the nodes that were there are not. */
  constructor(world: RingWorld, coming: number[], halfLife: number) {
    this.#world = world;
    this.#coming = coming;
    this.#goingPerMs = Math.LN2 / (halfLife * 60_000);
  }

  /** A second in which as many come as go, on average. */
  runSecond(): void {
    const world = this.#world;
    const times: { readonly at: number; readonly isJoin: boolean }[] = [];
    const expected = world.truth.members * this.#goingPerMs * 1_000;
    for (const isJoin of [true, false]) {
      for (let i = poisson(world, expected); i > 0; i--) {
        times.push({ at: world.now + Math.floor(world.random.next() * 1_000), isJoin });
      }
    }
    times.sort((a, b) => a.at - b.at);
    const end = world.now + 1_000;
    for (const { at, isJoin } of times) {
      world.runUntil(at);
      if (isJoin) this.#join();
      else this.#go();
    }
    world.runUntil(end);
    this.#coming.push(...world.takeRefused());
  }

  #join(): void {
    const world = this.#world;
    const isReturn = this.#gone.length > 0 && world.random.next() < RETURN_SHARE;
    const from = isReturn || this.#coming.length === 0 ? this.#gone : this.#coming;
    const rank = from.splice(Math.floor(world.random.next() * from.length), 1)[0];
    if (rank === undefined) return;
    this.joins++;
    joinVia(world, rank, this.#someMembers(CONTACTS));
  }

  #go(): void {
    const world = this.#world;
    const rank = this.#someMembers(1)[0] as number;
    if (world.random.next() < 0.5) {
      this.crashes++;
      world.crash([rank]);
    } else {
      this.leaves++;
      world.leave(rank);
    }
    this.#gone.push(rank);
  }

  #someMembers(count: number): number[] {
    const { peers, truth, random } = this.#world;
    return Array.from({ length: count }, () => {
      const rank = Math.floor(random.next() * peers.length);
      return truth.ownerAt(rank);
    });
  }
}

/** How many of rare things happen, when so many are expected. */
function poisson(world: RingWorld, expected: number): number {
  let count = 0;
  for (let sum = -Math.log(1 - world.random.next()); sum < expected; count++) {
    sum -= Math.log(1 - world.random.next());
  }
  return count;
}

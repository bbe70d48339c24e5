/**
 * The ring's invariant, checked at every step (Zave, "Reasoning about Identifier Spaces").
 *
 *   live successor   every member has one among its successors
 *   principals       at least r + 1 members are skipped by nobody's list: the base
 *   ordered lists    no list turns back, repeats a node, or goes round
 *   one ring         the best successors make exactly one cycle, in order, and all lead to it
 *
 * Zave proves the last two from the first two; here they are looked at, too. What a step can have
 * changed is one list or one life, so that is all that is counted anew: lists are compared as pairs
 * of neighbours, skips live in a tree over the places, and the cycle is walked only when somebody's
 * best successor became another. That makes ten thousand nodes affordable.
 */
import type { Chord, Peer } from '../../src/ring/index.ts';
import { SkipTree } from './ring-skips.ts';

/** A node of a simulated ring knows its rank among all that will ever be. */
export interface SimPeer extends Peer {
  readonly rank: number;
}

/** What was found wrong, and when first. */
export interface Complaint {
  readonly at: number;
  readonly what: string;
}

const KEPT_MAX = 20;

export class RingTruth {
  readonly complaints: Complaint[] = [];
  complaintCount = 0;
  checks = 0;
  walks = 0;
  principalsMin = Number.POSITIVE_INFINITY;
  members = 0;
  cutOff = 0;
  readonly #size: number;
  readonly #base: number;
  readonly #lists: (readonly number[])[];
  readonly #heldBy: Set<number>[];
  readonly #isMember: Uint8Array;
  readonly #best: Int32Array;
  readonly #stamps: Int32Array;
  readonly #skips: SkipTree;
  #isMoved = false;
  #stamp = 0;

  /** A base of `base` members must never be skipped; 0 while the ring is still too small. */
  constructor(size: number, base: number) {
    this.#size = size;
    this.#base = base;
    this.#lists = Array.from({ length: size }, () => []);
    this.#heldBy = Array.from({ length: size }, () => new Set<number>());
    this.#isMember = new Uint8Array(size);
    this.#best = new Int32Array(size).fill(-2);
    this.#stamps = new Int32Array(size);
    this.#skips = new SkipTree(size);
  }

  isMember(rank: number): boolean {
    return this.#isMember[rank] === 1;
  }

  /** The member that owns a place: the first at or after a rank. */
  ownerAt(rank: number): number {
    for (let i = 0; i < this.#size; i++) {
      const at = (rank + i) % this.#size;
      if (this.#isMember[at] === 1) return at;
    }
    return -1;
  }

  get principals(): number {
    return this.#skips.principals;
  }

  /** True when each member's first successor is the next member. */
  isIdeal(): boolean {
    for (let rank = 0; rank < this.#size; rank++) {
      if (this.#isMember[rank] === 0) continue;
      const first = this.#lists[rank]?.[0] ?? rank;
      if (first !== this.ownerAt((rank + 1) % this.#size)) return false;
    }
    return true;
  }

  /** A step of one node, from one state to the next; `undefined` is no node. */
  stepped(rank: number, was: Chord | undefined, is: Chord | undefined, now: number): void {
    if (this.noted(rank, was, is, now)) this.check(now);
    else this.checks++;
  }

  /** The same without the check, for what happens to many at once. True if anything changed. */
  noted(rank: number, was: Chord | undefined, is: Chord | undefined, now: number): boolean {
    const before = was?.status === 'member' ? was.list : undefined;
    const after = is?.status === 'member' ? is.list : undefined;
    if (before === after) return false;
    const list = after?.map((peer) => (peer as SimPeer).rank) ?? [];
    if (after !== undefined && !this.#isOrdered(rank, list)) {
      this.#complain(now, `the list of ${rank} is out of order: ${list.join(' ')}`);
    }
    this.#relist(rank, list);
    if ((before === undefined) !== (after === undefined)) this.#live(rank, after !== undefined);
    this.#rebest(rank);
    return true;
  }

  check(now: number): void {
    this.checks++;
    const { principals } = this.#skips;
    this.principalsMin = Math.min(this.principalsMin, principals);
    if (principals < this.#base) {
      this.#complain(now, `${principals} principals: fewer than ${this.#base}`);
    }
    if (this.cutOff > 0) this.#complain(now, `${this.cutOff} members have no live successor`);
    else if (this.#isMoved) this.#walk(now);
    this.#isMoved = false;
  }

  #isOrdered(rank: number, list: readonly number[]): boolean {
    let last = 0;
    for (const entry of list) {
      const way = (entry - rank + this.#size) % this.#size;
      if (way <= last) return false;
      last = way;
    }
    return true;
  }

  #relist(rank: number, list: readonly number[]): void {
    const old = this.#lists[rank] as readonly number[];
    const oldPairs = this.#pairs(rank, old);
    const pairs = this.#pairs(rank, list);
    for (const pair of oldPairs) if (!pairs.includes(pair)) this.#skip(pair, -1);
    for (const pair of pairs) if (!oldPairs.includes(pair)) this.#skip(pair, 1);
    for (const entry of old) if (!list.includes(entry)) this.#heldBy[entry]?.delete(rank);
    for (const entry of list) this.#heldBy[entry]?.add(rank);
    this.#lists[rank] = list;
  }

  #pairs(rank: number, list: readonly number[]): number[] {
    let last = rank;
    return list.map((entry) => {
      const pair = last * this.#size + entry;
      last = entry;
      return pair;
    });
  }

  #skip(pair: number, by: 1 | -1): void {
    this.#skips.add(Math.floor(pair / this.#size), pair % this.#size, by);
  }

  #live(rank: number, isLive: boolean): void {
    this.#isMember[rank] = isLive ? 1 : 0;
    this.members += isLive ? 1 : -1;
    this.#skips.live(rank, isLive);
    for (const holder of this.#heldBy[rank] as Set<number>) this.#rebest(holder);
  }

  /** The first of a list that lives: -1 has none, and -2 is no member. */
  #rebest(rank: number): void {
    const was = this.#best[rank] as number;
    let best = -2;
    if (this.#isMember[rank] === 1) {
      const list = this.#lists[rank] as readonly number[];
      const live = list.find((entry) => this.#isMember[entry] === 1);
      best = live ?? (list.length === 0 && this.members === 1 ? rank : -1);
    }
    if (was === best) return;
    this.cutOff += (best === -1 ? 1 : 0) - (was === -1 ? 1 : 0);
    this.#best[rank] = best;
    this.#isMoved = true;
  }

  /** Follows every best successor once: one cycle, once round the circle, and all lead there. */
  #walk(now: number): void {
    this.walks++;
    const base = this.#stamp;
    let cycles = 0;
    for (let start = 0; start < this.#size; start++) {
      if (this.#isMember[start] === 0 || (this.#stamps[start] as number) > base) continue;
      const mine = ++this.#stamp;
      let at = start;
      while ((this.#stamps[at] as number) <= base) {
        this.#stamps[at] = mine;
        at = this.#best[at] as number;
      }
      if (this.#stamps[at] !== mine) continue;
      cycles++;
      const turns = this.#turns(at);
      if (turns !== 1) this.#complain(now, `a ring goes ${turns} times round the circle`);
    }
    if (cycles !== 1) this.#complain(now, `${cycles} rings`);
    if (this.#stamp > 2_000_000_000) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
  }

  #turns(start: number): number {
    let turns = 0;
    let at = start;
    do {
      const next = this.#best[at] as number;
      if (next <= at) turns++;
      at = next;
    } while (at !== start);
    return turns;
  }

  #complain(at: number, what: string): void {
    this.complaintCount++;
    const isKept = this.complaints.some((one) => one.what === what);
    if (!isKept && this.complaints.length < KEPT_MAX) this.complaints.push({ at, what });
  }
}

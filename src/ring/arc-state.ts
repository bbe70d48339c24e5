/**
 * What a node knows about one arc: a member of its group, a candidate, or its owner.
 *
 *             term ended, nobody heard              majority of votes
 *   member ───────────────────────────▶ candidate ───────────────────▶ owner
 *      ▲  ▲                                 │                            │
 *      │  └──── somebody else was chosen ───┘                            │
 *      └── refused: an epoch was promised to somebody else; or handed over ──┘
 *
 * `promised`, `votedFor`, `at` and `charter` must be on disk before a message leaves that
 * follows from them. The rest may be forgotten: whoever restarts is a member that knows no owner.
 */
import type { Instant } from '../base/instant.ts';
import {
  type Amount,
  BEFORE_ALL,
  type Charter,
  majorityOf,
  NO_TAIL,
  type NodeId,
  reachedBy,
  type Stamp,
  type Tail,
} from './arc-log.ts';
import type { ArcEffect, ArcMessage } from './arc-messages.ts';

/**
 * What is acknowledged only when others have it: nothing; admissions, when K nodes have them;
 * or everything, when all have it.
 */
export type Awaited = 'nothing' | 'admissions' | 'everything';

export interface ArcRules {
  readonly awaits: Awaited;
  /** K: so many nodes have an admission before it is acknowledged. */
  readonly copies: number;
  /** A seat that has heard from an owner chooses no other for so long. */
  readonly termMs: number;
  /** An owner begins no request in the last part of its term: it must arrive within it. */
  readonly marginMs: number;
  /** How much longer each next in line waits before it asks for votes. */
  readonly staggerMs: number;
  /** A switch that does not come about in this time is given up. */
  readonly handOverMsMax: number;
  /** As much of the log's end is kept for those who are behind. */
  readonly tailMax: Amount;
  /** As much goes in one message. */
  readonly batchMax: Amount;
  /** A comparison that has not come to its end is offered again after this. */
  readonly againMs: number;
  /** Copies are compared with the owner's this often. */
  readonly checkEveryMs: number;
}

export const RING_RULES: ArcRules = {
  ...{ awaits: 'admissions', copies: 3, termMs: 6_000, marginMs: 500, staggerMs: 700 },
  ...{ handOverMsMax: 3_000, againMs: 1_000, checkEveryMs: 30_000 },
  tailMax: { entries: 1_000, bytes: 16_777_216 },
  batchMax: { entries: 100, bytes: 40_960 },
};

/** What an owner knows about one that keeps a copy, or is to. */
export interface Follower {
  /** Its copy is like ours was at `acked`: from there on entries are enough. */
  readonly isWhole: boolean;
  readonly acked: number;
  /** Up to here entries are on their way. */
  readonly sent: number;
  /** When we sent what it answered last: its term counts from then. */
  readonly grantedAt: Instant;
  readonly isLeaving: boolean;
  /** The comparison it is being brought up by. */
  readonly session?: Session;
}

export interface Session {
  readonly anchor: number;
  readonly sums: readonly number[];
  readonly sentAt: Instant;
}

export const NEW_FOLLOWER: Follower = {
  ...{ isWhole: false, acked: 0, sent: 0, grantedAt: 0, isLeaving: false },
};

export interface Owning {
  readonly tail: Tail;
  readonly commit: number;
  readonly since: Instant;
  readonly followers: ReadonlyMap<NodeId, Follower>;
  /** Writes that somebody waits for: the token and the index that it needs. */
  readonly awaited: readonly { readonly token: number; readonly index: number }[];
  readonly handing?: {
    readonly to: NodeId;
    readonly since: Instant;
    /** What was begun or lent has arrived by then. */
    readonly quietAt: Instant;
  };
  readonly checkedAt: Instant;
  /** Those who lose their seat when the charter is in force. */
  readonly parting: readonly NodeId[];
  /** Who should have a seat, as of the last tick. */
  readonly wanted?: readonly NodeId[];
}

export interface Campaign {
  readonly epoch: number;
  readonly isTrial: boolean;
  readonly isBlessed: boolean;
  readonly sentAt: Instant;
  readonly yes: readonly NodeId[];
}

export interface ArcState {
  readonly me: NodeId;
  readonly rules: ArcRules;
  readonly charter: Charter;
  /** The owner has told that its charter is in force. */
  readonly isChartered: boolean;
  /** No message of a lower epoch is believed. */
  readonly promised: number;
  readonly votedFor: NodeId | undefined;
  /** Our copy is whole up to here. */
  readonly at: Stamp;
  /** The owner of the epoch promised, once it is known. */
  readonly owner: NodeId | undefined;
  /** Nobody else is chosen before this. */
  readonly grantedUntil: Instant;
  readonly askAt: Instant;
  readonly isLeaving: boolean;
  readonly campaign: Campaign | undefined;
  readonly owning: Owning | undefined;
  /** Buckets still to come until our copy is like the owner's at an index. */
  readonly coming: Coming | undefined;
  /** How often our copy was dropped, or a bucket of it replaced: sums from before do not hold. */
  readonly remade: number;
}

export interface Coming {
  readonly epoch: number;
  readonly anchor: number;
  readonly buckets: readonly number[];
  /** Of how many. */
  readonly of: number;
}

/** A step under way: the state so far and what is to be done. */
export class ArcStep {
  state: ArcState;
  readonly effects: ArcEffect[] = [];
  readonly now: Instant;

  constructor(state: ArcState, now: Instant) {
    this.state = state;
    this.now = now;
  }

  set(change: Partial<ArcState>): void {
    this.state = { ...this.state, ...change };
  }

  send(to: NodeId, message: ArcMessage): void {
    this.effects.push({ kind: 'send', to, message });
  }
}

/** Somebody who knows nothing about the arc yet but who founded it. */
export function memberOf(me: NodeId, rules: ArcRules, charter: Charter, now: Instant): ArcState {
  const isFirst = charter.at.epoch > 0 && charter.seats.includes(me);
  return {
    ...{ me, rules, charter, isChartered: isFirst, isLeaving: false },
    promised: isFirst ? charter.at.epoch : 0,
    at: isFirst ? charter.at : BEFORE_ALL,
    ...{ grantedUntil: now, askAt: now, votedFor: undefined, owner: undefined },
    ...{ campaign: undefined, owning: undefined, coming: undefined, remade: 0 },
  };
}

/** What survives a restart, where it was on disk before a message left that followed from it. */
export type Remembered = Pick<ArcState, 'promised' | 'votedFor' | 'at' | 'charter' | 'isChartered'>;

/**
 * A node that was here before. It may have granted a term just before it died, so it chooses nobody
 * within one; where it had the only seat there was nobody to grant it to.
 */
export function memberAgain(
  me: NodeId,
  rules: ArcRules,
  { promised, votedFor, at, charter, isChartered }: Remembered,
  now: Instant,
): ArcState {
  const isAlone = charter.seats.every((seat) => seat === me);
  const grantedUntil = isAlone ? now : now + rules.termMs;
  return {
    ...memberOf(me, rules, charter, now),
    ...{ promised, votedFor, at, isChartered, grantedUntil },
  };
}

/** Its copy is not what was thought: it is brought up like an empty one, and is no candidate. */
export function withoutCopy(state: ArcState): ArcState {
  const remade = state.remade + 1;
  return { ...state, at: BEFORE_ALL, coming: undefined, campaign: undefined, remade };
}

export function owningFrom(charter: Charter, now: Instant): Owning {
  const followers = new Map(charter.seats.map((seat) => [seat, NEW_FOLLOWER]));
  return {
    ...{ tail: NO_TAIL, commit: 0, since: now, followers, awaited: [], checkedAt: now },
    parting: [],
  };
}

/** Until when the owner may act: a majority has promised to choose nobody else before. */
export function leaseUntil({ me, rules, charter, owning }: ArcState): Instant {
  if (owning === undefined) return 0;
  const grants = charter.seats.map((seat) =>
    seat === me ? Infinity : (owning.followers.get(seat)?.grantedAt ?? 0),
  );
  return reachedBy(majorityOf(charter), grants) + rules.termMs;
}

/** May a request be begun at this instant? */
export function isActing(state: ArcState, now: Instant): boolean {
  if (state.owning === undefined || state.owning.handing !== undefined) return false;
  return now + state.rules.marginMs < leaseUntil(state);
}

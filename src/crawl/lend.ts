/**
 * Requests lent to fetchers elsewhere (F4, A2): `lease_batch` and `ack`. The owner of a host
 * decides everything about it; a fetcher is a line to the web, and may die at any time (K5).
 *
 *   lease   worker.lend ─▶ visits up to their request ─▶ loans, with address, headers, limits
 *   ack     the answer ─▶ its visit goes on: judged, read, settled, durable ─▶ 'settled'
 *           'lost' when the loan has lapsed, was answered, or was never this fetcher's
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';
import type { Fits, Host } from '../frontier/index.ts';
import type { HttpRequest } from '../ports/http.ts';
import { regionNamed } from '../region/index.ts';
import { arcOf } from '../url/index.ts';
import type { Walk } from './context.ts';
import { type FetcherResult, isCutShort, outcomeOf, problemIn } from './lend-result.ts';
import { Loan } from './loan.ts';
import type { Worker } from './worker.ts';

/** Addresses are looked up before anything is lent; who takes longer is not waited for. */
const LOOK_UP_MS = 3 * SECOND_MS;
/** What is left of a lease to settle what came of it. */
const SETTLE_MS = 10 * SECOND_MS;
/** Links that others find make hosts ready at any time. */
const WAIT_MS_MAX = SECOND_MS;
const WAIT_MS_MIN = 10;
/** What a loan must last for, and how many times as long as its host takes to answer. */
const LENT_MS_MIN = SECOND_MS;
const ANSWERS_LENT = 2;
/** A host whose loan came to nothing is asked by its owner for so long, if that has hands. */
const UNLENT_MS = MINUTE_MS;
/** First bytes of keys that make up a shard. */
const PARTS = 4;

export interface LendRequest {
  readonly fetcher: string;
  /** Where it is (K4): hosts that are near are lent first. */
  readonly region?: string | undefined;
  /** Undefined for all that this node owns. */
  readonly shard: number | undefined;
  readonly n: number;
  readonly seconds: number;
  /** Only of these hosts; of all when there is none. */
  readonly fits?: (host: Host) => boolean;
}

export interface Lent {
  readonly id: string;
  readonly shard: number;
  readonly isPage: boolean;
  readonly request: HttpRequest;
  readonly from: Instant;
  readonly until: Instant;
  /** When its visit is over, whatever became of it. */
  readonly ended: Promise<void>;
}

export interface LendBatch {
  readonly leases: readonly Lent[];
  /** How long to wait before it is worth to ask again. */
  readonly waitMs: number;
}

export type AckEnd = 'settled' | 'lost' | { readonly wrong: string; readonly at: string };

interface Open {
  readonly loan: Loan;
  readonly ended: Promise<void>;
}

export class Lending {
  readonly #walk: Walk;
  readonly #worker: Worker;
  readonly #open = new Map<string, Open>();
  readonly #unlentUntil = new WeakMap<Host, Instant>();

  constructor(walk: Walk, worker: Worker) {
    this.#walk = walk;
    this.#worker = worker;
  }

  /** Largest body that an answer may have, as it was sent. */
  get bodyBytesMax(): number {
    return this.#walk.rules.limits.bodyBytes;
  }

  get out(): number {
    return this.#open.size;
  }

  /** Every hand of its own is full, so that a host whose turn comes has to wait for one (D6). */
  get isHot(): boolean {
    return this.#worker.room === 0;
  }

  /** Does this node act for any host of it? */
  owns(shard: number): boolean {
    const { arcs } = this.#walk;
    const parts = [0, 1, 2, 3].map((part) => Uint8Array.of(PARTS * shard + part));
    return arcs === undefined || parts.some((key) => arcs.isMine(key));
  }

  async lease(ask: LendRequest): Promise<LendBatch> {
    const { clock } = this.#walk.ports;
    const loans: Loan[] = [];
    const region = regionNamed(ask.region ?? '');
    const visits = this.#worker.lend(ask.n, region, this.#fitsFor(ask), (lease) => {
      const loan = this.#loanFor(lease, ask);
      loans.push(loan);
      return loan;
    });
    for (const [nth, { ended }] of visits.entries()) this.#follow(loans[nth] as Loan, ended);
    const isOver = new AbortController();
    const late = clock.sleepUntil(clock.now() + LOOK_UP_MS, isOver.signal).then(() => {
      for (const loan of loans) if (loan.request === undefined) loan.withdraw();
    });
    await Promise.all(loans.map(({ offered }) => offered));
    isOver.abort(null);
    await late;
    const leases = loans.flatMap((loan, nth) => lentOf(loan, visits[nth]?.ended));
    return { leases, waitMs: this.#waitMs(region) };
  }

  #waitMs(region: string): number {
    // Nothing is lent before what was fetched has been read.
    if (this.#walk.ports.pool.isBehind) return WAIT_MS_MAX;
    const now = this.#walk.ports.clock.now();
    const nextAt = this.#walk.frontier.nextAt({ region, now }) ?? Number.POSITIVE_INFINITY;
    const waitMs = nextAt - now;
    return Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, Math.ceil(waitMs)));
  }

  /** Resolves when what it brings is durable. */
  async ack(
    shard: number | undefined,
    fetcher: string,
    id: string,
    result: FetcherResult,
  ): Promise<AckEnd> {
    const { loan, ended } = this.#open.get(id) ?? {};
    if (loan?.request === undefined || loan.terms.fetcher !== fetcher) return 'lost';
    const { host } = loan.terms.lease;
    if ((shard !== undefined && shard !== shardOf(host)) || !this.#isOurs(loan)) return 'lost';
    const wrong = problemIn(result, loan.request);
    if (wrong !== undefined) return wrong;
    const { clock } = this.#walk.ports;
    const isLost = this.#worker.hasHands && isCutShort(result, loan.request);
    if (isLost) this.#rest(host);
    if (isLost || result.kind === 'returned') loan.giveBack();
    else loan.answer(this.#wanted(outcomeOf(result, loan, clock.now()), loan.request));
    await ended;
    return isLost ? 'lost' : 'settled';
  }

  /** It was too slow for a loan, or whoever had it was lost: its owner has the time, and is here. */
  #rest(host: Host): void {
    if (!this.#worker.hasHands) return;
    this.#unlentUntil.set(host, this.#walk.ports.clock.now() + UNLENT_MS);
  }

  #isOurs(loan: Loan): boolean {
    const { lease } = loan.terms;
    const mayAct = this.#walk.arcs?.mayAct(lease.host.arc) ?? true;
    return mayAct && loan.isOut && this.#walk.frontier.leases.isOpen(lease);
  }

  /** A fetcher brings what is there; what is not wanted of it is left out here (H4). */
  #wanted(outcome: Outcome, { wants }: HttpRequest): Outcome {
    if (outcome.kind !== 'answered' || outcome.body.length === 0) return outcome;
    const [type = ''] = (outcome.headers['content-type'] ?? '').split(';');
    if (wants(type.trim().toLowerCase())) return outcome;
    return { ...outcome, body: NO_BODY, truncated: 'unwanted-type' };
  }

  /** One URL a host, also where a host may have several requests at a time. */
  #fitsFor({ shard, fits }: LendRequest): Fits {
    const tried = new Set<Host>();
    const now = this.#walk.ports.clock.now();
    return (host) => {
      if (tried.has(host) || (shard !== undefined && shardOf(host) !== shard)) return false;
      if (this.#isForItsOwner(host, now) || fits?.(host) === false) return false;
      tried.add(host);
      return true;
    };
  }

  /** A loan would be too short for it, or was: only who asks nobody itself lends it all the same. */
  #isForItsOwner(host: Host, now: Instant): boolean {
    if (!this.#worker.hasHands) return false;
    const lastsMs = (this.#walk.arcs?.lendsUntil(host.arc) ?? Number.POSITIVE_INFINITY) - now;
    const isShort = lastsMs < Math.max(LENT_MS_MIN, ANSWERS_LENT * host.latencyMs);
    return isShort || now < (this.#unlentUntil.get(host) ?? 0);
  }

  #loanFor(lease: Loan['terms']['lease'], { fetcher, seconds }: LendRequest): Loan {
    const { ports, frontier, arcs } = this.#walk;
    const from = ports.clock.now();
    // Whoever owns the host next may ask it when our term is over, and cannot call a fetcher back.
    const ours = arcs?.lendsUntil(lease.host.arc) ?? Number.POSITIVE_INFINITY;
    const until = Math.min(from + seconds * SECOND_MS, lease.until - SETTLE_MS, ours);
    const part = Math.floor(ports.random.next() * 2 ** 48).toString(36);
    const id = `${Math.floor(from).toString(36)}-${lease.id}-${part}`;
    return new Loan({ id, fetcher, lease, from, until }, ports.clock, frontier.policy);
  }

  #follow(loan: Loan, ended: Promise<void>): void {
    const { id } = loan.terms;
    this.#open.set(id, { loan, ended });
    const over = () => {
      this.#open.delete(id);
      if (loan.hasLapsed) this.#rest(loan.terms.lease.host);
      loan.withdraw();
    };
    ended.then(over, over);
  }
}

const NO_BODY = new Uint8Array();

function shardOf(host: Host): number {
  return arcOf(host.key);
}

function lentOf({ request, terms }: Loan, ended: Promise<void> | undefined): Lent[] {
  if (request === undefined || ended === undefined) return [];
  const { id, lease, from, until } = terms;
  const isPage = lease.kind === 'page';
  return [{ id, shard: shardOf(lease.host), isPage, request, from, until, ended }];
}

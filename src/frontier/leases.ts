/**
 * The leases that are out: given, concluded, ended; and how many each job has.
 *
 *   open ──▶ concluded ──▶ ended          asks nothing: concluded from the start
 *     └──────────▶ taken back, when it lapses or is given up
 */
import type { Instant } from '../base/instant.ts';
import type { Waiting } from '../record/index.ts';
import type { Errand, Host } from './host.ts';
import { asksNothing, type Lease, type Marks, type PageLease, type RobotsLease } from './lease.ts';

export class Leases {
  readonly #leaseMs: number;
  readonly #open = new Map<number, Lease>();
  /** Answered, or not to be asked, and on their way into the store: they cannot end by themselves. */
  readonly #concluded = new Map<number, Lease>();
  /** Concluded, and their host is free for others already. */
  readonly #detached = new Set<number>();
  /** Pages under way, of jobs. */
  readonly #ofJob = new Map<number, number>();
  #last = 0;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  get size(): number {
    return this.#open.size + this.#concluded.size;
  }

  isOpen({ id }: Lease): boolean {
    return this.#open.has(id);
  }

  /** Given, and neither ended nor taken back. */
  isOut({ id }: Lease): boolean {
    return this.#open.has(id) || this.#concluded.has(id);
  }

  /** In the order in which they end. */
  open(): Iterable<Lease> {
    return this.#open.values();
  }

  /** Requests for pages of a job that may be out, or are not counted by the store yet. */
  underWay(job: number): number {
    return this.#ofJob.get(job) ?? 0;
  }

  page(host: Host, waiting: Waiting, marks: Marks, now: Instant): PageLease {
    const id = ++this.#last;
    const until = now + this.#leaseMs;
    const lease: PageLease = {
      ...{ kind: 'page', id, host, url: waiting.url, until, waiting },
      ...marks,
    };
    if (asksNothing(lease)) this.#concluded.set(id, lease);
    else {
      this.#open.set(id, lease);
      this.#count(lease, 1);
    }
    return lease;
  }

  robots(host: Host, errand: Errand, now: Instant): RobotsLease {
    const id = ++this.#last;
    const until = now + this.#leaseMs;
    const lease: RobotsLease = { kind: 'robots', id, host, url: errand.url, until, errand };
    this.#open.set(id, lease);
    return lease;
  }

  /** False when it is lost. */
  conclude(lease: Lease): boolean {
    if (!this.#open.delete(lease.id)) return false;
    this.#concluded.set(lease.id, lease);
    return true;
  }

  /** False when it is not concluded. */
  detach({ id }: Lease): boolean {
    if (!this.#concluded.has(id)) return false;
    this.#detached.add(id);
    return true;
  }

  /** What it was until now; undefined when it is lost. */
  end(lease: Lease): 'open' | 'concluded' | 'detached' | undefined {
    const was = this.#takeOut(lease.id);
    if (was !== undefined) this.#count(lease, -1);
    return was;
  }

  /** Those that somebody is at work with: not detached. */
  *attached(): Iterable<Lease> {
    yield* this.#open.values();
    for (const lease of this.#concluded.values()) if (!this.#detached.has(lease.id)) yield lease;
  }

  /** Ends those whose host has left with its arc (arc-hosts.ts). */
  endGone(): Lease[] {
    const all = [...this.#open.values(), ...this.#concluded.values()];
    const gone = all.filter(({ host }) => host.presence === 'gone');
    for (const lease of gone) this.end(lease);
    return gone;
  }

  #takeOut(id: number): ReturnType<Leases['end']> {
    if (this.#open.delete(id)) return 'open';
    if (!this.#concluded.delete(id)) return undefined;
    return this.#detached.delete(id) ? 'detached' : 'concluded';
  }

  #count(lease: Lease, change: number): void {
    if (lease.kind !== 'page' || !lease.waiting.job || asksNothing(lease)) return;
    const { job } = lease.waiting;
    const count = this.underWay(job) + change;
    if (count === 0) this.#ofJob.delete(job);
    else this.#ofJob.set(job, count);
  }
}

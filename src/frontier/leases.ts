/**
 * The leases that are out: given, concluded, ended; and how many each job has.
 *
 *   open ──▶ concluded ──▶ ended          asks nothing: concluded from the start
 *     └──────────▶ taken back, when it lapses or is given up
 */
import type { Instant } from '../base/instant.ts';
import { Numbered } from '../base/numbered.ts';
import type { Waiting } from '../record/index.ts';
import type { Errand, Host } from './host.ts';
import { asksNothing, type Lease, type Marks, type PageLease, type RobotsLease } from './lease.ts';

export class Leases {
  readonly #leaseMs: number;
  /** Those that somebody is at work with. */
  readonly #attached = new Numbered<Lease>();
  /** Answered, or not to be asked, and on their way into the store: they cannot end by themselves. */
  readonly #concluded = new Set<number>();
  /** Concluded, and their host is free for others already; these may stay for hours. */
  readonly #detached = new Map<number, Lease>();
  /** Pages under way, of jobs. */
  readonly #ofJob = new Map<number, number>();
  #last = 0;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  get size(): number {
    return this.#attached.size + this.#detached.size;
  }

  isOpen({ id }: Lease): boolean {
    return this.#attached.has(id) && !this.#concluded.has(id);
  }

  /** Given, and neither ended nor taken back. */
  isOut({ id }: Lease): boolean {
    return this.#attached.has(id) || this.#detached.has(id);
  }

  /** In the order in which they end. */
  *open(): Iterable<Lease> {
    for (const lease of this.#attached.values()) if (!this.#concluded.has(lease.id)) yield lease;
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
    this.#attached.add(id, lease);
    if (asksNothing(lease)) this.#concluded.add(id);
    else this.#count(lease, 1);
    return lease;
  }

  robots(host: Host, errand: Errand, now: Instant): RobotsLease {
    const id = ++this.#last;
    const until = now + this.#leaseMs;
    const lease: RobotsLease = { kind: 'robots', id, host, url: errand.url, until, errand };
    this.#attached.add(id, lease);
    return lease;
  }

  /** False when it is lost. */
  conclude(lease: Lease): boolean {
    if (!this.isOpen(lease)) return false;
    this.#concluded.add(lease.id);
    return true;
  }

  /** False when it is not concluded. */
  detach(lease: Lease): boolean {
    if (this.#concluded.delete(lease.id)) {
      this.#attached.take(lease.id);
      this.#detached.set(lease.id, lease);
    }
    return this.#detached.has(lease.id);
  }

  /** What it was until now; undefined when it is lost. */
  end(lease: Lease): 'open' | 'concluded' | 'detached' | undefined {
    const was = this.#takeOut(lease.id);
    if (was !== undefined) this.#count(lease, -1);
    return was;
  }

  /** Those that somebody is at work with: not detached. */
  attached(): Iterable<Lease> {
    return this.#attached.values();
  }

  /** Ends those whose host has left with its arc (arc-hosts.ts). */
  endGone(): Lease[] {
    const all = [...this.#attached.values(), ...this.#detached.values()];
    const gone = all.filter(({ host }) => host.presence === 'gone');
    for (const lease of gone) this.end(lease);
    return gone;
  }

  #takeOut(id: number): ReturnType<Leases['end']> {
    if (this.#detached.delete(id)) return 'detached';
    if (this.#attached.take(id) === undefined) return undefined;
    return this.#concluded.delete(id) ? 'concluded' : 'open';
  }

  #count(lease: Lease, change: number): void {
    if (lease.kind !== 'page' || !lease.waiting.job || asksNothing(lease)) return;
    const { job } = lease.waiting;
    const count = this.underWay(job) + change;
    if (count === 0) this.#ofJob.delete(job);
    else this.#ofJob.set(job, count);
  }
}

/**
 * A node: the owner of arcs. Brings their hosts back from the store, plants the seeds, lets a
 * worker walk, and answers how it is going.
 */
import { assert } from '../base/assert.ts';
import { type Instant, SECOND_MS } from '../base/instant.ts';
import { Budget, type BudgetLimits, Frontier, type Politeness } from '../frontier/index.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { Records } from '../ports/records.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import { type Due, type Totals, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { quantised, rankOf, type UrlKey, type UrlRecord, type Waiting } from '../record/index.ts';
import { Recent } from '../seen/index.ts';
import { Admit, type AdmitRules, type Mention } from './admit.ts';
import type { VisitPorts, VisitRules, Walk } from './context.ts';
import { Settling } from './settle.ts';
import { COUNTED_AS } from './visit.ts';
import { type RunEnd, Worker } from './worker.ts';

export interface NodePorts extends VisitPorts {
  readonly records: Records;
  readonly filter: SeenFilter;
  readonly blobs: BlobStore;
  readonly events: EventLog;
  readonly near: NearIndex;
  readonly ownership: Ownership<Mention>;
}

export interface NodePlan {
  readonly politeness: Politeness;
  readonly admit: AdmitRules;
  readonly visit: VisitRules;
  readonly budget: BudgetLimits;
  readonly concurrency: number;
  readonly patienceMs: number;
  /** The last run ended by itself: nothing was on its way when it did. */
  readonly wasClean: boolean;
  readonly onPage?: Walk['onPage'];
}

/** A lease outlives the longest visit. */
const LEASE_MARGIN_MS = 30 * SECOND_MS;
const RECENT_URLS = 200_000;
const DUE_PER_LOOK = 1_000;
const FAILED_PER_LOOK = 1_000;

export class CrawlNode {
  readonly #ports: NodePorts;
  readonly #plan: NodePlan;
  readonly frontier: Frontier;
  readonly settling: Settling;
  readonly worker: Worker;
  readonly #walk: Walk;

  private constructor(ports: NodePorts, plan: NodePlan, totals: Totals) {
    this.#ports = ports;
    this.#plan = plan;
    const { limits } = plan.visit;
    const leaseMs = limits.connectMs + limits.wholeMs + LEASE_MARGIN_MS;
    this.frontier = new Frontier(plan.politeness, leaseMs, () => ports.random.next());
    this.settling = new Settling(ports, this.frontier, totals);
    const recent = new Recent(RECENT_URLS);
    this.#walk = {
      ports,
      rules: plan.visit,
      frontier: this.frontier,
      admit: new Admit(plan.admit, this.frontier, ports.ownership, recent),
      scope: plan.admit.scope,
      settling: this.settling,
      onPage: plan.onPage ?? (() => undefined),
    };
    const budget = new Budget(plan.budget, () => this.settling.totals);
    this.worker = new Worker(this.#walk, budget, {
      concurrency: plan.concurrency,
      patienceMs: plan.patienceMs,
      requeueDue: () => this.#requeueDue(),
    });
  }

  /** Takes over every arc of the circle from its store. */
  static async open(ports: NodePorts, plan: NodePlan): Promise<CrawlNode> {
    const node = new CrawlNode(ports, plan, await ports.records.totals());
    await plan.admit.scope.recall(ports.store);
    const now = ports.clock.now();
    for await (const hosts of ports.store.hosts(WHOLE_CIRCLE)) {
      for (const host of hosts) node.frontier.restore(host, now, plan.wasClean);
    }
    return node;
  }

  /** Answers how many of the seeds were new. */
  async plant(seeds: Iterable<Mention>): Promise<number> {
    const before = this.settling.totals.known;
    const candidates = this.#walk.admit.mentions(seeds, this.#ports.clock.now());
    await this.settling.add({ candidates, change: {} });
    return this.settling.totals.known - before;
  }

  /** Queues what failed for good; answers how many. */
  async retryFailed(): Promise<number> {
    const { records, clock } = this.#ports;
    let retried = 0;
    for (let after: UrlKey | undefined; ; ) {
      const rows = await records.scan(after, FAILED_PER_LOOK);
      const last = rows[rows.length - 1];
      if (last === undefined) return retried;
      after = last.key;
      const failed = rows.filter(({ record }) => record.state === 'failed');
      const requeued = failed.map(({ key, record }) => {
        const due = { at: record.nextCrawlAt, key };
        return { due, waiting: waitingAgain(due, record, clock.now()) };
      });
      retried += requeued.length;
      const change = { waiting: requeued.length, failed: -requeued.length };
      if (requeued.length > 0) await this.settling.add({ candidates: [], requeued, change });
    }
  }

  run(): Promise<RunEnd> {
    return this.worker.run();
  }

  /** Before a clean end: turns that no visit has written yet (P5). */
  async rest(): Promise<void> {
    const resting = [...this.frontier.restingHosts(this.#ports.clock.now())];
    const sketches = [...this.frontier.attention.unsaved()];
    if (resting.length + sketches.length === 0) return;
    await this.settling.add({ candidates: [], resting, sketches, change: {} });
  }

  /** Moves what is due into the queue; answers when the next is, if it comes soon. */
  async #requeueDue(): Promise<Instant | undefined> {
    const { store, clock } = this.#ports;
    const now = clock.now();
    const rows = await store.due(now + this.#plan.patienceMs, DUE_PER_LOOK);
    const due = rows.filter((row) => row.at <= now);
    if (due.length === 0) return rows[0]?.at;
    await this.#requeue(due, now);
    return now;
  }

  async #requeue(due: readonly Due[], now: Instant): Promise<void> {
    const records = await this.#ports.store.urls(due.map((row) => row.key));
    const requeued = due.map((row, i) => {
      const record = records[i];
      assert(record !== undefined, 'a due URL has a record');
      return { due: row, waiting: waitingAgain(row, record, now) };
    });
    const change: Partial<Record<keyof Totals, number>> = { waiting: requeued.length };
    for (const record of records) {
      const counted = COUNTED_AS[record?.state ?? 'queued'];
      change[counted] = (change[counted] ?? 0) - 1;
    }
    await this.settling.add({ candidates: [], requeued, change });
  }
}

function waitingAgain(due: Due, record: UrlRecord, now: Instant): Waiting {
  const { url, kind, depth, hops, outside, parent } = record;
  const priority = quantised(record.priority);
  const rank = rankOf(priority, now);
  const fails = record.state === 'retrying' ? record.failCount : 0;
  const again = true;
  return { key: due.key, url, kind, rank, priority, depth, hops, outside, parent, fails, again };
}

/**
 * A node: the owner of arcs. Brings their hosts back from the store, plants the seeds, lets a
 * worker walk, and answers how it is going.
 *
 *   open   alone: every arc of the circle is its own, from the start to the end
 *   join   one of several: arcs come and go while it runs (arcs.ts, keeper.ts), and it ends only
 *          when it is told to (worker.drain(), worker.abort()); then its arcs are given back
 */
import { DAY_MS, SECOND_MS } from '../base/instant.ts';
import { Rules } from '../comply/index.ts';
import {
  Budget,
  type BudgetLimits,
  Frontier,
  type Nearness,
  type Politeness,
} from '../frontier/index.ts';
import type { AddressTurns } from '../ports/address-turns.ts';
import type { ArcGroup } from '../ports/arc-group.ts';
import type { Archive } from '../ports/archive.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { JobBook } from '../ports/job-book.ts';
import type { NearIndex } from '../ports/near-index.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { Records } from '../ports/records.ts';
import type { Renderer } from '../ports/renderer.ts';
import type { SeenFilter } from '../ports/seen-filter.ts';
import { type Totals, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import type { Tenures } from '../ports/tenures.ts';
import type { UrlKey } from '../record/index.ts';
import { Recrawl, type RecrawlPolicy } from '../recrawl/index.ts';
import { Recent } from '../seen/index.ts';
import { Admit, type AdmitRules, type Mention } from './admit.ts';
import { Arcs } from './arcs.ts';
import { type Checked, checkAndAdd } from './check-and-add.ts';
import type { VisitPorts, VisitRules, Walk } from './context.ts';
import type { DueStore } from './due-store.ts';
import { sane } from './host-sane.ts';
import { JobBoard, type JobPlan } from './job-board.ts';
import { JobDesk } from './jobs.ts';
import { Keeper } from './keeper.ts';
import { Lending } from './lend.ts';
import { Neighbours } from './neighbours.ts';
import { Comeback } from './recrawl.ts';
import { countPages } from './recrawl-count.ts';
import { type RenderRules, Renders } from './render.ts';
import { endRender } from './render-end.ts';
import { Settling } from './settle.ts';
import { Trouble, type TroubleHooks } from './trouble.ts';
import { type RunEnd, Worker } from './worker.ts';

export interface NodePorts extends VisitPorts {
  readonly records: Records;
  readonly filter: SeenFilter;
  readonly blobs: BlobStore;
  readonly events: EventLog;
  readonly near: NearIndex;
  readonly archive?: Archive;
  readonly ownership: Ownership<Mention>;
  /** What defines jobs; without one there is the crawl itself, and no other. */
  readonly book?: JobBook;
  /** A browser for pages that live by their scripts (J1); none: they are left as they are. */
  readonly renderer?: Renderer | undefined;
  /** What may not be asked any more (G1); they may become more while the crawl runs. */
  readonly denials?: Rules;
}

export interface NodePlan {
  readonly politeness: Politeness;
  readonly admit: AdmitRules;
  /** The same for jobs. */
  readonly jobs?: JobPlan;
  readonly visit: VisitRules;
  readonly budget: BudgetLimits;
  readonly concurrency: number;
  /** Who is near which hosts, this node among them (K4); without it nobody is. */
  readonly nearness?: NodeNearness;
  readonly patienceMs: number;
  readonly recrawl: RecrawlPolicy;
  readonly render?: RenderRules | undefined;
  /** Told once, when a page needs a browser and there is none. */
  readonly onNoBrowser?: ((problem: string, fix: string) => void) | undefined;
  /** Never end: visit again what comes due. */
  readonly keepFresh: boolean;
  /** Of a crawl that never ends: false leaves visited pages as they are, but for retries (K3). */
  readonly schedules?: boolean;
  /** The last run ended by itself: nothing was on its way when it did. */
  readonly wasClean: boolean;
  readonly onPage?: Walk['onPage'];
  readonly onRobots?: Walk['onRobots'];
}

/** What is known of regions, and where this node is itself. */
export interface NodeNearness extends Nearness {
  /** Empty is nowhere in particular. */
  readonly region: string;
}

/** What a node of a cluster has besides: who it belongs to, and on what terms. */
export interface Membership extends TroubleHooks {
  readonly group: ArcGroup<Mention>;
  readonly tenures: Tenures;
  /** Whose turn it is at an address; without it each node keeps a pause of its own (P4). */
  readonly addressTurns?: AddressTurns | undefined;
  /** Told which arcs come and go; the store is one with an index of what is due. */
  readonly dues?: Pick<DueStore, 'take' | 'leave'> | undefined;
  /** Of this process and no other, ever. */
  readonly holder: string;
  /** How long an arc is held without another word to the engine. */
  readonly termMs: number;
  /** How long visits of an arc that leaves may take to end by themselves. */
  readonly drainMs: number;
  /** Before an arc comes: what others have decided meanwhile must be known. */
  readonly onTaking?: () => Promise<void>;
}

/** … as its parts see it. */
interface Member {
  readonly arcs: Arcs;
  readonly trouble: Trouble;
  readonly drainMs: number;
  readonly addressTurns: AddressTurns | undefined;
}

/** A lease outlives the longest visit. */
const LEASE_MARGIN_MS = 30 * SECOND_MS;
const RECENT_URLS = 200_000;
const FAILED_PER_LOOK = 1_000;
/** A crawl that never ends counts its pages anew this often. */
const COUNT_MS = DAY_MS;

export class CrawlNode {
  readonly #ports: NodePorts;
  readonly #plan: NodePlan;
  readonly frontier: Frontier;
  readonly settling: Settling;
  readonly worker: Worker;
  /** Requests that fetchers elsewhere make. */
  readonly lending: Lending;
  readonly recrawl: Recrawl;
  readonly comeback: Comeback;
  readonly recent = new Recent(RECENT_URLS);
  readonly board: JobBoard;
  /** Undefined where nothing can be asked of it while it runs. */
  readonly jobs: JobDesk | undefined;
  readonly renders: Renders | undefined;
  /** Undefined for a node that is alone. */
  readonly arcs: Arcs | undefined;
  readonly #keeper: Keeper;
  readonly #walk: Walk;

  private constructor(ports: NodePorts, plan: NodePlan, totals: Totals, member?: Member) {
    this.#ports = ports;
    this.#plan = plan;
    this.arcs = member?.arcs;
    const { limits } = plan.visit;
    const leaseMs = limits.connectMs + limits.wholeMs + LEASE_MARGIN_MS;
    const random = () => ports.random.next();
    this.frontier = new Frontier(plan.politeness, leaseMs, random, plan.nearness);
    const own = member && { ...member, onRefused: () => this.recent.clear() };
    this.settling = new Settling(ports, this.frontier, totals, own);
    this.recrawl = new Recrawl(plan.recrawl);
    const now = () => ports.clock.now();
    this.board = new JobBoard(plan.admit, plan.jobs, now, () => this.settling.jobs);
    this.frontier.gate = this.board.gate;
    const rulesOf = (job: number) => this.board.rulesOf(job);
    const { keepFresh, patienceMs } = plan;
    const { denials = new Rules() } = ports;
    const startedAt = ports.clock.now();
    const onAsked = () => this.worker.wake();
    const when = {
      keepFresh: keepFresh && plan.schedules !== false,
      patienceMs,
      startedAt,
      onAsked,
      ...(member && { arcs: member.arcs }),
    };
    this.comeback = new Comeback(ports, this.frontier, this.settling, this.recrawl, when);
    this.renders = this.#rendersOf(ports, plan);
    this.#walk = {
      ports,
      rules: plan.visit,
      frontier: this.frontier,
      admit: new Admit(rulesOf, this.frontier, ports.ownership, this.recent, denials),
      ...{ rulesOf, isInScope: (url) => this.board.isInScope(url), recent: this.recent },
      settling: this.settling,
      recrawl: this.recrawl,
      comeback: this.comeback,
      renders: this.renders,
      denials,
      ...(member && { arcs: member.arcs, neighbours: this.#neighboursOf(ports, member) }),
      onPage: plan.onPage ?? (() => undefined),
      onRobots: plan.onRobots ?? (() => undefined),
    };
    const budget = new Budget(plan.budget, () => this.settling.totals);
    this.worker = new Worker(this.#walk, budget, {
      ...{ concurrency: plan.concurrency, region: plan.nearness?.region ?? '' },
      ...{ patienceMs, keepFresh, ...(member && { trouble: member.trouble }) },
      requeueDue: async () => {
        const isBusy = this.jobs?.tick();
        const next = await this.comeback.requeueDue();
        return isBusy ? now() : next;
      },
    });
    this.lending = new Lending(this.#walk, this.worker);
    const { book, clock, store, ownership } = ports;
    const around = { clock, store, ownership, denials, node: this };
    const desk = book && plan.jobs && { ...plan.jobs, ...around, book };
    this.jobs = desk && new JobDesk(desk, this.board);
    const { frontier, settling, comeback } = this;
    this.#keeper = new Keeper({
      ...{ clock, store, frontier, settling, comeback, admit: this.#walk.admit },
      drainMs: member?.drainMs ?? 0,
      recallScopes: async () => {
        const jobs = new Set([0, ...this.board.all().map(({ id }) => id)]);
        for (const job of jobs) await rulesOf(job)?.scope.recall(store);
      },
      wake: () => this.worker.wake(),
    });
  }

  #neighboursOf({ clock }: NodePorts, member: Member): Neighbours | undefined {
    const { frontier } = this;
    const { arcs, addressTurns } = member;
    if (addressTurns === undefined || frontier.policy.addressDelayMs === 0) return undefined;
    const { limits } = this.#plan.visit;
    return new Neighbours({ turns: addressTurns, frontier, clock, arcs, limits });
  }

  #rendersOf({ renderer }: NodePorts, { render, onNoBrowser }: NodePlan): Renders | undefined {
    if (renderer === undefined || render === undefined) return undefined;
    return new Renders(renderer, render, {
      finish: endRender,
      wake: () => this.worker.wake(),
      onMissing: onNoBrowser ?? (() => undefined),
      onFailure: (error, lease) => this.worker.failAt(lease, error),
    });
  }

  /** Takes over every arc of the circle from its store. */
  static async open(ports: NodePorts, plan: NodePlan): Promise<CrawlNode> {
    const node = new CrawlNode(ports, plan, await ports.records.totals());
    await node.#recall();
    const now = ports.clock.now();
    for await (const hosts of ports.store.hosts(WHOLE_CIRCLE)) {
      for (const host of hosts) node.frontier.arcs.restore(sane(host, now), now, plan.wasClean);
    }
    return node;
  }

  /** Takes part in a cluster: arcs come from now on. Whoever does not run it closes its arcs. */
  static async join(
    ports: Omit<NodePorts, 'ownership'>,
    plan: NodePlan,
    membership: Membership,
  ): Promise<CrawlNode> {
    const { clock } = ports;
    const { group, tenures, holder, termMs, drainMs, dues } = membership;
    const trouble = new Trouble(clock, membership);
    const onTrouble = (error: unknown) => {
      if (!trouble.met(error)) membership.onTrouble?.(error);
    };
    const keeper = {
      // Whatever is in an arc, or comes for it, is of jobs that are in the book by now.
      take: async (arc: number, epoch: number) => {
        await membership.onTaking?.();
        await node.jobs?.shared?.look();
        dues?.take(arc, epoch);
        await node.#keeper.take(arc);
      },
      leave: async (arc: number) => {
        await node.#keeper.leave(arc);
        await dues?.leave(arc);
      },
      accept: async (mentions: readonly Mention[]) => {
        await node.jobs?.shared?.learn(mentions);
        await node.#keeper.accept(mentions);
      },
    };
    const arcs = new Arcs({ group, tenures, clock }, keeper, { holder, termMs, onTrouble });
    const { addressTurns } = membership;
    const member = { arcs, trouble, drainMs, addressTurns };
    const totals = await ports.records.totals();
    const node: CrawlNode = new CrawlNode({ ...ports, ownership: arcs }, plan, totals, member);
    await node.#recall();
    await arcs.open();
    return node;
  }

  async #recall(): Promise<void> {
    const { store, records, book } = this.#ports;
    await this.#plan.admit.scope.recall(store);
    this.settling.jobs = await records.jobs();
    if (book !== undefined) await this.board.read(book, store);
    this.jobs?.resume();
  }

  /** Answers how many of the seeds were new. */
  async plant(seeds: Iterable<Mention>): Promise<number> {
    const before = this.settling.totals.known;
    const admitted = this.#walk.admit.mentions(seeds, this.#ports.clock.now());
    await this.settling.add({ ...admitted, change: {} });
    return this.settling.totals.known - before;
  }

  /** Which of them are new; those wait from now on (A2, S4). */
  async checkAndAdd(given: readonly string[], job?: number): Promise<readonly Checked[]> {
    const { board, settling } = this;
    const checked = await checkAndAdd(given, job, { board, settling, walk: this.#walk });
    this.worker.wake();
    return checked;
  }

  /** Queues what failed for good; answers how many. */
  async retryFailed(): Promise<number> {
    const { records } = this.#ports;
    let retried = 0;
    for (let after: UrlKey | undefined; ; ) {
      const rows = await records.scan(after, FAILED_PER_LOOK);
      const last = rows[rows.length - 1];
      if (last === undefined) return retried;
      after = last.key;
      const failed = rows.filter(({ record }) => record.state === 'failed');
      retried += failed.length;
      await this.comeback.askAgain(
        failed.map((row) => ({ at: row.record.nextCrawlAt, key: row.key })),
      );
    }
  }

  async run(): Promise<RunEnd> {
    const ended = new AbortController();
    const counting = this.#plan.keepFresh ? this.#countDaily(ended.signal) : undefined;
    try {
      return await this.worker.run();
    } finally {
      ended.abort();
      await counting;
      await this.arcs?.close();
    }
  }

  /** Before a clean end: turns that no visit has written yet (P5). */
  async rest(): Promise<void> {
    const resting = [...this.frontier.arcs.resting(this.#ports.clock.now())];
    const sketches = [...this.frontier.attention.unsaved()];
    if (resting.length + sketches.length === 0) return;
    await this.settling.add({ candidates: [], resting, sketches, change: {} });
  }

  /** What fails here shows at the next commit, too; there it ends the crawl. */
  async #countDaily(ended: AbortSignal): Promise<void> {
    const { clock, records } = this.#ports;
    while (!ended.aborted) {
      await countPages(records, this, clock, ended).catch(() => undefined);
      await clock.sleepUntil(clock.now() + COUNT_MS, ended);
    }
  }
}

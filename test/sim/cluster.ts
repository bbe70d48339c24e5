/**
 * A cluster in virtual time: nodes as they are, on one engine in memory, with a web that logs
 * what it is asked. Nodes join, leave, crash and are stopped, the engine is away for a while;
 * watchers know what must never happen.
 *
 *   process.ts   a node's process           engine   rows and tenures, slow, sometimes away
 *   history()    faults, all from one seed   complaints   what a watcher saw
 */

import { MemoryAddressTable } from '../../src/adapters/memory/address-turns.ts';
import { MemoryGroup } from '../../src/adapters/memory/arc-group.ts';
import { MemoryDueServer } from '../../src/adapters/memory/due-index.ts';
import { fencedStore } from '../../src/adapters/memory/fenced-store.ts';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../../src/adapters/memory/index.ts';
import { MemoryTenures } from '../../src/adapters/memory/tenures.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { seededRandom } from '../../src/base/random.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import { DueStore } from '../../src/crawl/due-store.ts';
import { CrawlNode, type Mention, seedMention } from '../../src/crawl/index.ts';
import * as plan from '../../src/crawl/plan.ts';
import type { AddressTurns } from '../../src/ports/address-turns.ts';
import type { ArcGroup } from '../../src/ports/arc-group.ts';
import { arcsIn, strangeArcs } from '../../src/ports/commit-arcs.ts';
import type { DueIndex, DueTruth } from '../../src/ports/due-index.ts';
import type { Http } from '../../src/ports/http.ts';
import type { Records } from '../../src/ports/records.ts';
import type { Commit, ShardStore } from '../../src/ports/shard-store.ts';
import { type Web, webHttp, webResolver } from '../../testweb/index.ts';
import { VirtualClock } from './clock.ts';
import { Process } from './process.ts';
import { simHttp } from './sim-http.ts';

export const TERM_MS = 10_000;
/** A member that is not heard of for so long is missed. */
const SESSION_MS = 6_000;
const ENGINE_MS = 3;
/** A claim becomes a request within this. */
const FORGET_MS = 14_000;

/** All pages alike, each of 60 every ten minutes. */
const OFTEN = { recrawlPolicy: 'uniform', recrawlBudget: '9000' } as const;

/** What is left out of it, to see that the watchers notice. */
export type Planted = 'no fence' | 'no last look' | 'no address turns' | 'no rest';

export interface SimNode {
  readonly holder: string;
  readonly process: Process;
  readonly node: CrawlNode;
  readonly connection: ReturnType<MemoryGroup['connect']>;
  readonly ended: Promise<unknown>;
}

type Store = ShardStore & Records & DueTruth;

export class Cluster {
  readonly clock = new VirtualClock();
  readonly web: Web;
  readonly http: ReturnType<typeof webHttp>;
  readonly store = new MemoryShardStore();
  readonly group = new MemoryGroup();
  readonly complaints: string[] = [];
  /** Requests that a fault caught under way: so many pages may be asked for twice. */
  caught = 0;
  /** Told when a node begins to connect, and when a commit has left it: the worst moments. */
  onConnect: ((holder: string) => void) | undefined;
  onCommit: ((holder: string) => Promise<void>) | undefined;
  nodes: SimNode[] = [];
  isDown = false;
  /** The table of addresses does not answer. */
  isTableAway = false;
  /** Pages are visited again for ever, and what is due is in an index beside the store (K2). */
  keepsFresh = false;
  readonly dues = new MemoryDueServer();
  /** How often nodes asked the engine for what, by name. */
  readonly asked = new Map<string, number>();
  readonly addresses = new MemoryAddressTable(() => this.clock.now(), FORGET_MS);
  readonly #tenures = new MemoryTenures(() => this.clock.now());
  readonly #filter = openMemoryFilter({
    ...{ expectedKeys: 10_000, falsePositiveRate: 0.001, complete: true },
  });
  /** Two pages that wait go ahead, so that it happens all the time. */
  readonly #blobs = Object.assign(new MemoryBlobStore(), { pagesAhead: 2 });
  readonly #events = new MemoryEventLog();
  readonly #near = new MemoryNearIndex();
  readonly #random: () => number;
  readonly #planted: Planted | undefined;
  readonly #waiting = new Set<string>();
  #joined = 0;

  constructor(web: Web, seed: number, planted?: Planted) {
    this.web = web;
    this.http = webHttp(web, this.clock, { latencyMs: (name) => 150 + 70 * (name.length % 8) });
    const random = seededRandom(seed);
    this.#random = () => random.next();
    this.#planted = planted;
  }

  get alive(): SimNode[] {
    return this.nodes.filter(({ process }) => !process.isDead && !process.isStopped);
  }

  pass(ms: number): Promise<void> {
    return this.clock.sleepUntil(this.clock.now() + ms);
  }

  chance(): number {
    return this.#random();
  }

  // ---- what happens to nodes ------------------------------------------------------------

  async join(): Promise<SimNode> {
    const holder = `node-${++this.#joined}`;
    const process = new Process();
    const connection = this.group.connect();
    const seeds = [this.web.urlOf(0, 0)];
    const options = { scope: 'any', ...(this.keepsFresh && OFTEN) } as const;
    const resolved = resolveSettings({ argv: seeds, options });
    if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
    const { settings } = resolved;
    const { clock } = this;
    const records = process.port(this.#engineOf(holder));
    const dues = this.keepsFresh ? this.#duesOf(records, holder, process) : undefined;
    const node = await CrawlNode.join(
      {
        clock: process.port<VirtualClock>(clock),
        random: seededRandom(this.#joined),
        pool: process.port(inlinePool()),
        http: this.#httpOf(process, holder),
        resolver: process.port(webResolver(this.web)),
        ...{ store: dues ?? records, records },
        blobs: process.port(this.#mayFail(this.#blobs)),
        ...{ events: process.port(this.#events), near: process.port(this.#near) },
        filter: process.port(this.#filter),
      },
      {
        politeness: plan.politenessFrom(settings),
        admit: plan.admitRulesFrom(settings, seeds),
        visit: plan.visitRulesFrom(settings, seeds),
        budget: plan.budgetFrom(settings, clock.now()),
        concurrency: settings.fetch.concurrency,
        patienceMs: settings.limits.patienceMs,
        recrawl: plan.recrawlFrom(settings),
        ...{ keepFresh: this.keepsFresh, wasClean: true },
      },
      {
        ...{ group: this.#groupOf(connection, process), holder, termMs: TERM_MS, drainMs: 5_000 },
        tenures: process.port(this.#mayFail(this.#tenures)),
        addressTurns: this.#turnsOf(holder, process),
        dues,
        onTrouble: (error) => {
          if (!(error instanceof CrawlError)) this.complaints.push(`${holder}: ${error}`);
        },
      },
    );
    if (this.#joined === 1) await node.plant(seeds.map((url) => seedMention(url, 'page', 0.8)));
    const ended = node.run().catch((error: unknown) => {
      this.complaints.push(`${holder} ended: ${(error as Error).stack}`);
    });
    const one = { holder, process, node, connection, ended };
    this.nodes.push(one);
    return one;
  }

  async leave(one: SimNode): Promise<void> {
    this.nodes = this.nodes.filter((node) => node !== one);
    one.node.worker.drain();
    await one.ended;
  }

  crash(one: SimNode): void {
    this.#catch(one);
    one.process.kill();
    this.nodes = this.nodes.filter((node) => node !== one);
    void this.pass(SESSION_MS).then(() => this.group.part(one.connection));
  }

  /** Stopped in the middle of what it does, and back when others have its arcs. */
  async stop(one: SimNode, ms: number): Promise<void> {
    this.#catch(one);
    one.process.stop();
    await this.pass(Math.min(ms, SESSION_MS));
    if (ms > SESSION_MS) this.group.part(one.connection);
    await this.pass(Math.max(0, ms - SESSION_MS));
    one.process.goOn();
    if (ms > SESSION_MS) this.group.join(one.connection);
  }

  /** The engine of records, bodies and tenures does not answer. */
  async outage(ms: number): Promise<void> {
    const from = this.clock.now();
    this.isDown = true;
    await this.pass(ms);
    this.isDown = false;
    const { at, end, count } = this.http.log.columns();
    for (let row = 0; row < count; row++) {
      if ((end[row] ?? 0) >= from - TERM_MS / 2 && (at[row] ?? 0) < this.clock.now()) this.caught++;
    }
  }

  /** The table of addresses is flushed. */
  forget(): void {
    const alive = new Set(this.alive.map(({ holder }) => holder));
    this.addresses.forget((holder) => alive.has(holder));
  }

  #catch({ node }: SimNode): void {
    this.caught += node.worker.openVisits + node.settling.pending;
  }

  /** As an operator does; answers what the arc was split into. */
  split(arc: number): Promise<readonly number[]> {
    return this.#tenures.split(arc);
  }

  // ---- until nothing is left to do ------------------------------------------------------

  async finish(): Promise<void> {
    for (let quiet = 0; quiet < 5; ) {
      await this.pass(5_000);
      this.group.deliver();
      const { waiting, retrying } = await this.store.totals();
      const isBusy = this.nodes.some(({ node }) => node.worker.openVisits > 0);
      quiet = waiting + retrying + this.group.pending === 0 && !isBusy ? quiet + 1 : 0;
    }
    await Promise.all(this.nodes.map((one) => this.leave(one)));
  }

  /** Nobody goes on: a test has seen what it wanted to. */
  end(): void {
    for (const { process } of this.nodes) process.kill();
  }

  // ---- ports ----------------------------------------------------------------------------

  #engineOf(holder: string): Store {
    const { store } = this;
    const watched = new Proxy<Store>(store, {
      get: (target, name) => {
        if (name === 'commit') return (commit: Commit) => this.#watch(commit, holder);
        this.asked.set(`${String(name)}`, (this.asked.get(`${String(name)}`) ?? 0) + 1);
        return (Reflect.get(target, name, target) as () => unknown).bind(target);
      },
    });
    const own =
      this.#planted === 'no fence' ? watched : fencedStore(watched, this.#tenures, holder);
    const commit = async (given: Commit) => {
      await this.onCommit?.(holder);
      return own.commit(given);
    };
    return this.#mayFail({ ...fencedStore(own, this.#tenures, holder), commit });
  }

  /** Who commits what it does not hold, and who settles what does not wait? */
  async #watch(commit: Commit, holder: string): ReturnType<ShardStore['commit']> {
    const lost = strangeArcs(arcsIn(commit), (arc) => this.#tenures.isHeldBy(arc, holder));
    if (lost.length > 0) this.complaints.push(`${holder} wrote to arc ${lost}, not its own`);
    const done = this.store.commit(commit);
    for (const { waiting } of commit.settled) {
      if (!this.#waiting.delete(waiting.url)) this.complaints.push(`settled twice: ${waiting.url}`);
    }
    for (const { waiting } of commit.requeued) {
      if (this.#waiting.has(waiting.url)) this.complaints.push(`requeued twice: ${waiting.url}`);
      this.#waiting.add(waiting.url);
    }
    const { fresh } = await done;
    for (const [nth, { waiting }] of commit.admitted.entries()) {
      if (fresh[nth]) this.#waiting.add(waiting.url);
    }
    return done;
  }

  /** Slow, and away now and then; what it was asked before it went may be done all the same. */
  #mayFail<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const found = Reflect.get(target, name, target) as unknown;
        if (typeof found !== 'function' || name === 'hosts') return found;
        return async (...args: unknown[]) => {
          if (this.isDown) throw away();
          await this.pass(ENGINE_MS * this.chance());
          const isDone = !this.isDown || this.chance() < 0.5;
          const answer = isDone ? await (found.apply(target, args) as unknown) : undefined;
          await this.pass(ENGINE_MS * this.chance());
          if (this.isDown) throw away();
          return answer;
        };
      },
    });
  }

  #duesOf(store: Store, holder: string, process: Process): DueStore {
    const index = this.dues.connect(holder);
    const slow: DueIndex = {
      ...{ take: (arc, epoch) => index.take(arc, epoch), note: (changes) => index.note(changes) },
      due: (range, arcs) => this.#slowly(() => index.due(range, arcs)),
      leave: (arc) => this.#slowly(() => index.leave(arc)),
      fill: (...given) => this.#slowly(() => index.fill(...given)),
      close: () => index.close(),
    };
    const clock = process.port<VirtualClock>(this.clock);
    return new DueStore({ store, index: process.port(slow), clock, tierOf: () => 3 });
  }

  async #slowly<T>(work: () => Promise<T>): Promise<T> {
    await this.pass(ENGINE_MS * this.chance());
    const answer = await work();
    await this.pass(ENGINE_MS * this.chance());
    return answer;
  }

  /** Slow, and away now and then: a claim may then be held all the same. */
  #turnsOf(holder: string, process: Process): AddressTurns | undefined {
    if (this.#planted === 'no address turns' || this.#planted === 'no last look') return undefined;
    const table = this.addresses.connect(holder);
    let alone = 0;
    return process.port<AddressTurns>({
      claim: (address, terms) => {
        if (!this.isTableAway) return this.#slowly(() => table.claim(address, terms));
        return Promise.resolve({ kind: 'away', turn: { address, id: `alone ${alone++}` } });
      },
      rest: async (turn, restMs, isLost) => {
        const ms = this.#planted === 'no rest' ? 0 : restMs;
        if (!this.isTableAway) await this.#slowly(() => table.rest(turn, ms, isLost));
      },
    });
  }

  #httpOf(process: Process, holder: string): Http {
    return simHttp({
      ...{ clock: this.clock, http: this.http, process },
      isBlind: this.#planted === 'no last look',
      onConnect: () => this.onConnect?.(holder),
    });
  }

  /** Mentions are told twice, now and then, and in any order. */
  #groupOf(connection: ArcGroup<Mention>, process: Process): ArcGroup<Mention> {
    return {
      open: (member) =>
        connection.open({
          assigned: (arcs) => void process.hear(() => member.assigned(arcs)),
          arrived: (arc, mentions) => process.hear(() => member.arrived(arc, mentions)),
        }),
      hand: (mentions) => {
        const again = mentions.filter(() => this.chance() < 0.1);
        const all = [...mentions, ...again].map((mention) => ({ mention, at: this.chance() }));
        all.sort((a, b) => a.at - b.at);
        return process.through(connection.hand(all.map(({ mention }) => mention)));
      },
      follow: (arcs) => connection.follow(arcs),
      close: () => connection.close(),
    };
  }
}

function away(): CrawlError {
  return new CrawlError('E_STORE_DOWN', 'the engine is away', 'wait');
}

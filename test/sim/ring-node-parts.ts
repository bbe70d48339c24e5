/**
 * One node of a ring in virtual time, composed as src/compose-ring.ts does it, but for the web, the
 * network and the parsers. All that it awaits comes through its process (process.ts), and
 * its disk outlives it (memory-disk.ts).
 */
import type { Lsm } from '../../src/adapters/embedded/lsm.ts';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
} from '../../src/adapters/memory/index.ts';
import { maybeFilter } from '../../src/adapters/memory/maybe-filter.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import {
  ArcQueue,
  LsmArcCopies,
  LsmArcTable,
  RingRows,
  RingStore,
} from '../../src/adapters/ring/index.ts';
import { seededRandom } from '../../src/base/random.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import { CrawlNode, RingBook, RingGroup, RingTenures } from '../../src/crawl/index.ts';
import { jobPlanFrom } from '../../src/crawl/job-plan.ts';
import * as plan from '../../src/crawl/plan.ts';
import { RingAddressTurns } from '../../src/crawl/ring-address.ts';
import { RingBorrowing } from '../../src/crawl/ring-borrow.ts';
import { RingLending } from '../../src/crawl/ring-lend.ts';
import { RingNode } from '../../src/crawl/ring-node.ts';
import type { Http } from '../../src/ports/http.ts';
import type { RingArcs } from '../../src/ports/ring-arcs.ts';
import { webResolver } from '../../testweb/index.ts';
import type { VirtualClock } from './clock.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { Process } from './process.ts';
import type { RingNodes } from './ring-nodes.ts';
import { simHttp } from './sim-http.ts';

const TERM_MS = 3_000;
const DRAIN_MS = 5_000;
const WRITE_MS = 0.5;
/** A claim becomes a request within 13 s, and a pause. */
const FORGET_MS = 14_000;
const ENDLESS_MS = 600_000;

export interface SimRingNode {
  readonly name: string;
  readonly disk: MemoryDisk;
  readonly process: Process;
  readonly ring: RingNode;
  readonly node: CrawlNode;
  readonly store: RingStore;
  readonly inbox: LsmArcTable;
  readonly lend: SimLend;
  readonly ended: Promise<unknown>;
}

export interface SimLend {
  readonly lending: RingLending;
  readonly borrowing: RingBorrowing;
}

let lives = 0;

export async function openRingNode(
  sim: RingNodes,
  name: string,
  disk: MemoryDisk,
  via: readonly string[],
): Promise<SimRingNode> {
  const process = new Process();
  const holder = `${name} life ${++lives}`;
  const lsm = process.port(slowed(sim.clock, disk.lsm));
  const traces = process.port(disk.traces);
  const clock = process.port<VirtualClock>(sim.clock);
  const queue = new ArcQueue();
  const copies = new LsmArcCopies(lsm, queue);
  const ring = new RingNode({
    ...{ peers: sim.net.open(name, process), clock, random: seededRandom(lives), copies },
    log: (what, error) => sim.complaints.push(`${name}: ${what}: ${error}`),
    failed: (error) => sim.complaints.push(`${name} failed: ${error}`),
  });
  const isEndless = sim.planted === 'endless terms';
  const tenures = new RingTenures(isEndless ? endless(ring) : ring, clock);
  const log = tenures.logOf(ring);
  const crawled = new RingRows(lsm, log, queue);
  const store = await RingStore.open({ rows: crawled, log, traces, codec: 'none' });
  const rows = new RingRows(lsm, ring, queue);
  const inbox = new LsmArcTable(rows, 'inbox');
  const around = { arcs: ring, calls: ring, clock, holder };
  const group = new RingGroup({ ...around, inbox });
  const book = new RingBook({ ...around, table: new LsmArcTable(rows, 'book') });
  const turns = new RingAddressTurns({ ...around, forgetMs: FORGET_MS });
  await enter(sim, ring, via);
  const node = await CrawlNode.join(
    { ...portsOf(sim, process, name, clock), store, records: store, book },
    planOf(sim, name),
    {
      ...{ group, tenures, holder, drainMs: DRAIN_MS },
      ...(sim.planted === undefined && { addressTurns: turns }),
      termMs: isEndless ? ENDLESS_MS : TERM_MS,
      onTrouble: (error) => sim.complaints.push(`${name}: ${error}`),
    },
  );
  const ended = node.run().catch((error: unknown) => {
    sim.complaints.push(`${name} ended: ${(error as Error).stack}`);
  });
  const lend = lendOf(sim, name, { ring, node, clock }, httpOf(sim, process, name, true));
  return { name, disk, process, ring, node, store, inbox, lend, ended };
}

/** A write is durable a moment after it was asked for. */
function slowed(clock: VirtualClock, lsm: Lsm): Lsm {
  const write: Lsm['write'] = async (ops) => {
    await clock.sleepUntil(clock.now() + WRITE_MS);
    await lsm.write(ops);
  };
  const found = (name: keyof Lsm) => lsm[name].bind(lsm) as unknown;
  return new Proxy(lsm, {
    get: (_, name) => (name === 'write' ? write : found(name as keyof Lsm)),
  });
}

/** An owner that believes it is one for ever. */
function endless(ring: RingNode): RingArcs {
  return {
    onArcs: (listener) => ring.onArcs(listener),
    epochOf: () => 1,
    actsUntil: () => Number.MAX_SAFE_INTEGER,
    hold: (arc) => ring.hold(arc),
    release: (arc) => ring.release(arc),
  };
}

async function enter(sim: RingNodes, ring: RingNode, via: readonly string[]): Promise<void> {
  if (via.length === 0) {
    await ring.start();
    return;
  }
  const end = await ring.join(via);
  if (end.kind !== 'joined') sim.complaints.push(`not joined: ${JSON.stringify(end)}`);
}

function portsOf(sim: RingNodes, process: Process, name: string, clock: VirtualClock) {
  return {
    ...{ clock, random: seededRandom(lives), pool: process.port(inlinePool()) },
    http: httpOf(sim, process, name, false),
    resolver: process.port(webResolver(sim.web)),
    blobs: process.port(new MemoryBlobStore()),
    events: process.port(new MemoryEventLog()),
    near: process.port(new MemoryNearIndex()),
    filter: process.port(maybeFilter()),
  };
}

function httpOf(sim: RingNodes, process: Process, name: string, isBorrowed: boolean): Http {
  return simHttp({
    ...{ clock: sim.clock, http: sim.http, process },
    onConnect: () => sim.onConnect?.(name, isBorrowed),
    onSend: (url) => sim.watchSend(name, url, isBorrowed),
  });
}

/** As compose-ring-lend.ts does it. */
function lendOf(
  sim: RingNodes,
  name: string,
  { ring, node, clock }: { ring: RingNode; node: CrawlNode; clock: VirtualClock },
  http: Http,
): SimLend {
  const { visit, concurrency } = planOf(sim, name);
  const around = { calls: ring, seats: ring, counts: ring.lends };
  const lending = new RingLending({ ...around, lending: node.lending });
  const borrowing = new RingBorrowing({
    ...{ ...around, clock, http, region: '', worker: node.worker },
    ...{ concurrency, limits: visit.limits },
  });
  return { lending, borrowing };
}

function planOf({ clock, seeds, handsOf }: RingNodes, name: string) {
  const resolved = resolveSettings({ argv: [...seeds], options: { scope: 'any' } });
  if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
  const { settings } = resolved;
  const beginning = { seeds: [], createdAt: new Date(clock.now()).toISOString() };
  return {
    politeness: plan.politenessFrom(settings),
    admit: plan.admitRulesFrom(settings, []),
    jobs: { ...jobPlanFrom(settings, beginning), isShared: true },
    visit: plan.visitRulesFrom(settings, []),
    budget: plan.budgetFrom(settings, clock.now()),
    concurrency: handsOf(name) ?? settings.fetch.concurrency,
    patienceMs: settings.limits.patienceMs,
    recrawl: plan.recrawlFrom(settings),
    ...{ keepFresh: true, schedules: false, wasClean: false },
  };
}

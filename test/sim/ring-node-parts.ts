/**
 * One node of a ring in virtual time, composed as src/compose-ring.ts does it, but for the web, the
 * network and the parsers. All that it awaits comes through its process (process.ts); time stands
 * still while its disk works.
 */
import { join } from 'node:path';
import { Lsm } from '../../src/adapters/embedded/index.ts';
import { Packs } from '../../src/adapters/folder/pack.ts';
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
import { RingNode } from '../../src/crawl/ring-node.ts';
import { webResolver } from '../../testweb/index.ts';
import type { VirtualClock } from './clock.ts';
import { Process } from './process.ts';
import type { RingNodes } from './ring-nodes.ts';
import { simHttp } from './sim-http.ts';

const TERM_MS = 3_000;
const DRAIN_MS = 5_000;

export interface SimRingNode {
  readonly name: string;
  readonly dir: string;
  readonly process: Process;
  readonly ring: RingNode;
  readonly node: CrawlNode;
  readonly store: RingStore;
  readonly inbox: LsmArcTable;
  readonly ended: Promise<unknown>;
  /** Gives the folder free, whatever the process does. */
  close(): Promise<void>;
}

let lives = 0;

export async function openRingNode(
  sim: RingNodes,
  name: string,
  dir: string,
  via: readonly string[],
): Promise<SimRingNode> {
  const process = new Process();
  const holder = `${name} life ${++lives}`;
  const engine = await openEngine(sim, process, dir);
  const clock = process.port<VirtualClock>(sim.clock);
  const queue = new ArcQueue();
  const copies = new LsmArcCopies(engine.lsm, queue);
  const ring = new RingNode({
    ...{ peers: sim.net.open(name, process), clock, random: seededRandom(lives), copies },
    log: (what, error) => sim.complaints.push(`${name}: ${what}: ${error}`),
    failed: (error) => sim.complaints.push(`${name} failed: ${error}`),
  });
  const rows = new RingRows(engine.lsm, ring, queue);
  const tenures = new RingTenures(ring, clock);
  const log = tenures.logOf(ring);
  const store = await RingStore.open({ rows, log, traces: engine.traces, codec: 'none' });
  const inbox = new LsmArcTable(rows, 'inbox');
  const around = { arcs: ring, calls: ring, clock, holder };
  const group = new RingGroup({ ...around, inbox });
  const book = new RingBook({ ...around, table: new LsmArcTable(rows, 'book') });
  await enter(sim, ring, via);
  const node = await CrawlNode.join(
    { ...portsOf(sim, process, name, clock), store, records: store, book },
    planOf(sim),
    {
      ...{ group, tenures, holder, termMs: TERM_MS, drainMs: DRAIN_MS },
      onTrouble: (error) => sim.complaints.push(`${name}: ${error}`),
    },
  );
  const ended = node.run().catch((error: unknown) => {
    sim.complaints.push(`${name} ended: ${(error as Error).stack}`);
  });
  const { close } = engine;
  return { name, dir, process, ring, node, store, inbox, ended, close };
}

async function openEngine({ clock }: RingNodes, process: Process, dir: string) {
  const lsm = await clock.during(Lsm.open({ dir: join(dir, 'store'), syncAlways: false }));
  const traces = await clock.during(Packs.open({ folder: join(dir, 'traces') }));
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.all([traces.close(), lsm.close()]).then(() => undefined);
    return clock.during(closed);
  };
  return { lsm: process.port(clock.held(lsm)), traces: process.port(clock.held(traces)), close };
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
    http: simHttp({
      ...{ clock: sim.clock, http: sim.http, process },
      onSend: (url) => sim.watchSend(name, url),
    }),
    resolver: process.port(webResolver(sim.web)),
    blobs: process.port(new MemoryBlobStore()),
    events: process.port(new MemoryEventLog()),
    near: process.port(new MemoryNearIndex()),
    filter: process.port(maybeFilter()),
  };
}

function planOf({ clock, seeds }: RingNodes) {
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
    concurrency: settings.fetch.concurrency,
    patienceMs: settings.limits.patienceMs,
    recrawl: plan.recrawlFrom(settings),
    ...{ keepFresh: true, schedules: false, wasClean: false },
  };
}

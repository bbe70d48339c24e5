/**
 * From the start of a process to its first lease (F5), after a kill and after a clean stop.
 *
 *   npm run bench -- restart [--dir D]      the folder that `seen --dir D` left
 *   npm run bench -- restart --urls N --hosts N     fills one first
 *
 *   after_kill    the process was killed (-9) while it wrote: LevelDB reads its log again, all
 *                 hosts wait out a second (P5), the filter is read from the store once they are back
 *   after_clean   the filter comes from its snapshot
 *
 * A node is opened as a crawl opens it (src/crawl/node.ts): all hosts come back from the store.
 * Its resolver never answers: the first name that it is asked for is the first lease.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MemoryNearIndex } from '../src/adapters/memory/near-index.ts';
import { localOwnership } from '../src/adapters/memory/ownership.ts';
import { systemClock, systemRandom } from '../src/adapters/node/index.ts';
import { inlinePool } from '../src/adapters/node/inline-pool.ts';
import { defaultSettings } from '../src/config/index.ts';
import { CrawlNode } from '../src/crawl/node.ts';
import * as plan from '../src/crawl/plan.ts';
import type { Http } from '../src/ports/http.ts';
import type { Resolver } from '../src/ports/resolver.ts';
import { NO_BLOBS, NO_EVENTS, type Opened, openArc, openFolder, readFilling } from './arc.ts';
import { admitNew } from './fill.ts';
import { fillInChild } from './filled.ts';
import { inChild } from './in-child.ts';
import { type Emit, mib, peakRssBytes, type Say, sayFor } from './measure.ts';
import { Population } from './population.ts';

/** URLs that the process to be killed has added when it is. */
const ADDED_UNTIL_KILLED = 20_480;

interface Task {
  readonly kind: 'soil' | 'stop' | 'start';
  readonly dir: string;
  readonly urls: number;
  readonly hosts: number;
}

interface Figures {
  readonly wasClean: boolean;
  readonly hosts: number;
  readonly engineSec: number;
  readonly nodeSec: number;
  readonly leaseSec: number;
  readonly filterSec: number;
  readonly peakRss: number;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      dir: { type: 'string' },
      urls: { type: 'string', default: '20000000' },
      hosts: { type: 'string', default: '200000' },
    },
  });
  const say = sayFor('restart', emit);
  const temp = await mkdtemp(join(tmpdir(), 'orb-restart-'));
  try {
    const dir = values.dir ?? temp;
    const asked = { urls: Number(values.urls), hosts: Number(values.hosts) };
    const filling = (await readFilling(dir)) ?? (await fillInChild(dir, asked));
    say('urls', filling.urls, 'urls');
    await inChild<Task, Figures>(
      { kind: 'soil', dir, ...filling },
      { module: import.meta.url, onNote: (_, child) => void child.kill('SIGKILL') },
    );
    await start('after_kill', dir, say);
    await inChild<Task, Figures>({ kind: 'stop', dir, ...filling }, { module: import.meta.url });
    await start('after_clean', dir, say);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function start(name: string, dir: string, say: Say): Promise<void> {
  const task: Task = { kind: 'start', dir, urls: 0, hosts: 0 };
  const end = await inChild<Task, Figures>(task, { module: import.meta.url });
  if (end === undefined) throw new Error('killed');
  const { wasClean, hosts, engineSec, nodeSec, leaseSec, filterSec, peakRss } = end.result;
  if (wasClean !== (name === 'after_clean')) throw new Error(`${name}: clean is ${wasClean}`);
  say(`${name}_hosts`, hosts, 'hosts');
  say(`${name}_engine_open`, engineSec, 's');
  say(`${name}_hosts_back`, nodeSec, 's');
  say(`${name}_first_lease`, leaseSec, 's');
  say(`${name}_filter_complete`, filterSec, 's');
  say(`${name}_peak_rss`, mib(peakRss), 'MiB');
}

/** In a child. */
export async function work(task: Task, tell: (note: string) => void): Promise<Figures | undefined> {
  if (task.kind === 'soil') return soil(task, tell);
  if (task.kind === 'stop') return void (await (await openFolder(task.dir)).close());
  return measure(task.dir);
}

/** Writes until it is killed. The URLs are new, and beyond those of the filling. */
async function soil({ dir, urls, hosts }: Task, tell: (note: string) => void): Promise<undefined> {
  const arc = await openArc(dir);
  const from = urls + Math.floor((await arc.store.totals()).known - urls);
  const all = Number.MAX_SAFE_INTEGER;
  await admitNew(arc, new Population(hosts), from, all, (done) => {
    if (done - from >= ADDED_UNTIL_KILLED) tell('now');
  });
  return undefined;
}

async function measure(dir: string): Promise<Figures> {
  const since = () => performance.now() / 1e3;
  const opened = await openFolder(dir);
  const engineSec = since();
  let onFirst: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    onFirst = resolve;
  });
  const node = await openNode(opened, () => onFirst?.());
  const nodeSec = since();
  const filling = opened.fillFilter();
  const running = node.run();
  await Promise.race([first, running]);
  const leaseSec = since();
  await filling;
  const filterSec = since();
  const { hosts } = node.frontier.stats();
  const peakRss = peakRssBytes();
  node.worker.abort();
  await running;
  await opened.close();
  return { wasClean: opened.wasClean, hosts, engineSec, nodeSec, leaseSec, filterSec, peakRss };
}

function openNode(opened: Opened, onLease: () => void): Promise<CrawlNode> {
  const { store, filter, wasClean } = opened;
  const settings = defaultSettings();
  const clock = systemClock();
  const parts = { clock, random: systemRandom(), resolver: mute(onLease), http: NO_HTTP };
  const kept = { store, records: store, filter, blobs: NO_BLOBS, events: NO_EVENTS };
  return CrawlNode.open(
    {
      ...parts,
      ...kept,
      near: new MemoryNearIndex(),
      pool: inlinePool(),
      ownership: localOwnership(),
    },
    {
      politeness: plan.politenessFrom(settings),
      admit: plan.admitRulesFrom(settings, []),
      visit: plan.visitRulesFrom(settings, []),
      budget: { ...plan.budgetFrom(settings, clock.now()), publicPagesMax: 0 },
      concurrency: settings.fetch.concurrency,
      patienceMs: settings.limits.patienceMs,
      recrawl: plan.recrawlFrom(settings),
      keepFresh: false,
      wasClean,
    },
  );
}

/** Answers nobody, until it is told to stop. */
function mute(onAsked: () => void): Resolver {
  return {
    resolve: (_, signal) => {
      onAsked();
      return new Promise((resolve) => {
        const stop = () => resolve({ kind: 'failed', detail: 'stopped' });
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    },
    report: () => undefined,
    stats: () => ({ asked: 0, hits: 0 }),
  };
}

const NO_HTTP = { close: async () => undefined } as Http;

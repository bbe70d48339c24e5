/**
 * One crawl for bench/cluster.ts in a process of its own: in a folder, or by the only node of a
 * cluster. The same settings, and the same clock: from the moment that it may begin, with
 * everything open, until its last page is durable.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openCrawl } from '../src/compose.ts';
import { joinCluster } from '../src/compose-cluster.ts';
import { isRefusal, resolveSettings, type Settings } from '../src/config/index.ts';
import { countTraffic, type Traffic } from './cluster-traffic.ts';
import { watch } from './measure.ts';

export interface ClusterTask {
  /** Of the crawl in a folder; left out by a node. */
  readonly dir?: string;
  readonly argv: readonly string[];
  readonly start: string;
  /** Of a node: where its engines are. */
  readonly env: Readonly<Record<string, string>>;
  /** Of a node: the ports of the engines, by name. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface ClusterFigures {
  readonly pages: number;
  readonly wallSec: number;
  readonly cpuSec: number;
  readonly traffic?: Traffic;
}

const LOOK_MS = 100;
/** Looks in a row that find nothing to do. */
const QUIET_LOOKS = 15;
const JOIN_MS_MAX = 120_000;
const ALL_ARCS = /for 64 of 64 arcs/;

export function work(task: ClusterTask, tell: (note: unknown) => void): Promise<ClusterFigures> {
  Object.assign(process.env, task.env);
  return task.dir === undefined ? crawlAsNode(task, tell) : crawlInFolder(task, task.dir, tell);
}

function settingsOf({ argv, env }: ClusterTask): Settings {
  const resolved = resolveSettings({ argv, env: { ...env } });
  if (isRefusal(resolved)) throw new Error(resolved.mistakes.map(String).join('\n'));
  return resolved.settings;
}

async function crawlInFolder(
  task: ClusterTask,
  dir: string,
  tell: (note: unknown) => void,
): Promise<ClusterFigures> {
  const session = await openCrawl({ settings: settingsOf(task), seeds: [task.start], dir });
  tell('begin');
  const elapsed = watch();
  const { progress } = await session.run();
  const figures = { pages: progress.pages, ...elapsed() };
  tell('end');
  await session.close();
  return figures;
}

async function crawlAsNode(
  task: ClusterTask,
  tell: (note: unknown) => void,
): Promise<ClusterFigures> {
  const read = countTraffic(task.ports);
  let joined = () => {};
  const hasAll = new Promise<void>((resolve) => {
    joined = resolve;
  });
  let lastPageAt = 0;
  const session = await joinCluster({
    ...{ settings: settingsOf(task), seeds: [], dir: '' },
    onNews: ({ text, isBad }) => {
      if (ALL_ARCS.test(text)) joined();
      if (isBad) process.stderr.write(`${text}\n`);
    },
    onPage: () => {
      lastPageAt = performance.now();
      return undefined;
    },
  });
  const running = session.run();
  const late = pause(JOIN_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error('the node was not given all arcs');
  });
  await Promise.race([hasAll, running, late]);
  late.catch(() => undefined);
  const before = read();
  tell('begin');
  const [beganAt, elapsed] = [performance.now(), watch()];
  let { cpuSec } = elapsed();
  await session.jobs.start({ urls: [task.start], scope: 'any', depth: 100 });
  for (let looks = 0, pages = 0; looks < QUIET_LOOKS; looks++) {
    await pause(LOOK_MS);
    const progress = session.progress();
    const isDone = progress.openVisits === 0 && progress.pages === pages && pages > 0;
    if (!isDone) looks = 0;
    // Asked for at every page it would be a part of what is measured.
    if (progress.pages !== pages) cpuSec = elapsed().cpuSec;
    pages = progress.pages;
  }
  tell('end');
  const traffic = lessOf(read(), before);
  const { pages } = session.progress();
  session.drain();
  await running;
  await session.close();
  return { pages, wallSec: (lastPageAt - beganAt) / 1e3, cpuSec, traffic };
}

function lessOf<T>(now: T, before: T): T {
  if (typeof now === 'number') return (now - ((before as number | undefined) ?? 0)) as T;
  const less = Object.entries(now as object).map(([name, value]) => [
    name,
    lessOf(value, (before as Record<string, unknown> | undefined)?.[name]),
  ]);
  return Object.fromEntries(less) as T;
}

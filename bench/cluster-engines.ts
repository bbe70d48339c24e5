/**
 * The engines of a cluster for bench/cluster.ts: started for it on a core of their own, so that
 * what they use is used by this crawl alone; and their CPU, children included.
 *
 * Their files are in memory, where there is room, or on disk if told: ext4 passes over each file
 * that was deleted in the last minutes when it makes one, and after any benchmark or test those are
 * thousands. That was a third of the S3 server's CPU, and not the same in any two runs.
 */
import { readdirSync, statfsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ENGINES_DIR,
  kafka,
  postgres,
  redis,
  SHELF,
  State,
  s3,
  startEngine,
} from '../tools/engines/index.ts';
import { cpuSecOf, pin, statOf } from './processes.ts';

const ENGINES = { kafka, redis, postgres, s3 };
/** In /proc/PID/stat, behind the name. */
const PARENT = 1;
const MEMORY_DIR = join('/dev', 'shm');
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

export type EngineName = keyof typeof ENGINES;

const names = Object.keys(ENGINES) as EngineName[];

export interface RunningEngines {
  readonly addresses: Readonly<Record<EngineName, string>>;
  /** What each has used so far. */
  cpuSec(): Record<EngineName, number>;
}

export interface EnginePlace {
  readonly cores: string;
  readonly onDisk: boolean;
  /** A folder under .engines with all of them at work, e.g. `up`; they are left as they are. */
  readonly given: string | undefined;
}

export async function withEngines(
  { cores, onDisk, given }: EnginePlace,
  use: (engines: RunningEngines) => Promise<void>,
): Promise<void> {
  if (given !== undefined) return use(enginesIn(join(ENGINES_DIR, given)));
  const dir = join(ENGINES_DIR, `live-${process.pid}`);
  const memory = onDisk ? undefined : await memoryFor(dir);
  const tried = await Promise.allSettled(
    names.map((name) => startEngine(ENGINES[name], dir, SHELF)),
  );
  try {
    for (const one of tried) if (one.status === 'rejected') throw one.reason;
    const engines = enginesIn(dir);
    for (const pid of names.flatMap((name) => engines.pidsOf(name))) pin(pid, cores);
    await use(engines);
  } finally {
    for (const one of tried) if (one.status === 'fulfilled') await one.value.stop();
    if (memory !== undefined) await rm(memory, { recursive: true });
    await rm(dir, { recursive: true, force: true });
  }
}

/** Where `dir` is from now on; undefined when there is no room. */
async function memoryFor(dir: string): Promise<string | undefined> {
  if (memoryBytes() < MEMORY_BYTES_MIN) return undefined;
  const memory = await mkdtemp(join(MEMORY_DIR, 'orb-engines-'));
  // PostgreSQL runs as somebody else.
  await chmod(memory, 0o755);
  await mkdir(ENGINES_DIR, { recursive: true });
  await symlink(memory, dir);
  return memory;
}

/** Free in the folder that is memory; 0 where there is none. */
function memoryBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DIR);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

function enginesIn(dir: string): RunningEngines & { pidsOf(name: EngineName): number[] } {
  const state = new State(dir);
  const pidsOf = (name: EngineName) =>
    familyOf(state.get(name)?.processes.map(({ pid }) => pid) ?? []);
  const each = <T>(of: (name: EngineName) => T) =>
    Object.fromEntries(names.map((name) => [name, of(name)])) as Record<EngineName, T>;
  return {
    ...{ pidsOf, addresses: each((name) => state.get(name)?.address ?? '') },
    cpuSec: () => each((name) => cpuSecOf(pidsOf(name))),
  };
}

/** They, their children, and theirs. */
function familyOf(pids: readonly number[]): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((pid) => [pid, Number(statOf(pid)[PARENT])]));
  const family = new Set(pids);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

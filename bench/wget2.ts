/**
 * The yardstick: `wget2 -r` over the same web, storing files, on the same core.
 *
 * All hosts are given as seeds, so no other is in its scope. It asks for robots.txt, as we do. As
 * people call it, it also fetches the few images, styles and scripts, and says each file; `lean`
 * is without both.
 *
 * It ends with its files in the system's memory. Our crawl ends with all that it stored on the disk,
 * so the instant at which wget2's files are there too is taken as well.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pinned } from './in-child.ts';
import { childrenCpuSec, type Usage } from './measure.ts';

const WGET2 = '/usr/bin/wget2';
const LEAN = ['-q', '--progress=none', '-R', 'gif,svg,png,jpg,css,js,inv', '--filter-urls'];
const LOOK_MS = 100;

export interface Wget2Options {
  readonly seeds: readonly string[];
  readonly cores: string | undefined;
  readonly threads: number;
  readonly lean: boolean;
  readonly secondsMax: number;
  /** Where files are stored. Whoever gives it removes it. */
  readonly folder: string;
}

export interface Wget2Usage extends Usage {
  /** Until its files were on the disk. */
  readonly syncedSec: number;
}

export function hasWget2(): boolean {
  return existsSync(WGET2);
}

export async function runWget2(options: Wget2Options): Promise<Wget2Usage> {
  const usual = ['-r', '-l', '20', `--max-threads=${options.threads}`, '-P', options.folder];
  const flags = options.lean ? [...usual, ...LEAN] : usual;
  const command = pinned(options.cores, [WGET2, ...flags, ...options.seeds]);
  const [program = '', ...args] = command;
  spawnSync('sync'); // What was stored and deleted before it is not for it to write.
  const cpuBefore = childrenCpuSec();
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: 'ignore', timeout: options.secondsMax * 1_000 });
  let peakRssBytes = 0;
  const looking = setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes, peakOf(child.pid));
  }, LOOK_MS);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('exit', () => resolve());
  });
  clearInterval(looking);
  const wallSec = (performance.now() - startedAt) / 1e3;
  const cpuSec = childrenCpuSec() - cpuBefore;
  const synced = spawnSync('sync', ['-f', options.folder], { encoding: 'utf8' });
  if (synced.status !== 0) throw new Error(`wget2's files could not be synced: ${synced.stderr}`);
  const syncedSec = (performance.now() - startedAt) / 1e3;
  return { wallSec, cpuSec, peakRssBytes, syncedSec };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * The yardstick: `wget2 -r` over the same web, storing files, on the same core.
 *
 * All hosts are given as seeds, so no other is in its scope. Images, styles and scripts are
 * left out on both sides. It asks for robots.txt, as we do.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinned } from './in-child.ts';
import { childrenCpuSec, type Usage } from './measure.ts';

const WGET2 = '/usr/bin/wget2';
const LOOK_MS = 100;

export interface Wget2Options {
  readonly seeds: readonly string[];
  readonly cores: string | undefined;
  readonly threads: number;
  readonly secondsMax: number;
  readonly tempDir?: string;
}

export function hasWget2(): boolean {
  return existsSync(WGET2);
}

export async function runWget2(options: Wget2Options): Promise<Usage> {
  const folder = await mkdtemp(join(options.tempDir ?? tmpdir(), 'orb-wget2-'));
  const flags = [
    ...['-r', '-l', '20', '-q', '--progress=none', `--max-threads=${options.threads}`],
    ...['-R', 'gif,svg,png,jpg,css,js,inv', '--filter-urls', '-P', folder],
  ];
  const command = pinned(options.cores, [WGET2, ...flags, ...options.seeds]);
  const [program = '', ...args] = command;
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
  await rm(folder, { recursive: true, force: true });
  return { wallSec, cpuSec: childrenCpuSec() - cpuBefore, peakRssBytes };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

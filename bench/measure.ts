/**
 * What every benchmark says besides its own figures: time, CPU, memory, of itself and of the
 * processes that it started.
 *
 * CPU is of all threads, so an engine's own count too. Peak memory is the kernel's high-water
 * mark; it never falls, so work that needs a clean one runs in a process of its own
 * (in-child.ts).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Line {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
}

export type Emit = (line: Line) => void;

/** A benchmark: `bench/NAME.ts` exports one as `run`. */
export type Run = (args: string[], emit: Emit) => Promise<void>;

/** Emits a figure of one benchmark. */
export type Say = (metric: string, value: number, unit: string) => void;

export interface Usage {
  readonly wallSec: number;
  readonly cpuSec: number;
  readonly peakRssBytes: number;
}

const MIB = 2 ** 20;
const CLOCK_TICKS_PER_SEC = 100;

export function sayFor(bench: string, emit: Emit): Say {
  return (metric, value, unit) => emit({ bench, metric, value, unit });
}

/** Starts a watch; reading it gives the time and the CPU of this process since then. */
export function watch(): () => { wallSec: number; cpuSec: number } {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wallSec: (performance.now() - startedAt) / 1e3, cpuSec: (user + system) / 1e6 };
  };
}

/** This process from its start until now. */
export function usageSoFar(): Usage {
  const { user, system } = process.cpuUsage();
  const wallSec = (Date.now() - performance.timeOrigin) / 1e3;
  return { wallSec, cpuSec: (user + system) / 1e6, peakRssBytes: peakRssBytes() };
}

export function peakRssBytes(): number {
  return Math.max(process.resourceUsage().maxRSS * 1024, statusBytes('VmHWM'));
}

export function rssBytes(): number {
  return statusBytes('VmRSS') || process.memoryUsage.rss();
}

/** A figure in /proc/self/status; 0 where there is no such file. */
function statusBytes(name: string): number {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync('/proc/self/status', 'utf8'),
    );
    return Number(found?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** CPU of the processes that were started here and have ended; 0 where the system does not say. */
export function childrenCpuSec(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS_PER_SEC;
  } catch {
    return 0;
  }
}

export function sayUsage(say: Say, prefix: string, usage: Usage): void {
  say(`${prefix}wall`, usage.wallSec, 's');
  say(`${prefix}cpu`, usage.cpuSec, 's');
  say(`${prefix}peak_rss`, usage.peakRssBytes / MIB, 'MiB');
}

export function mib(bytes: number): number {
  return bytes / MIB;
}

/** The bytes of all files under a folder. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** The value below which a share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

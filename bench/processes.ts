/** Processes that a benchmark has beside it: on which cores they run, and what they have used. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SEC = 100;
/** In /proc/PID/stat, behind the name: the CPU of the process and of its dead children. */
const [CPU_FROM, CPU_TO] = [11, 15];

/** Whatever it starts later is pinned as it is. */
export function pin(pid: number, cores: string): void {
  if (process.platform !== 'linux') return;
  execFileSync('taskset', ['-a', '-p', '-c', cores, `${pid}`], { stdio: 'ignore' });
}

/** The fields of /proc/PID/stat behind the name; none of a process that is gone. */
export function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function cpuSecOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) =>
    statOf(pid)
      .slice(CPU_FROM, CPU_TO)
      .reduce((sum, field) => sum + Number(field), 0),
  );
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SEC;
}

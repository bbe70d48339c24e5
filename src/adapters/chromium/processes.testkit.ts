/** The processes of browsers that a process has started, by /proc: each browser leads a group. */
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Running ones; what has ended and waits to be buried does not count. */
function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      return [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
    } catch {
      return [];
    }
  });
}

/** The browsers that a process runs now. */
export function browsersOf(pid: number): number[] {
  return processes()
    .filter((one) => one.parent === pid && one.group === one.pid && isBrowser(one.pid))
    .map((one) => one.pid);
}

function isBrowser(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
  } catch {
    return false;
  }
}

/** What is left of some browsers: themselves, and their zygotes and renderers. */
export function aliveIn(browsers: Iterable<number>): number {
  const groups = new Set(browsers);
  return processes().filter(({ group }) => groups.has(group)).length;
}

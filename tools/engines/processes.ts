/**
 * Processes by identity: an id alone may belong to somebody else by now, an id with the instant
 * at which its process began cannot.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from './engine.ts';

export interface Identity {
  readonly pid: number;
  /** When it began, as the system tells it; only to be compared. */
  readonly began: string;
}

const LOOK_MS = 50;
const STOP_MS = 20_000;

/** When the process with this id began; undefined if there is none, or it is a zombie. */
export function beganAt(pid: number): string | undefined {
  try {
    return beganIn(readFileSync(`/proc/${pid}/stat`, 'utf8'), bootId());
  } catch {
    return process.platform === 'linux' ? undefined : beganByPs(pid);
  }
}

/** The name in parentheses may hold anything; state and start follow it. */
export function beganIn(stat: string, boot: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  return state === 'Z' || ticks === undefined ? undefined : `${boot} ${ticks}`;
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function beganByPs(pid: number): string | undefined {
  try {
    const began = execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' });
    return began.trim() || undefined;
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, began }: Identity): boolean {
  return beganAt(pid) === began;
}

/** Sends a signal to that very process; false if it is gone. */
export function signal(target: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(target)) return false;
  process.kill(target.pid, name);
  return true;
}

/** In good order if it can, by force after a while. */
export async function stop(
  target: Identity,
  name: NodeJS.Signals = 'SIGTERM',
  patienceMs = STOP_MS,
): Promise<void> {
  if (!signal(target, name)) return;
  signal(target, 'SIGCONT');
  if (await isGone(target, patienceMs)) return;
  signal(target, 'SIGKILL');
  if (!(await isGone(target, patienceMs))) throw new Error(`process ${target.pid} does not end`);
}

export async function isGone(target: Identity, withinMs = STOP_MS): Promise<boolean> {
  for (let waited = 0; isAlive(target); waited += LOOK_MS) {
    if (waited >= withinMs) return false;
    await pause(LOOK_MS);
  }
  return true;
}

/** Runs on after we end; what it prints is added to its log. */
export function launch(command: Command, dir: string): Identity {
  const log = openSync(join(dir, `${command.name}.log`), 'a');
  const child = spawn(command.program, [...command.args], {
    ...{ detached: true, stdio: ['ignore', log, log], cwd: command.cwd ?? dir },
    ...{ env: { ...process.env, ...command.env }, ...command.user },
  });
  closeSync(log);
  child.on('error', () => undefined);
  child.unref();
  const began = child.pid === undefined ? undefined : beganAt(child.pid);
  if (child.pid === undefined || began === undefined) {
    throw new Error(`${command.program} did not start: see ${join(dir, `${command.name}.log`)}`);
  }
  return { pid: child.pid, began };
}

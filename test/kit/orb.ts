/**
 * `orb` as its user has it: a process of its own, with streams, signals and an exit code.
 *
 * The largest memory comes from the child itself, which writes it to a pipe as it ends; a child
 * that is killed has none. By the end of the same pipe it knows that whoever started it is gone,
 * however that ended, and goes too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from './place.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orb.js', import.meta.url));
const KIB = 1024;

const REPORT = `
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  process.on('exit', () => {
    try { writeSync(3, String(process.resourceUsage().maxRSS)); } catch {}
  });
  const leash = new Socket({ fd: 3, readable: true, writable: false, allowHalfOpen: true });
  leash.on('end', () => process.kill(process.pid, 'SIGKILL')).on('error', () => {}).resume().unref();
}`;
const REPORTING = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`];

export interface OrbEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly maxRssBytes: number;
}

export interface OrbRun {
  readonly pid: number;
  readonly ended: Promise<OrbEnd>;
  /** Whether it has ended already. */
  readonly isOver: boolean;
  readonly stderr: string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stderr has said this, or the process has ended. */
  said(what: RegExp): Promise<void>;
}

export interface OrbPlace {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment of the person who runs the tests must not change what they find. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(ORB_|NO_COLOR|NODE_)/.test(name));
  // A browser is started only by tests that ask for one.
  return { ORB_RENDER_RENDER: 'never', ...Object.fromEntries(own) };
}

/** Started in its own right: killed at the end of the test if it still runs. */
export function startOrb(t: Cleanup, args: readonly string[], place: OrbPlace = {}): OrbRun {
  const child = spawn(process.execPath, [...REPORTING, LAUNCHER, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(), ...place.env },
    ...(place.cwd !== undefined && { cwd: place.cwd }),
  });
  const text = { stdout: '', stderr: '', rss: '' };
  let isOver = false;
  const gather = (stream: Readable, into: keyof typeof text) =>
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text[into] += chunk;
    });
  gather(child.stdout as Readable, 'stdout');
  gather(child.stderr as Readable, 'stderr');
  gather(child.stdio[3] as Readable, 'rss');
  const ended = once(child, 'close').then(([code, signal]): OrbEnd => {
    isOver = true;
    const { stdout, stderr, rss } = text;
    return { code, signal, stdout, stderr, maxRssBytes: Number(rss) * KIB };
  });
  t.after(async () => {
    if (!isOver) child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid as number,
    ended,
    get isOver() {
      return isOver;
    },
    get stderr() {
      return text.stderr;
    },
    kill: (signal) => void child.kill(signal),
    said: async (what) => {
      while (!what.test(text.stderr) && !isOver) {
        await Promise.race([once(child.stderr as Readable, 'data'), ended]);
      }
    },
  };
}

export function orb(t: Cleanup, args: readonly string[], place: OrbPlace = {}): Promise<OrbEnd> {
  return startOrb(t, args, place).ended;
}

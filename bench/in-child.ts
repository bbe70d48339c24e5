/**
 * Work in a process of its own: a clean peak of memory, its own CPU, a core of its own.
 *
 *   inChild(module, task)  ──fork──→  child.ts: import module, work(task, tell)
 *        ↑ told                            │
 *        └────────────── { result, usage } ┘
 *
 * A child that is left alone ends by itself when this process goes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Usage } from './measure.ts';

const COMPILE_CACHE = fileURLToPath(new URL('../.cache/compile', import.meta.url));

/** What a module that works in a child exports as `work`. */
export type Work<Task, Result> = (
  task: Task,
  tell: (note: unknown) => void,
) => Promise<Result> | Result;

export interface ChildOptions {
  /** The module that exports `work`: `import.meta.url` of the caller, or a sibling of it. */
  readonly module: string;
  /** Cores to run on, as taskset writes them: `0`, `0,1`. Left out: any. */
  readonly cores?: string | undefined;
  readonly nodeArgs?: readonly string[];
  readonly onNote?: (note: unknown, child: ChildProcess) => void;
}

export interface ChildEnd<Result> {
  readonly result: Result;
  readonly usage: Usage;
}

type Message<Result> =
  | { kind: 'ready' }
  | { kind: 'note'; note: unknown }
  | ({ kind: 'done' } & ChildEnd<Result>)
  | { kind: 'failed'; error: string };

let peakBytes = 0;

/** The largest peak of memory of a child so far. */
export function childrenPeakBytes(): number {
  return peakBytes;
}

/** Undefined when the child was killed by its own `onNote`. */
export async function inChild<Task, Result>(
  task: Task,
  options: ChildOptions,
): Promise<ChildEnd<Result> | undefined> {
  const child = start(options);
  let end: ChildEnd<Result> | undefined;
  let failure: string | undefined;
  child.on('message', (message: Message<Result>) => {
    if (message.kind === 'ready') child.send({ module: options.module, task });
    else if (message.kind === 'note') options.onNote?.(message.note, child);
    else if (message.kind === 'failed') failure = message.error;
    else end = message;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  if (failure !== undefined) throw new Error(failure);
  if (end === undefined && !child.killed) throw new Error(`a child ended with ${child.exitCode}`);
  peakBytes = Math.max(peakBytes, end?.usage.peakRssBytes ?? 0);
  return end;
}

function start({ cores, nodeArgs = [] }: ChildOptions): ChildProcess {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const command = pinned(cores, [process.execPath, ...nodeArgs, script]);
  const [program = '', ...args] = command;
  // Sources are stripped of their types once, not in every child: what is published has none.
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  return spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The command on some cores alone, where the system can do that. */
export function pinned(cores: string | undefined, command: readonly string[]): readonly string[] {
  return cores === undefined || process.platform !== 'linux'
    ? command
    : ['taskset', '-c', cores, ...command];
}

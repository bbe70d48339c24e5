/**
 * Whom we started, on disk before anything else happens: whatever dies, the next `down` finds
 * the processes, and ends those that are still the same ones.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Command } from './engine.ts';
import { type Identity, isAlive, isGone, launch, signal, stop } from './processes.ts';

export interface StartedEngine {
  readonly name: string;
  readonly variable: string;
  readonly address: string;
  readonly dir: string;
  readonly processes: readonly StartedProcess[];
}

export interface StartedProcess extends Identity {
  /** Enough to start it again. */
  readonly command: Command;
}

/**
 * The engines of one run folder, a file each, so that two commands at once do not overwrite each
 * other; every change is on disk when the method returns.
 */
export class State {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = join(dir, 'state');
  }

  all(): readonly StartedEngine[] {
    const names = readdirIfThere(this.#dir).filter((name) => name.endsWith('.json'));
    return names.flatMap((name) => this.get(name.slice(0, -'.json'.length)) ?? []);
  }

  get(name: string): StartedEngine | undefined {
    const path = this.#pathOf(name);
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as StartedEngine;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Error(`${path} cannot be read: end its processes by hand`, { cause: error });
    }
  }

  put(engine: StartedEngine): void {
    mkdirSync(this.#dir, { recursive: true });
    const draft = `${this.#pathOf(engine.name)}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(engine, null, 2)}\n`);
    renameSync(draft, this.#pathOf(engine.name));
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true });
  }

  #pathOf(name: string): string {
    return join(this.#dir, `${name}.json`);
  }
}

function readdirIfThere(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).sort() : [];
}

/** Launches a process and has it written down before anything is waited for. */
export function launchInto(state: State, engine: StartedEngine, command: Command): StartedEngine {
  const started: StartedProcess = { ...launch(command, engine.dir), command };
  const others = engine.processes.filter((other) => other.command.name !== command.name);
  const now = { ...engine, processes: [...others, started] };
  state.put(now);
  return now;
}

export function isUp(engine: StartedEngine): boolean {
  return engine.processes.length > 0 && engine.processes.every(isAlive);
}

/** Last started, first ended. */
export async function stopEngine(state: State, engine: StartedEngine): Promise<void> {
  for (const process of [...engine.processes].reverse()) {
    await stop(process, process.command.stopSignal);
  }
  state.remove(engine.name);
}

/** For tests of what happens then: ended at once, without a word. */
export async function killProcess(target: StartedProcess): Promise<void> {
  signal(target, 'SIGKILL');
  await isGone(target);
}

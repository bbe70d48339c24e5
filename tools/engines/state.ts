/**
 * Whom we started, on disk before anything else happens: whatever dies, the next `down` finds
 * the processes, and ends those that are still the same ones.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const FILE = 'state.json';

/** The engines of one run folder; every change is on disk when the method returns. */
export class State {
  readonly #path: string;

  constructor(dir: string) {
    this.#path = join(dir, FILE);
  }

  all(): readonly StartedEngine[] {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as StartedEngine[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new Error(`${this.#path} cannot be read: end its processes by hand`, { cause: error });
    }
  }

  get(name: string): StartedEngine | undefined {
    return this.all().find((engine) => engine.name === name);
  }

  put(engine: StartedEngine): void {
    this.#write([...this.all().filter(({ name }) => name !== engine.name), engine]);
  }

  remove(name: string): void {
    this.#write(this.all().filter((engine) => engine.name !== name));
  }

  #write(engines: readonly StartedEngine[]): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(engines, null, 2)}\n`);
    renameSync(draft, this.#path);
  }
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

/**
 * Starting an engine from nothing, and the handle that tests break it with.
 *
 *   obtain ─▶ plan ─▶ launch each command (on disk at once) ─▶ answers? ─▶ finish
 *
 * Whatever fails on the way, what was launched is ended.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, Shelf } from './engine.ts';
import { isAlive, signal } from './processes.ts';
import {
  killProcess,
  launchInto,
  type StartedEngine,
  type StartedProcess,
  State,
  stopEngine,
} from './state.ts';

const LOOK_MS = 100;
const READY_MS = 120_000;
const LOG_TAIL = 2_000;

/** A running engine in the hands of a test. Processes go by their command's name. */
export class RunningEngine {
  readonly #engine: Engine;
  readonly #state: State;

  constructor(engine: Engine, state: State) {
    this.#engine = engine;
    this.#state = state;
  }

  get address(): string {
    return this.#started().address;
  }

  /** kill -9 of one process, or of all of them. */
  async kill(name?: string): Promise<void> {
    for (const process of this.#processes(name)) await killProcess(process);
  }

  /** SIGSTOP and SIGCONT: a machine that hangs, and comes back. */
  signal(signalName: NodeJS.Signals, name?: string): void {
    for (const process of this.#processes(name)) signal(process, signalName);
  }

  /** Starts again what is dead, with the same data on the same ports; resolves when it answers. */
  async restart(): Promise<void> {
    await untilAnswers(this.#engine, this.#state, 'starts the dead');
  }

  /** In good order; its data stay. */
  async stop(): Promise<void> {
    await stopEngine(this.#state, this.#started());
  }

  #started(): StartedEngine {
    const started = this.#state.get(this.#engine.name);
    if (started === undefined) throw new Error(`${this.#engine.name} is not running`);
    return started;
  }

  #processes(name: string | undefined): readonly StartedProcess[] {
    const { processes } = this.#started();
    return processes.filter(({ command }) => name === undefined || command.name === name);
  }
}

export async function startEngine(
  engine: Engine,
  dir: string,
  shelf: Shelf,
): Promise<RunningEngine> {
  const state = new State(dir);
  const home = join(dir, engine.name);
  const programs = await engine.obtain(shelf);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  const plan = await engine.plan({ programs, dir: home, port: freePort });
  const { name, variable } = engine;
  let started: StartedEngine = { name, variable, address: plan.address, dir: home, processes: [] };
  try {
    for (const command of plan.commands) started = launchInto(state, started, command);
    await untilAnswers(engine, state);
    await plan.finish?.();
  } catch (error) {
    await stopEngine(state, state.get(name) ?? started);
    throw error;
  }
  return new RunningEngine(engine, state);
}

/** A server that was killed may need a moment until it can start again, so it is tried again. */
async function untilAnswers(engine: Engine, state: State, dead?: 'starts the dead'): Promise<void> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const started = state.get(engine.name) as StartedEngine;
    const ended = started.processes.filter((process) => !isAlive(process));
    if (ended.length > 0 && (dead === undefined || waited >= READY_MS)) {
      throw new Error(`${engine.name} has ended by itself: ${await lastWords(started)}`);
    }
    ended.reduce((now, { command }) => launchInto(state, now, command), started);
    try {
      if (ended.length === 0) return void (await engine.answers(started.address));
    } catch (error) {
      if (waited >= READY_MS) {
        const why = `${engine.name} does not answer: ${await lastWords(started)}`;
        throw new Error(why, { cause: error });
      }
    }
    await pause(LOOK_MS);
  }
}

async function lastWords({ dir, processes }: StartedEngine): Promise<string> {
  const logs = processes.map(({ command }) => join(dir, `${command.name}.log`));
  const texts = await Promise.all(logs.map((log) => readFile(log, 'utf8').catch(() => '')));
  return `\n${texts.map((text, i) => `${logs[i]}:\n${text.slice(-LOG_TAIL)}`).join('\n')}`;
}

const given = new Set<number>();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

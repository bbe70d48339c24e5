/**
 * `npm run engines -- up|down|status [names]`: engines that stay up until they are told to go.
 *
 * `up` leaves those alone that run already. `down` ends what `up` started and nobody else.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ENGINES_DIR,
  type Engine,
  enginesNamed,
  isUp,
  NotHad,
  SHELF,
  State,
  startEngine,
  stopEngine,
} from './index.ts';

const dir = join(ENGINES_DIR, 'up');
const state = new State(dir);
const commands: Record<string, (engine: Engine) => Promise<string>> = { up, down, status };

async function up(engine: Engine): Promise<string> {
  const before = state.get(engine.name);
  if (before !== undefined && isUp(before)) return `${engine.variable}=${before.address}`;
  if (before !== undefined) await stopEngine(state, before);
  const { address } = await startEngine(engine, dir, SHELF);
  return `${engine.variable}=${address}`;
}

async function down(engine: Engine): Promise<string> {
  const started = state.get(engine.name);
  if (started === undefined) return `${engine.name}: was not up`;
  await stopEngine(state, started);
  await rm(started.dir, { recursive: true, force: true });
  return `${engine.name}: ended, and its data are gone`;
}

async function status(engine: Engine): Promise<string> {
  const started = state.get(engine.name);
  if (started === undefined) return `${engine.name}: not up`;
  const ids = started.processes.map(({ pid, command }) => `${command.name} ${pid}`).join(', ');
  if (!isUp(started)) return `${engine.name}: DEAD (${ids}); see the logs in ${started.dir}`;
  const answers = await engine.answers(started.address).then(
    () => 'answers',
    (error: Error) => `DOES NOT ANSWER (${error.message})`,
  );
  return `${engine.name}: ${answers} at ${started.address} (${ids})`;
}

const [word = '', ...names] = process.argv.slice(2);
const command = commands[word];
if (command === undefined) {
  process.stderr.write('usage: npm run engines -- up|down|status [names]\n');
  process.exit(2);
}
for (const engine of enginesNamed(names)) {
  try {
    process.stdout.write(`${await command(engine)}\n`);
  } catch (error) {
    const reason = error instanceof NotHad ? error.message : (error as Error).stack;
    process.stderr.write(`${engine.name}: ${reason}\n`);
    process.exitCode = 1;
  }
}

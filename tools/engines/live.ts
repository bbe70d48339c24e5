/**
 * `npm run test:live [-- words]`: the tests in test/live/ against real engines, started for them
 * from nothing and ended after them, also when something fails or somebody interrupts.
 *
 * A word that is an engine's name starts that one only; files are chosen by any of the words. An
 * engine that cannot be had is told; its tests say that they are skipped; under CI it is a failure.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  ENGINES,
  ENGINES_DIR,
  type Engine,
  enginesNamed,
  PROJECT_DIR,
  SHELF,
  State,
  startEngine,
  stopEngine,
} from './index.ts';
import { beganAt } from './processes.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'));
const isCi = process.env.CI === 'true';
const dir = join(ENGINES_DIR, `live-${process.pid}`);
let tests: ChildProcess | undefined;
let interrupted = false;

async function main(): Promise<number> {
  await endWhatOthersLeft();
  const files = globSync('test/live/**/*.test.ts', { cwd: PROJECT_DIR })
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
  if (files.length === 0)
    throw new Error(`no file of test/live has ${words.join(' or ')} in its path`);
  const names = words.filter((word) => ENGINES.some(({ name }) => name === word));
  const addresses: Record<string, string> = {};
  const missing: string[] = [];
  for (const engine of enginesNamed(names)) {
    if (interrupted) return 130;
    await startOne(engine, addresses).catch((error: Error) => {
      missing.push(engine.name);
      process.stderr.write(`\n!! ${engine.name} CANNOT BE HAD: ${error.message}\n\n`);
    });
  }
  const code = interrupted ? 130 : await runTests(files, addresses);
  if (missing.length === 0) return code;
  process.stderr.write(`!! NOT TESTED: ${missing.join(', ')}${isCi ? ': a failure here' : ''}\n`);
  return isCi ? code || 1 : code;
}

async function startOne(engine: Engine, addresses: Record<string, string>): Promise<void> {
  const { address } = await startEngine(engine, dir, SHELF);
  addresses[engine.variable] = address;
  process.stderr.write(`${engine.name} is up at ${address}\n`);
}

function runTests(files: readonly string[], addresses: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...flags, ...files], {
    cwd: PROJECT_DIR,
    stdio: 'inherit',
    env: { ...process.env, ...addresses },
  });
  tests = child;
  return new Promise((done) => child.on('close', (code) => done(code ?? 1)));
}

async function endAll(runDir: string): Promise<void> {
  const state = new State(runDir);
  for (const engine of [...state.all()].reverse()) await stopEngine(state, engine);
  await rm(runDir, { recursive: true, force: true });
}

/** A run or a test that was killed could not end its engines: whoever comes next does. */
async function endWhatOthersLeft(): Promise<void> {
  for (const left of globSync(join(ENGINES_DIR, 'live-*'))) {
    const pid = Number.parseInt(basename(left).slice('live-'.length), 10);
    if (pid === process.pid || beganAt(pid) === undefined) await endAll(left);
  }
}

function interrupt(): void {
  interrupted = true;
  tests?.kill('SIGINT');
}

process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
try {
  process.exitCode = await main();
} finally {
  await endAll(dir);
  await endWhatOthersLeft();
}
if (interrupted) process.exitCode = 130;

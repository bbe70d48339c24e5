/**
 * `npm run test:live [-- words]`: the tests in test/live/ against real engines, started for them
 * from nothing and ended after them, also when something fails or somebody interrupts.
 *
 * First all programs are had, at once: one is built while another is fetched. Then all engines
 * are started, at once. A word that is an engine's name starts that one only; files are chosen by
 * any of the words. An engine that cannot be had is told; its tests say that they are skipped;
 * under CI it is a failure.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  ENGINES,
  ENGINES_DIR,
  type Engine,
  enginesNamed,
  NotHad,
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
/** A test that waits for ever is a failure, not a night. */
const FILE_MS_MAX = 20 * 60_000;
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
  const each = (engines: readonly Engine[], work: (engine: Engine) => Promise<void>) =>
    Promise.all(
      engines.map((engine) =>
        work(engine).catch((error: Error) => {
          missing.push(engine.name);
          process.stderr.write(`\n!! ${engine.name} CANNOT BE HAD: ${error.message}\n\n`);
        }),
      ),
    );
  const engines = enginesNamed(names);
  await each(
    engines,
    timed('its programs are here', (engine) => engine.obtain(SHELF)),
  );
  if (interrupted) return 130;
  await each(
    engines.filter(({ name }) => !missing.includes(name)),
    timed('is up', async (engine) => {
      const { address } = await startTwice(engine);
      addresses[engine.variable] = address;
      return address;
    }),
  );
  const code = interrupted ? 130 : await runTests(files, addresses);
  if (missing.length === 0) return code;
  process.stderr.write(`!! NOT TESTED: ${missing.join(', ')}${isCi ? ': a failure here' : ''}\n`);
  return isCi ? code || 1 : code;
}

/** Does the work and says when it was done, and what it came to. */
function timed(what: string, work: (engine: Engine) => Promise<string>) {
  return async (engine: Engine): Promise<void> => {
    const startedAt = performance.now();
    const came = await work(engine);
    const seconds = ((performance.now() - startedAt) / 1e3).toFixed(1);
    process.stderr.write(`${engine.name}: ${what} after ${seconds} s: ${came}\n`);
  };
}

/** Somebody else may have taken a port between its choice and the start. */
function startTwice(engine: Engine) {
  return startEngine(engine, dir, SHELF).catch((error: Error) => {
    if (error instanceof NotHad || interrupted) throw error;
    process.stderr.write(`  ${engine.name} is tried again: ${error.message}\n`);
    return startEngine(engine, dir, SHELF);
  });
}

function runTests(files: readonly string[], addresses: Record<string, string>): Promise<number> {
  // A driver whose server was cut off may dial on for a while: a file that is done is done.
  const limits = ['--test-force-exit', '--test-concurrency=1', `--test-timeout=${FILE_MS_MAX}`];
  const child = spawn(process.execPath, ['--test', ...limits, ...flags, ...files], {
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
  // That of a benchmark is a link to memory.
  if (existsSync(runDir)) await rm(await realpath(runDir), { recursive: true });
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

/**
 * Runs the tests: `npm test` for all of them, `npm test -- url robots` for files whose path
 * has one of the words.
 *
 *   pure    tests of code without I/O, clocks and shared state: all in one process, because a
 *           process for each costs more than what is tested in it
 *   others  a process for each file, one more at a time than there are cores: many mostly wait
 *
 * Both at once. What the pure ones say is printed when they are done. Not among them, but by their
 * names: `npm run test:more` has test/sim/ (whole crawls in virtual time), test/nodes/ (several
 * processes that crawl together) and test/long/ (a crawl for each of what a crawl can do besides);
 * `npm run test:live` has test/live/, for engines.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'));
const patterns = ['bin', 'src', 'testweb', 'test', 'bench', 'tools'].map(
  (dir) => `${dir}/**/*.test.ts`,
);
const files = globSync(patterns, { cwd: root })
  .filter((file) => !file.startsWith('test/live/'))
  .filter((file) => {
    if (words.length === 0) return !/^test\/(?:sim|nodes|long)\//.test(file);
    return words.some((word) => file.includes(word));
  })
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file has ${words.join(' or ')} in its path\n`);
  process.exit(1);
}

/** A test that waits for ever is a failure with a name, not a night: it, and then the whole run. */
const TEST_MS_MAX = 10 * 60_000;
const RUN_MS_MAX = 30 * 60_000;
const isPure = (file: string) => /^src\/(?!adapters\/(?!memory))/.test(file);
const cores = availableParallelism();
const [others, pure] = await Promise.all([
  run(
    files.filter((file) => !isPure(file)),
    [`--test-concurrency=${cores + 1}`],
    'inherit',
  ),
  run(files.filter(isPure), ['--test-isolation=none'], 'pipe').then((ended) => {
    process.stdout.write(ended.said);
    return ended;
  }),
]);
if (pure.code !== 0) process.stdout.write('Tests of pure code have failed, too: see above.\n');
process.exitCode = others.code || pure.code;

interface Ended {
  readonly code: number;
  readonly said: string;
}

function run(paths: readonly string[], how: string[], output: 'inherit' | 'pipe'): Promise<Ended> {
  if (paths.length === 0) return Promise.resolve({ code: 0, said: '' });
  const limit = `--test-timeout=${TEST_MS_MAX}`;
  const child = spawn(process.execPath, ['--test', limit, ...how, ...flags, ...paths], {
    ...{ cwd: root, stdio: ['inherit', output, 'inherit'] },
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env },
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // The runner names what it was waiting for as it ends.
  const isTooLong = setTimeout(() => child.kill('SIGINT'), RUN_MS_MAX);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(isTooLong);
      resolve({ code: code ?? 1, said });
    });
  });
}

/**
 * Runs the tests: `npm test` for all of them, `npm test -- url robots` for files whose path
 * has one of the words. Prints what it left out, and why.
 */
import { spawnSync } from 'node:child_process';
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
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file has ${words.join(' or ')} in its path\n`);
  process.exit(1);
}
// Node's own choice is one file fewer at a time than there are cores; many files mostly wait.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
const { status } = spawnSync(process.execPath, ['--test', atOnce, ...flags, ...files], {
  ...{ cwd: root, stdio: 'inherit' },
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env },
});
process.exit(status ?? 1);

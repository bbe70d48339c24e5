/**
 * The scenarios at the size that the issue names: `npm run test:full -- complete killed`.
 *
 *   complete   50,000 pages on 500 hosts, --limit 1,234          about 2 minutes
 *   killed     30 kills in a crawl of 3,000 pages on 60 hosts     about 2 minutes
 *   traps      10 traps among 500 hosts and an encyclopaedia      about 2 minutes
 *   render     396 script-only pages among 2,000 others           about 4 minutes
 *   renders    200 renders, a browser killed every 20             about 3 minutes
 *   archive    WARCs of 5,000 pages, warcio, jwarc, ReplayWeb.page   about 2 minutes
 *   cluster    three nodes, 20,000 pages on 400 hosts, real engines; with faults   about 30 minutes
 *
 * Without a name it runs all. ORB_TEST_SEED=n draws other instants for the kills.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const KNOWN = ['complete', 'killed', 'traps', 'render', 'renders', 'archive', 'cluster'];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !KNOWN.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no full-size scenario '${unknown.join(' ')}': ${KNOWN.join(', ')}\n`);
  process.exit(2);
}
const chosen = names.length > 0 ? names : KNOWN;
const env = { ...process.env, ORB_TEST_SCALE: 'full' };

function run(args: readonly string[]): number {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  return status ?? 1;
}

const files = chosen
  .filter((name) => name !== 'cluster')
  .map((name) => join('test', 'scenario', `${name}.test.ts`));
const codes = [
  files.length > 0 ? run(['--test', '--test-reporter=spec', ...files]) : 0,
  // On engines that are started for it.
  chosen.includes('cluster')
    ? run([join('tools', 'engines', 'live.ts'), 'test/live/cluster.test.ts'])
    : 0,
];
process.exit(Math.max(...codes));

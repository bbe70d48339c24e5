/**
 * The scenarios at the size that the issue names: `npm run test:full -- complete killed`.
 *
 *   complete   50,000 pages on 500 hosts, --limit 1,234          about 2 minutes
 *   killed     30 kills in a crawl of 3,000 pages on 60 hosts     about 2 minutes
 *   traps      10 traps among 500 hosts and an encyclopaedia      about 2 minutes
 *   render     396 script-only pages among 2,000 others           about 4 minutes
 *   renders    200 renders, a browser killed every 20             about 3 minutes
 *   archive    WARCs of 5,000 pages, warcio, jwarc, ReplayWeb.page   about 2 minutes
 *
 * Three nodes, 20,000 pages on 400 hosts, on engines that are started for them:
 *
 *   cluster, cluster-cassandra    nothing happens                                 3 minutes each
 *   cluster-rebalance             nodes join and leave every 20 s                 6 minutes
 *   cluster-hot                   a host of 10,000 pages besides, its arc is split   8 minutes
 *       [--hot PAGES]
 *   cluster-faults, cluster-faults-cassandra    each fault alone, then 10 minutes of all   40 minutes
 *       [--seed N] [--minutes M] [--only NAME | --only mixed] [--size small] [--hosts N] [--pages N]
 *
 *   ring         eight processes find owners: kill -9 of two, one stopped, joins   about 1 minute
 *   ring-crawl   eight nodes of a ring crawl 20,000 pages on 400 hosts: kill -9 of two every 20 s,
 *                fresh joins, a stop of 60 s, a partition                          about 13 minutes
 *       [--pages N] [--hosts N] [--nodes N] [--minutes M] [--seed N] [--size small]
 *       ORB_RING_LOGS=DIR keeps what every node said
 *   ring-join    what a join moves, and four nodes beside one                      about 6 minutes
 *   ring-lend    an owner with four hands, alone and with two replicas             about 1 minute
 *
 * Without a name it runs all. ORB_TEST_SEED=n draws other instants for the kills.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Which folder of test/ each is in. */
const LOCAL = new Map([
  ['complete', 'scenario'],
  ['killed', 'scenario'],
  ['traps', 'long'],
  ['render', 'long'],
  ['renders', 'long'],
  ['archive', 'long'],
]);
/** Which file each is in. */
const CLUSTER = new Map([
  ['cluster', 'cluster'],
  ['cluster-cassandra', 'cluster'],
  ['cluster-rebalance', 'cluster-rebalance'],
  ['cluster-hot', 'cluster-hot'],
  ['cluster-faults', 'cluster-faults'],
  ['cluster-faults-cassandra', 'cluster-faults'],
  ['ring', 'ring'],
  ['ring-crawl', 'ring-crawl'],
  ['ring-join', 'ring-join'],
  ['ring-lend', 'ring-lend'],
]);
const KNOWN = [...LOCAL.keys(), ...CLUSTER.keys()];
const text = { type: 'string' } as const;
const { values, positionals: names } = parseArgs({
  options: {
    ...{ seed: text, minutes: text, only: text, size: text, hosts: text, pages: text },
    ...{ nodes: text, hot: text },
  },
  allowPositionals: true,
});
const unknown = names.filter((name) => !KNOWN.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no full-size scenario '${unknown.join(' ')}': ${KNOWN.join(', ')}\n`);
  process.exit(2);
}
const chosen = names.length > 0 ? names : KNOWN;
const asked = Object.entries(values).map(([name, value]) => [
  `ORB_FULL_${name.toUpperCase()}`,
  value,
]);
const env = {
  ...process.env,
  ...{ ORB_TEST_SCALE: 'full', ORB_FULL_NAMES: chosen.join(',') },
  ...Object.fromEntries(asked),
};

function run(files: readonly string[]): number {
  if (files.length === 0) return 0;
  const args = ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  return status ?? 1;
}

const local = chosen.flatMap((name) => {
  const folder = LOCAL.get(name);
  return folder === undefined ? [] : [join('test', folder, `${name}.test.ts`)];
});
const files = new Set(chosen.flatMap((name) => CLUSTER.get(name) ?? []));
const codes = [run(local), run([...files].map((name) => join('test', 'full', `${name}.full.ts`)))];
process.exit(Math.max(...codes));

/**
 * What a cluster costs (issue of engines): one node beside a crawl in a folder, in one run.
 *
 *   npm run bench -- cluster [--pages 20000] [--hosts 200] [--rounds 2] [--concurrency 256]
 *                            [--engines up] [--on-disk] [--cpu-prof DIR]
 *
 * Both crawl the same test web, politeness off, everything on, turn by turn, on core 0 with no
 * threads. Kafka, Redis, PostgreSQL and S3 are real, started for it, and on core 1 with the web.
 * A node's first crawl is not counted: Java compiles meanwhile, on a core that all engines share.
 *
 *   rate, ratio   pages a second from everything open until the last page is durable
 *   cpu           of each process for 1,000 pages: what is left to compare on a busy machine
 *   per page      messages, commands, statements, requests, round trips, bytes, of the last round
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { type EngineName, type RunningEngines, withEngines } from './cluster-engines.ts';
import type { ClusterFigures, ClusterTask } from './cluster-work.ts';
import { inChild } from './in-child.ts';
import { type Emit, mib, type Say, sayFor } from './measure.ts';
import { cpuSecOf } from './processes.ts';
import { openTestWeb, type TestWeb } from './test-web.ts';

const [CRAWLER_CORE, ENGINE_CORE] = ['0', '1'];

type Options = ReturnType<typeof optionsOf>;

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '20000' },
      hosts: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '2' },
      concurrency: { type: 'string', default: '256' },
      engines: { type: 'string' },
      'on-disk': { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
    },
  });
  return values;
}

interface Round extends ClusterFigures {
  readonly peakRssBytes: number;
  readonly engineCpu: Readonly<Record<string, number>>;
  readonly redisCommands: number;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const options = optionsOf(args);
  const say = sayFor('cluster', emit);
  const flags = ['--hosts', options.hosts, '--pages', options.pages, '--features', 'plain'];
  const web = await openTestWeb(flags, ENGINE_CORE);
  try {
    const { engines: given, 'on-disk': onDisk } = options;
    await withEngines({ cores: ENGINE_CORE, onDisk, given }, (engines) =>
      measure(web, engines, options, say),
    );
  } finally {
    await web.close();
  }
}

async function measure(
  web: TestWeb,
  engines: RunningEngines,
  options: Options,
  say: Say,
): Promise<void> {
  const rounds: { readonly local: Round; readonly node: Round }[] = [];
  await crawlOnce('node', 0, web, engines, options);
  for (let nth = 1; nth <= Number(options.rounds); nth++) {
    const local = await crawlOnce('local', nth, web, engines, options);
    sayRound(`local_${nth}`, local, say);
    const node = await crawlOnce('node', nth, web, engines, options);
    sayRound(`node_${nth}`, node, say);
    say(`ratio_${nth}`, rateOf(node) / rateOf(local), 'of local');
    rounds.push({ local, node });
  }
  const all = (kind: 'local' | 'node') => rounds.map((round) => round[kind]);
  say('local_rate', rateOf(...all('local')), 'pages/s');
  say('node_rate', rateOf(...all('node')), 'pages/s');
  say('ratio', rateOf(...all('node')) / rateOf(...all('local')), 'of local');
  const [local, node] = [cpuOf(all('local')), cpuOf(all('node'))];
  say('local_cpu_per_1000_pages', local, 's');
  say('node_cpu_per_1000_pages', node, 's');
  say('ratio_by_cpu', local / node, 'of local');
  const last = rounds.at(-1)?.node;
  if (last !== undefined) sayPerPage(last, say);
}

async function crawlOnce(
  kind: 'local' | 'node',
  nth: number,
  web: TestWeb,
  engines: RunningEngines,
  options: Options,
): Promise<Round> {
  const dir = mkdtempSync(join(tmpdir(), 'orb-cluster-'));
  const profile = options['cpu-prof'];
  const around: Record<string, number>[] = [];
  const commandsBefore = await redisCommands(engines);
  try {
    const end = await inChild<ClusterTask, ClusterFigures>(
      taskOf(kind === 'local' ? dir : undefined, nth, web, engines, options),
      {
        ...{ module: new URL('./cluster-work.ts', import.meta.url).href, cores: CRAWLER_CORE },
        onNote: () => void around.push({ ...engines.cpuSec(), web: cpuSecOf([web.pid]) }),
        ...(profile && { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${join(profile, kind)}`] }),
      },
    );
    if (end === undefined) throw new Error('the crawl was killed');
    const [before = {}, after = {}] = around;
    const used = Object.entries(after).map(([name, sec]) => [name, sec - (before[name] ?? 0)]);
    const redisCommandsUsed = (await redisCommands(engines)) - commandsBefore;
    return {
      ...{ ...end.result, peakRssBytes: end.usage.peakRssBytes },
      ...{ engineCpu: Object.fromEntries(used), redisCommands: redisCommandsUsed },
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function taskOf(
  dir: string | undefined,
  nth: number,
  web: TestWeb,
  { addresses }: RunningEngines,
  { concurrency }: Options,
): ClusterTask {
  const free = ['--rate', 'max', '--allow-private', '--depth', '100', '--scope', 'any'];
  const usual = ['--workers', '0', '--concurrency', concurrency, ...free];
  const { origin, username, password, pathname, port } = new URL(addresses.s3);
  const portOf = (address: string) => Number(/:(\d+)(\/|$)/.exec(address)?.[1]);
  const { kafka, redis, postgres } = addresses;
  return {
    ...(dir !== undefined && { dir }),
    ...{ argv: [...usual, '--dns', `127.0.0.1:${web.dnsPort}`], start: web.start },
    ports: {
      ...{ kafka: portOf(kafka), redis: portOf(redis), postgres: portOf(postgres) },
      s3: Number(port),
    },
    env:
      dir !== undefined
        ? {}
        : {
            ...{ ORB_CLUSTER_NAME: `bench${process.pid}_${nth}`, ORB_CLUSTER_KAFKA: kafka },
            ...{ ORB_CLUSTER_REDIS: redis, ORB_CLUSTER_POSTGRES: postgres },
            ...{ ORB_CLUSTER_BUCKET: pathname.slice(1), ORB_CLUSTER_S3_ENDPOINT: origin },
            ...{ AWS_ACCESS_KEY_ID: username, AWS_SECRET_ACCESS_KEY: password },
          },
  };
}

async function redisCommands({ addresses }: RunningEngines): Promise<number> {
  const client = createClient({ url: addresses.redis });
  await client.connect();
  try {
    const told = String(await client.sendCommand(['INFO', 'commandstats']));
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(told)?.[1] ?? 0);
  } finally {
    client.destroy();
  }
}

function rateOf(...rounds: readonly Round[]): number {
  const sum = (of: (round: Round) => number) => rounds.reduce((all, one) => all + of(one), 0);
  return sum((one) => one.pages) / sum((one) => one.wallSec);
}

function cpuOf(rounds: readonly Round[]): number {
  const sum = (of: (round: Round) => number) => rounds.reduce((all, one) => all + of(one), 0);
  return (sum((one) => one.cpuSec) * 1e3) / sum((one) => one.pages);
}

function sayRound(name: string, round: Round, say: Say): void {
  say(`${name}_pages`, round.pages, 'pages');
  say(`${name}_rate`, rateOf(round), 'pages/s');
  say(`${name}_cpu_per_1000_pages`, cpuOf([round]), 's');
  say(`${name}_peak_rss`, mib(round.peakRssBytes), 'MiB');
}

function sayPerPage({ pages, traffic, engineCpu, redisCommands }: Round, say: Say): void {
  if (traffic === undefined) return;
  for (const [name, sec] of Object.entries(engineCpu)) {
    say(`${name}_cpu_per_1000_pages`, (sec * 1e3) / pages, 's');
  }
  const { messages, produces, statements, s3Requests, lines } = traffic;
  const { pages: events = 0, urls = 0 } = messages;
  say('kafka_messages_out', (events + urls) / pages, 'per page');
  // The only node reads all that it hands on.
  say('kafka_messages_in', urls / pages, 'per page');
  say('kafka_produces', produces / pages, 'per page');
  say('redis_commands', redisCommands / pages, 'per page');
  say('postgres_statements', statements / pages, 'per page');
  say('s3_requests', s3Requests / pages, 'per page');
  for (const name of Object.keys(lines) as EngineName[]) {
    const { turns = 0, bytesOut = 0, bytesIn = 0 } = lines[name] ?? {};
    say(`${name}_round_trips`, turns / pages, 'per page');
    say(`${name}_bytes_out`, bytesOut / pages, 'bytes/page');
    say(`${name}_bytes_in`, bytesIn / pages, 'bytes/page');
  }
}

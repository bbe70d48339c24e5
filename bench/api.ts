/**
 * The API under load while a crawl is busy (A1): what does it cost whom?
 *
 *   npm run bench -- api [--rate 500] [--seconds 30] [--alone 15] [--pages 200000] [--hosts 200]
 *
 *   core 0   `orb serve`, a process of its own, crawling the test web without politeness
 *   core 1   the test web, and requests for `GET /pages/{hash}` by a schedule (api-load.ts)
 *
 * The crawl runs alone for a while, then under load, then alone again; its rate without is the
 * mean of the two, so that a crawl that slows down with its size is not blamed on the load.
 *
 *   --cpu-prof D   write a profile of the service there     --dir D   keep the folder
 *   --pages 2000   a crawl that is over before the load begins: what a request costs by itself
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LoadFigures, LoadTask } from './api-load.ts';
import { inChild, pinned } from './in-child.ts';
import { type Emit, type Say, sayFor } from './measure.ts';
import { openTestWeb } from './test-web.ts';

const SLICE = 1_000;

type Options = ReturnType<typeof optionsOf>;

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '30' },
      alone: { type: 'string', default: '15' },
      warmup: { type: 'string', default: '10' },
      pages: { type: 'string', default: '200000' },
      hosts: { type: 'string', default: '200' },
      targets: { type: 'string', default: '5000' },
      dir: { type: 'string' },
      'cpu-prof': { type: 'string' },
    },
  });
  const [rate, seconds, alone, warmup, targets] = [
    ...[values.rate, values.seconds, values.alone, values.warmup, values.targets],
  ].map(Number) as [number, number, number, number, number];
  return { ...values, rate, seconds, alone, warmup, targets };
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const options = optionsOf(args);
  const flags = ['--hosts', options.hosts, '--pages', options.pages, '--features', 'plain'];
  const web = await openTestWeb(flags, '1');
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'orb-api-')));
  try {
    const service = await startService(options, dir, web.dnsPort);
    try {
      await measure(service, web.start, options, sayFor('api', emit));
    } finally {
      service.child.kill('SIGTERM');
      await service.ended;
    }
  } finally {
    await web.close();
    if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
  }
}

interface Service {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly port: number;
}

async function startService(options: Options, dir: string, dnsPort: number): Promise<Service> {
  const profile = options['cpu-prof'];
  const nodeArgs = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const [program = '', ...args] = pinned('0', [
    ...[process.execPath, ...nodeArgs, fileURLToPath(new URL('../bin/orb.js', import.meta.url))],
    ...['serve', '--dir', dir, '--port', '0', '--log-format', 'json', '--api-rate', '100000'],
    ...['--rate', 'max', '--workers', '0', '--concurrency', '64', '--depth', '100'],
    ...['--allow-private', '--scope', 'any', '--dns', `127.0.0.1:${dnsPort}`],
  ]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port === undefined) continue;
    child.stderr?.pipe(process.stderr);
    return { child, ended, port };
  }
  throw new Error('the service did not start');
}

async function measure(service: Service, start: string, options: Options, say: Say): Promise<void> {
  const ask = asker(service.port);
  await ask('/crawl/seeds', { urls: [start] });
  await sleep(options.warmup * 1_000);
  const paths = await pathsOf(ask, options.targets);
  const crawlRate = rater(ask);
  const before = await crawlRate(() => sleep(options.alone * 1_000));
  let load: LoadFigures | undefined;
  const cpuBefore = cpuSecOf(service.child);
  const during = await crawlRate(async () => {
    load = await underLoad({ port: service.port, paths, ...figuresOf(options) });
  });
  const cpuSec = cpuSecOf(service.child) - cpuBefore;
  const after = await crawlRate(() => sleep(options.alone * 1_000));
  say('pages_asked_for', paths.length, 'pages');
  sayLoad(load as LoadFigures, say);
  say('service_cpu_under_load', cpuSec, 's');
  const alone = (before + after) / 2;
  say('crawl_rate_before', before, 'pages/s');
  say('crawl_rate_under_load', during, 'pages/s');
  say('crawl_rate_after', after, 'pages/s');
  say('crawl_rate_share', during / alone, 'ratio');
}

const TICKS_PER_SEC = 100;

/** CPU of the service with all its threads; 0 where the system does not say. */
function cpuSecOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SEC;
  } catch {
    return 0;
  }
}

function figuresOf({ rate, seconds }: Options): Pick<LoadTask, 'perSecond' | 'seconds'> {
  return { perSecond: rate, seconds };
}

async function underLoad(task: LoadTask): Promise<LoadFigures> {
  const module = new URL('./api-load.ts', import.meta.url).href;
  const end = await inChild<LoadTask, LoadFigures>(task, { module, cores: '1' });
  if (end === undefined) throw new Error('the load was killed');
  return end.result;
}

function sayLoad(load: LoadFigures, say: Say): void {
  say('requests', load.answered, 'requests');
  say('request_rate', load.answered / load.wallSec, 'requests/s');
  say('answer_mean', load.bytes / load.answered, 'bytes');
  say('errors', load.errors, 'requests');
  say('latency_p50', load.p50Ms, 'ms');
  say('latency_p99', load.p99Ms, 'ms');
  say('latency_p999', load.p999Ms, 'ms');
  say('latency_max', load.maxMs, 'ms');
}

type Ask = <T>(path: string, body?: object) => Promise<T>;

function asker(port: number): Ask {
  return async <T>(path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
}

/** Pages that are stored already, in an order that is not that of their keys. */
async function pathsOf(ask: Ask, wanted: number): Promise<string[]> {
  const paths: string[] = [];
  let cursor = '';
  while (paths.length < wanted) {
    const query = `/pages?state=indexed&limit=${SLICE}${cursor && `&cursor=${cursor}`}`;
    const slice = await ask<{ pages: { url_hash: string }[]; next_cursor?: string }>(query);
    paths.push(...slice.pages.map(({ url_hash: hash }) => `/pages/${hash}`));
    if (slice.next_cursor === undefined) break;
    cursor = slice.next_cursor;
  }
  if (paths.length === 0) throw new Error('no page is stored yet: a longer --warmup');
  const stride = 7_919;
  return paths.map((_, i) => paths[(i * stride) % paths.length] as string);
}

/** The crawl's pages a second while something is done. */
function rater(ask: Ask): (work: () => Promise<unknown>) => Promise<number> {
  const pages = async () => {
    const { run } = await ask<{ run: { pages: number } }>('/crawl/stats');
    return { pages: run.pages, at: performance.now() };
  };
  return async (work) => {
    const from = await pages();
    await work();
    const to = await pages();
    return ((to.pages - from.pages) * 1_000) / (to.at - from.at);
  };
}

/**
 * `orb crawl URL… --ring http://HOST:7070/`: seeds for a ring that runs elsewhere, followed to their
 * end. The pages are fetched and kept by its nodes; here is only what becomes of them.
 *
 * Ctrl-C stops the looking, not the job. A node that does not answer is asked again for a while:
 * it may be on its way back, and the ring goes on without it meanwhile.
 */
import { CrawlError } from '../../base/errors.ts';
import { SECOND_MS } from '../../base/instant.ts';
import {
  entryByKey,
  exitCode,
  type Mistake,
  type Refusal,
  type Resolution,
  type SettingKey,
  type Settings,
} from '../../config/index.ts';
import type {
  RemoteCall,
  RemoteCrawl,
  RemoteJob,
  RemoteReceipt,
} from '../../ports/remote-crawl.ts';
import { Stopping } from './crawl-stop.ts';
import { failureLines, failureOf } from './failure.ts';
import { formatBytes, formatNumber, jsonLine, many, safeText } from './format.ts';
import type { Log } from './log.ts';
import { seedsOf } from './plan.ts';
import { openLogFor } from './serve-fetch.ts';
import { openTerminal } from './terminal.ts';
import type { World } from './world.ts';

const LOOK_MS = SECOND_MS;
const LINE_MS = 5 * SECOND_MS;
/** What waits elsewhere in the ring is known a little late: over is what stays so. */
const OVER_LOOKS = 5;
/** A node that was stopped comes back, or others take over its arcs, within this time. */
const SILENCE_MS_MAX = 60 * SECOND_MS;
const REFUSED_SHOWN = 5;

/** What can be said of seeds; all else is how the ring's nodes were started. */
const TAKEN: readonly SettingKey[] = [
  ...(['crawl.input', 'crawl.config', 'limits.limit', 'limits.depth', 'limits.maxTime'] as const),
  ...(['scope.scope', 'ring.ring', 'ring.apiToken', 'output.logFormat', 'output.quiet'] as const),
  ...(['output.json', 'output.verbose', 'output.progress', 'output.color'] as const),
];

export async function crawlByRing(resolution: Resolution, world: World): Promise<number | Refusal> {
  const { settings, explicit } = resolution;
  const others = [...explicit].filter(([key, from]) => from === 'flag' && !TAKEN.includes(key));
  if (others.length > 0) return { mistakes: others.map(([key]) => notHere(key)) };
  const seeds = await seedsOf(resolution, false, world);
  if ('mistakes' in seeds) return seeds;
  if (seeds.length === 0) return { mistakes: [NO_SEEDS] };
  const terminal = openTerminal(world.stderr, { live: false });
  const log = openLogFor(settings, world, terminal);
  const at = settings.ring.ring as string;
  const stopping = new Stopping(world, log, 'Looking no longer.');
  try {
    const remote = world.openRemoteCrawl(at, settings.ring.apiToken);
    return await follow(remote, callOf(seeds, resolution), { settings, world, log, stopping });
  } catch (error) {
    const failure = failureOf(error, `orb crawl --ring ${at}`, settings.output.verbose);
    const { message, ...fields } = failure;
    log.say('error', 'failed', log.isJson ? message : failureLines(failure), fields);
    return failure.exitCode;
  } finally {
    stopping.release();
    terminal.close();
  }
}

function callOf(urls: readonly string[], { settings, explicit }: Resolution): RemoteCall {
  const { limits, scope } = settings;
  return {
    urls,
    ...(explicit.has('limits.depth') && { depth: limits.depth }),
    ...(explicit.has('scope.scope') && { scope: scope.scope }),
    ...(limits.limit > 0 && { pagesMax: limits.limit }),
    ...(limits.maxTimeMs > 0 && { hoursMax: limits.maxTimeMs / (3_600 * SECOND_MS) }),
  };
}

interface Around {
  readonly settings: Settings;
  readonly world: World;
  readonly log: Log;
  readonly stopping: Stopping;
}

async function follow(remote: RemoteCrawl, call: RemoteCall, around: Around): Promise<number> {
  const { world, log, stopping, settings } = around;
  const key = world.newSecret();
  const receipt = await patiently(around, () => remote.begin(call, key));
  if (receipt === 'stopped') return signalCode(stopping);
  sayBegun(receipt, log);
  let job: RemoteJob | undefined;
  let overLooks = 0;
  for (let lineAt = world.clock.now() + LINE_MS; overLooks < OVER_LOOKS; ) {
    const seen = await patiently(around, () => remote.job(receipt.id));
    if (seen === 'stopped') {
      log.say('warn', 'left', `Job ${receipt.id} goes on in the ring; nobody follows it here.`);
      return signalCode(stopping);
    }
    const isOver = seen.state === 'done' || seen.state === 'cancelled';
    overLooks = isOver && isSame(seen, job) ? overLooks + 1 : 0;
    job = seen;
    if (world.clock.now() >= lineAt) {
      lineAt += LINE_MS;
      log.say('info', 'progress', sentence(seen), { ...seen });
    }
    if (overLooks < OVER_LOOKS) await nap(around, LOOK_MS);
  }
  return tellEnd(receipt, job as RemoteJob, settings, world, log);
}

function isSame(one: RemoteJob, other: RemoteJob | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Asks again while nobody answers, for as long as that may pass by itself. */
async function patiently<T>(around: Around, ask: () => Promise<T>): Promise<T | 'stopped'> {
  const { world, log, stopping } = around;
  const until = world.clock.now() + SILENCE_MS_MAX;
  for (let tries = 0; ; tries++) {
    if (stopping.signal !== undefined) return 'stopped';
    try {
      return await Promise.race([ask(), stopping.heard.then(() => 'stopped' as const)]);
    } catch (error) {
      const isDown = error instanceof CrawlError && error.code === 'E_RING_DOWN';
      if (!isDown || world.clock.now() >= until) throw error;
      if (tries === 0) log.say('warn', 'silent', `${error.message} Asking again.`);
      await nap(around, LOOK_MS);
    }
  }
}

async function nap({ world, stopping }: Around, ms: number): Promise<void> {
  const isOver = new AbortController();
  const slept = world.clock.sleepUntil(world.clock.now() + ms, isOver.signal);
  await Promise.race([slept, stopping.heard]);
  isOver.abort();
}

function sayBegun(receipt: RemoteReceipt, log: Log): void {
  const { id, queued, known, refused } = receipt;
  const parts = [`${many(queued, 'URL')} to begin with`];
  if (known > 0) parts.push(`${formatNumber(known)} known before`);
  const head = `Job ${id} of the ring: ${parts.join(', ')}. Ctrl-C stops looking, not the job.`;
  const lines = refused
    .slice(0, REFUSED_SHOWN)
    .map(({ url, reason }) => `Not taken: ${safeText(url, 300)}: ${safeText(reason, 300)}`);
  log.say('info', 'start', log.isJson ? head : [head, ...lines], {
    job: id,
    queued,
    known,
    refused: refused.length,
  });
}

function sentence({ fetched, waiting, failed, bytes }: RemoteJob): string {
  const parts = [`${formatNumber(fetched)} pages`, formatBytes(bytes)];
  return [...parts, `queue ${formatNumber(waiting)}`, `${formatNumber(failed)} failed`].join(' · ');
}

async function tellEnd(
  { id }: RemoteReceipt,
  job: RemoteJob,
  { output }: Settings,
  world: World,
  log: Log,
): Promise<number> {
  const { fetched, failed, skipped, bytes, endedBy } = job;
  const why = endedBy === 'finished' || endedBy === '' ? '' : ` (${endedBy.replace('_', ' ')})`;
  const counted = `${many(fetched, 'page')} (${formatBytes(bytes)}), ${formatNumber(failed)} failed, ${formatNumber(skipped)} skipped`;
  log.say('info', 'end', `Job ${id} is over${why}: ${counted}.`, { job: id, ...job });
  if (output.json) await world.stdout.write(jsonLine({ job: id, ...job }));
  if (job.state === 'cancelled') return exitCode('incomplete');
  return exitCode(fetched > 0 ? 'complete' : 'nothingFetched');
}

function signalCode({ signal }: Stopping): number {
  return exitCode(signal === 'SIGTERM' ? 'terminated' : 'interrupted');
}

const NO_SEEDS: Mistake = {
  code: 'E_SEED',
  message: 'There is nothing to crawl.',
  hint: 'Give a URL: orb crawl https://example.com/ --ring http://HOST:7070/',
};

function notHere(key: SettingKey): Mistake {
  const flag = `--${entryByKey(key)?.flag}`;
  return {
    code: 'E_USAGE',
    message: `${flag} cannot be given with --ring: it is a setting of the ring's nodes.`,
    hint: 'Give it to `orb ring start`, or leave it out here.',
  };
}

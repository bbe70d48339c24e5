/**
 * How fast URLs are leased and settled, on a store of 1 million and one of 20 million known
 * URLs of which half wait (F1, F4, F6).
 *
 *   npm run bench -- frontier [--dir D] [--urls 20000000] [--hosts 200000] [--leases 500000]
 *
 * Give it the folder that `seen --dir D` left; without, it fills one, which takes ten minutes.
 * The small store has the same number of URLs a host, so a twentieth of the hosts. Leases are
 * answered in virtual time (leasing.ts); each settled page is a record of a usual size.
 * Counted after a warm-up in which hosts are read for the first time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openArc, readFilling } from './arc.ts';
import { fillInChild } from './filled.ts';
import { inChild } from './in-child.ts';
import { Leasing, restoreHosts, StillClock } from './leasing.ts';
import { type Emit, mib, rssBytes, type Say, sayFor, watch } from './measure.ts';

const SMALL_URLS = 1_000_000;

interface Task {
  readonly dir: string;
  readonly leases: number;
}

interface Figures {
  readonly hosts: number;
  readonly waiting: number;
  readonly restoreSec: number;
  readonly warmupRate: number;
  readonly rate: number;
  readonly cpuPer1000: number;
  readonly refills: number;
  readonly rss: number;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      dir: { type: 'string' },
      urls: { type: 'string', default: '20000000' },
      hosts: { type: 'string', default: '200000' },
      leases: { type: 'string', default: '500000' },
    },
  });
  const say = sayFor('frontier', emit);
  const temp = await mkdtemp(join(tmpdir(), 'orb-frontier-'));
  try {
    const dir = values.dir ?? join(temp, 'large');
    const asked = { urls: Number(values.urls), hosts: Number(values.hosts) };
    const { urls, hosts } = (await readFilling(dir)) ?? (await fillInChild(dir, asked));
    const smallUrls = Math.min(SMALL_URLS, Math.ceil(urls / 2));
    const smallHosts = Math.max(10, Math.round((hosts * smallUrls) / urls));
    const small = join(temp, 'small');
    await fillInChild(small, { urls: smallUrls, hosts: smallHosts });
    const leases = Number(values.leases);
    const few = Math.min(leases, Math.floor(smallUrls / 5));
    const before = await leaseFrom(small, smallUrls, few, say);
    const after = await leaseFrom(dir, urls, leases, say);
    say('rate_large_over_small', after / before, 'ratio');
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function leaseFrom(dir: string, urls: number, leases: number, say: Say): Promise<number> {
  const task: Task = { dir, leases };
  const end = await inChild<Task, Figures>(task, { module: import.meta.url });
  if (end === undefined) throw new Error('killed');
  const { result, usage } = end;
  const name = (metric: string) => `${metric}_${urls >= 1e6 ? `${urls / 1e6}m` : urls}`;
  say(name('hosts'), result.hosts, 'hosts');
  say(name('waiting'), result.waiting, 'urls');
  say(name('restore'), result.restoreSec, 's');
  say(name('warmup_rate'), result.warmupRate, 'pages/s');
  say(name('lease_settle_rate'), result.rate, 'pages/s');
  say(name('cpu_per_1000_pages'), result.cpuPer1000, 's');
  say(name('pages_per_refill'), leases / result.refills, 'pages');
  say(name('rss'), mib(result.rss), 'MiB');
  say(name('peak_rss'), mib(usage.peakRssBytes), 'MiB');
  return result.rate;
}

/** In a child. */
export async function work({ dir, leases }: Task): Promise<Figures> {
  const clock = new StillClock();
  const arc = await openArc(dir, clock);
  const restoring = watch();
  const hosts = await restoreHosts(arc, clock.now());
  const { wallSec: restoreSec } = restoring();
  const { waiting } = await arc.store.totals();
  const leasing = new Leasing(arc, clock);
  const warmup = Math.min(hosts, Math.floor(waiting / 4));
  const warming = watch();
  await leasing.settle(warmup);
  const warmupRate = leasing.settled / warming().wallSec;
  const before = leasing.settled;
  const refillsBefore = leasing.refilled;
  const measuring = watch();
  if (!(await leasing.settle(leases))) throw new Error(`only ${leasing.settled} URLs to lease`);
  const { wallSec, cpuSec } = measuring();
  const pages = leasing.settled - before;
  const refills = leasing.refilled - refillsBefore;
  const rss = rssBytes();
  await arc.close();
  const rates = { warmupRate, rate: pages / wallSec, cpuPer1000: (cpuSec / pages) * 1_000 };
  return { hosts, waiting, restoreSec, ...rates, refills, rss };
}

/**
 * Rating hosts (Q2) without the reading of pages: PageRank and the count of linking domains over
 * a graph in files, in a process of its own.
 *
 *   npm run bench -- rank [--hosts N] [--links N] [--block N] [--heap MIB]
 *
 * The heap is kept small, so that the peak is what the job needs and not what V8 leaves lying.
 * Every host links to `links` others, popular ones more often; two hosts are of one domain.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FolderRunFiles } from '../src/adapters/folder/run-files.ts';
import { seededRandom } from '../src/base/random.ts';
import { countDomains, RUN_PAIRS } from '../src/crawl/rank-domains.ts';
import { BLOCK_HOSTS, flowRank } from '../src/crawl/rank-flow.ts';
import { GRAPH } from '../src/crawl/rank-graph.ts';
import { RowWriter } from '../src/crawl/rank-rows.ts';
import { HostTally } from '../src/quality/index.ts';
import { blankRecord, hostKeyOf } from '../src/record/index.ts';
import { inChild } from './in-child.ts';
import { type Emit, mib, peakRssBytes, sayFor, watch } from './measure.ts';

interface Task {
  readonly kind: 'make' | 'rate';
  readonly dir: string;
  readonly hosts: number;
  readonly links: number;
  readonly block: number;
}

interface Figures {
  readonly edges: number;
  readonly rounds: number;
  readonly flowSec: number;
  readonly domainsSec: number;
  readonly startRss: number;
  readonly peakRss: number;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      hosts: { type: 'string', default: '200000' },
      links: { type: 'string', default: '10' },
      block: { type: 'string', default: String(BLOCK_HOSTS) },
      heap: { type: 'string', default: '64' },
    },
  });
  const say = sayFor('rank', emit);
  const dir = await mkdtemp(join(tmpdir(), 'orb-rank-'));
  const size = { hosts: Number(values.hosts), links: Number(values.links) };
  const task = { dir, ...size, block: Number(values.block) };
  try {
    await inChild<Task, undefined>({ kind: 'make', ...task }, { module: import.meta.url });
    const rate = { kind: 'rate', ...task } as const;
    const nodeArgs = [`--max-old-space-size=${values.heap}`, '--max-semi-space-size=4'];
    const end = await inChild<Task, Figures>(rate, { module: import.meta.url, nodeArgs });
    if (end === undefined) throw new Error('killed');
    const { edges, rounds, flowSec, domainsSec, startRss, peakRss } = end.result;
    say('hosts', size.hosts, 'hosts');
    say('edges', edges, 'edges');
    say('rounds', rounds, 'rounds');
    say('page_rank', flowSec, 's');
    say('linking_domains', domainsSec, 's');
    say('edges_per_round', (edges * rounds) / flowSec, 'edges/s');
    say('rss_before', mib(startRss), 'MiB');
    say('rss_peak', mib(peakRss), 'MiB');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** In a child. */
export async function work(task: Task): Promise<Figures | undefined> {
  const files = new FolderRunFiles(task.dir);
  if (task.kind === 'make') return void (await make(files, task));
  const startRss = peakRssBytes();
  const flow = watch();
  const { edges, rounds } = await flowRank(files, task.hosts, task.block);
  const flowSec = flow().wallSec;
  const domains = watch();
  await countDomains(files, RUN_PAIRS);
  const domainsSec = domains().wallSec;
  return { edges, rounds, flowSec, domainsSec, startRss, peakRss: peakRssBytes() };
}

async function make(files: FolderRunFiles, { hosts, links }: Task): Promise<void> {
  const random = seededRandom('rank');
  const nameOf = (n: number) => `h${n}.d${n >> 1}.com`;
  const order = Array.from({ length: hosts }, (_, n) => [hostKeyOf(nameOf(n)).toString('hex'), n]);
  order.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  const page = { ...blankRecord('http://h.test/', 1), state: 'indexed' as const };
  const writer = await RowWriter.open(files, GRAPH);
  for (const [, n] of order) {
    const tally = new HostTally(nameOf(n as number));
    const targets = Array.from({ length: links }, () => Math.floor(hosts * random.next() ** 3));
    const edges = targets.map((to) => ({ target: `http://${nameOf(to)}/`, text: '', rel: '' }));
    tally.add(
      page,
      edges.map((edge) => ({ ...edge, kind: 'a' })),
    );
    await writer.add(tally.row(1));
  }
  await writer.done();
}

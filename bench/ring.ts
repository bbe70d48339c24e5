/**
 * What a ring costs: a crawl in a folder, a ring of one node and a ring of three with two copies,
 * in one run on the same test web.
 *
 *   npm run bench -- ring [--pages 5000] [--hosts 200] [--rounds 2] [--concurrency 128]
 *
 * Politeness off, everything on, turn by turn. All nodes are real `orb ring` processes on core 0
 * with no threads, so three share what the crawl in a folder has alone; the web is on core 1.
 *
 *   rate     pages a second, from the seed until the last answer
 *   cpu      of all nodes together for 1,000 pages; ratio: how often that of the folder
 *   per page messages and bytes that the nodes sent each other, of all rounds
 */
import { parseArgs } from 'node:util';
import { type Emit, type Say, sayFor } from './measure.ts';
import { crawlLocal, crawlRing, type RingOptions, type Round } from './ring-work.ts';
import { openTestWeb, type TestWeb } from './test-web.ts';

const WEB_CORE = '1';
const KINDS = ['local', 'one', 'three'] as const;
type Kind = (typeof KINDS)[number];

export async function run(args: string[], emit: Emit): Promise<void> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values: options } = parseArgs({
    args,
    options: {
      ...{ pages: text('5000'), hosts: text('200'), rounds: text('2') },
      concurrency: text('128'),
    },
  });
  const flags = ['--hosts', options.hosts, '--pages', options.pages, '--features', 'plain'];
  const web = await openTestWeb(flags, WEB_CORE);
  try {
    await measure(web, options, sayFor('ring', emit));
  } finally {
    await web.close();
  }
}

async function measure(web: TestWeb, options: RingOptions, say: Say): Promise<void> {
  const rounds: Record<Kind, Round[]> = { local: [], one: [], three: [] };
  for (let nth = 1; nth <= Number(options.rounds); nth++) {
    for (const kind of KINDS) {
      await web.ask('/reset');
      const round = await (kind === 'local'
        ? crawlLocal(web, options)
        : crawlRing(kind === 'one' ? 1 : 3, web, options));
      rounds[kind].push(round);
      say(`${kind}_${nth}_rate`, rateOf([round]), 'pages/s');
      say(`${kind}_${nth}_cpu_per_1000_pages`, cpuOf([round]), 's');
    }
  }
  for (const kind of KINDS) sayKind(kind, rounds, say);
}

function sayKind(kind: Kind, rounds: Record<Kind, Round[]>, say: Say): void {
  const all = rounds[kind];
  say(`${kind}_pages_missing`, sumOf(all, 'missing'), 'pages');
  say(`${kind}_pages_twice`, sumOf(all, 'twice'), 'pages');
  say(`${kind}_rate`, rateOf(all), 'pages/s');
  say(`${kind}_cpu_per_1000_pages`, cpuOf(all), 's');
  if (kind === 'local') return;
  say(`${kind}_rate_ratio`, rateOf(all) / rateOf(rounds.local), 'of local');
  say(`${kind}_cpu_ratio`, cpuOf(all) / cpuOf(rounds.local), 'of local');
  say(`${kind}_messages`, sumOf(all, 'messages') / sumOf(all, 'pages'), 'per page');
  say(`${kind}_bytes`, sumOf(all, 'bytes') / sumOf(all, 'pages'), 'bytes/page');
}

function sumOf(rounds: readonly Round[], name: keyof Round): number {
  return rounds.reduce((sum, round) => sum + round[name], 0);
}

function rateOf(rounds: readonly Round[]): number {
  return sumOf(rounds, 'pages') / sumOf(rounds, 'wallSec');
}

function cpuOf(rounds: readonly Round[]): number {
  return (sumOf(rounds, 'cpuSec') * 1e3) / sumOf(rounds, 'pages');
}

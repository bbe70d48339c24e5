/**
 * `orb rank`: rates the hosts of a folder now, in the crawl that runs there or on the folder
 * itself, and says what came of it.
 */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import type { RankReport, TopHost } from '../../crawl/index.ts';
import { withAnswers } from './folder.ts';
import { jsonLine, many, safeText } from './format.ts';
import { printRows, type RowShape, withOutput } from './rows.ts';
import type { World } from './world.ts';

const HOST_WIDTH = 32;

export async function rankCommand(
  { settings }: Resolution,
  world: World,
): Promise<number | Refusal> {
  const { trustHost: trusted, denySpam: denies } = settings.rank;
  const query = { top: settings.show.top, trusted, denies };
  const report = await withAnswers(settings, world, (answers) => answers.rank(query));
  if (settings.output.format === 'csv') {
    await printRows(each(report.top), TOP_ROW, settings, world);
  } else {
    const text = settings.output.json ? jsonLine(report) : rankText(report);
    await withOutput(settings, world, (output) => output.write(text));
  }
  return exitCode('complete');
}

const TOP_ROW: RowShape<TopHost> = {
  text: topLine,
  json: (host) => host,
  columns: ['host', 'rank', 'authority', 'quality', 'in_domains', 'pages'],
  cells: ({ host, rank, authority, quality, inDomains, pages }) => [
    ...[host, rank, authority, quality, inDomains, pages],
  ],
};

export function rankText(report: RankReport): string {
  const { hosts, edges, pages, renewed, rated, moved, movedHosts, starved, denied } = report;
  const lines = [
    `${many(hosts, 'host')}, ${many(edges, 'link')} between them`,
    `${many(pages, 'page')} of ${many(renewed, 'host')} read: visited since the last time`,
    `${many(rated, 'host')} rated anew, ${many(moved, 'URL')} of ${many(movedHosts, 'host')} moved`,
    ...(starved > 0 ? [`${many(starved, 'host')} starved as spam, ${denied} of them denied`] : []),
  ];
  if (report.top.length === 0) return `${lines.join('\n')}\n`;
  const head = `${'HOST'.padEnd(HOST_WIDTH)}     RANK  AUTHORITY  QUALITY  DOMAINS    PAGES`;
  return `${[...lines, '', head, ...report.top.map(topLine)].join('\n')}\n`;
}

/** Rank is a multiple of the average host's. */
function topLine({ host, rank, authority, quality, inDomains, pages }: TopHost): string {
  return [
    safeText(host, HOST_WIDTH).padEnd(HOST_WIDTH),
    `${rank.toFixed(rank < 10 ? 2 : 0)} ×`.padStart(9),
    authority.toFixed(2).padStart(11),
    quality.toFixed(2).padStart(9),
    String(inDomains).padStart(9),
    String(pages).padStart(9),
  ].join('');
}

async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

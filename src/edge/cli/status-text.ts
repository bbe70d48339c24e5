/** `orb status`: how far a crawl is. */
import type { StatusAnswer } from '../../crawl/answers.ts';
import { formatBytes, formatDuration, formatNumber, many, safeText } from './format.ts';
import { hostFlagNames, hostJson } from './host-json.ts';

const SEEDS_SHOWN = 3;

export function statusText(status: StatusAnswer): string {
  const { totals } = status;
  const n = formatNumber;
  const rows: (readonly [string, string])[] = [
    ['seeds', seedsText(status.seeds)],
    ['known', `${n(totals.known)} URLs on ${n(totals.hosts)} hosts`],
    ['fetched', `${n(totals.fetched)} (${formatBytes(totals.bytes)})`],
    ['waiting', `${n(totals.waiting)} in the queue, ${n(totals.retrying)} to be tried again`],
    ...heldRows(totals),
    ['failed', n(totals.failed)],
    ['skipped', n(totals.skipped)],
    ['asked', `${n(totals.asked)} requests for pages, ${n(totals.askedPublic)} to public hosts`],
    ...judgedRows(status.judged),
    ...renderRows(status.renders),
  ];
  const state = status.isRunning ? 'running' : 'not running';
  const lines = [`${safeText(status.dir)} (${state})`];
  lines.push(...rows.map(([name, text]) => `  ${name.padEnd(9)}${text}`));
  if (status.hosts.length > 0) lines.push('  hosts    (in trouble first, then by pages)');
  lines.push(...status.hosts.map((host) => hostLine(host, status.now)));
  return `${lines.join('\n')}\n`;
}

function heldRows({ shelved }: StatusAnswer['totals']): (readonly [string, string])[] {
  return shelved > 0 ? [['held', `${many(shelved, 'URL')} of paused jobs ('orb jobs')`]] : [];
}

/** Only what there is: most crawls meet no trap. */
function judgedRows(judged: StatusAnswer['judged']): (readonly [string, string])[] {
  const { copies, nearDuplicates, soft404s, trapShapes, due, lagMs } = judged;
  const n = formatNumber;
  const rows: (readonly [string, string])[] = [];
  if (copies + nearDuplicates > 0) {
    rows.push([
      'copies',
      `${n(copies)} of the same bytes, ${many(nearDuplicates, 'near-duplicate')}`,
    ]);
  }
  if (soft404s + judged.soft404Hosts > 0) {
    const hosts = `${many(judged.soft404Hosts, 'host')} answering so`;
    rows.push(['soft 404', `${many(soft404s, 'missing page')} with status 200, ${hosts}`]);
  }
  if (judged.trapHosts > 0) {
    const shapes = `${many(trapShapes, 'kind')} of endless addresses`;
    rows.push([
      'traps',
      `${shapes} on ${many(judged.trapHosts, 'host')} ('orb why URL' tells more)`,
    ]);
  }
  if (judged.farmHosts > 0) {
    rows.push(['farms', `${many(judged.farmHosts, 'host')} mostly repeating other pages`]);
  }
  if (judged.deniedHosts > 0)
    rows.push(['review', `${many(judged.deniedHosts, 'host')} held back`]);
  if (judged.parked > 0) {
    rows.push([
      'parked',
      `${many(judged.parked, 'URL')} over the budget of their domain, asked last`,
    ]);
  }
  if (due > 0)
    rows.push([
      'due',
      `${many(due, 'visit')}${due >= DUE_COUNTED ? ' or more' : ''}${lagText(lagMs)}`,
    ]);
  return rows;
}

function renderRows(renders: StatusAnswer['renders']): (readonly [string, string])[] {
  if (renders === undefined) return [];
  const { waiting, open, rendered, failed } = renders;
  if (waiting + open + rendered + failed === 0) return [];
  const n = formatNumber;
  return [
    [
      'rendered',
      `${n(rendered)} in this run, ${n(waiting + open)} to come, ${n(failed)} kept as sent`,
    ],
  ];
}

const DUE_COUNTED = 1_000;

function lagText(lagMs: number): string {
  return lagMs < 1_000 ? '' : `, the first for ${formatDuration(lagMs)}`;
}

function hostLine(host: StatusAnswer['hosts'][number], now: number): string {
  const parts = [`${formatNumber(host.fetched)} fetched`];
  if (host.failed > 0) parts.push(`${formatNumber(host.failed)} failed`);
  if (host.errors > 0) parts.push(`${formatNumber(host.errors)} errors in a row`);
  if (host.backoff > 1.01) parts.push(`pause × ${host.backoff.toFixed(1)}`);
  if (host.crawlDelayMs > 0) parts.push(`Crawl-delay ${formatDuration(host.crawlDelayMs)}`);
  parts.push(...hostFlagNames(host.flags).map((flag) => flag.replaceAll('_', ' ')));
  if (host.turnAt > now) parts.push(`next in ${formatDuration(host.turnAt - now)}`);
  return `    ${safeText(host.host, 60).padEnd(32)} ${parts.join(', ')}`;
}

function seedsText(seeds: readonly string[]): string {
  const shown = seeds.slice(0, SEEDS_SHOWN).map((seed) => safeText(seed));
  const rest = seeds.length - shown.length;
  return rest > 0 ? `${shown.join(' ')} and ${formatNumber(rest)} more` : shown.join(' ');
}

export function statusJson(status: StatusAnswer): object {
  const hosts = status.hosts.map(hostJson);
  return { ...status, now: new Date(status.now).toISOString(), hosts };
}

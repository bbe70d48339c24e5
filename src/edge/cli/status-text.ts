/** `orb status`: how far a crawl is. */
import type { StatusAnswer } from '../../crawl/answers.ts';
import { formatBytes, formatDuration, formatNumber, safeText } from './format.ts';

const SEEDS_SHOWN = 3;

export function statusText(status: StatusAnswer): string {
  const { totals } = status;
  const n = formatNumber;
  const rows: (readonly [string, string])[] = [
    ['seeds', seedsText(status.seeds)],
    ['known', `${n(totals.known)} URLs on ${n(totals.hosts)} hosts`],
    ['fetched', `${n(totals.fetched)} (${formatBytes(totals.bytes)})`],
    ['waiting', `${n(totals.waiting)} in the queue, ${n(totals.retrying)} to be tried again`],
    ['failed', n(totals.failed)],
    ['skipped', n(totals.skipped)],
    ['asked', `${n(totals.asked)} requests for pages, ${n(totals.askedPublic)} to public hosts`],
  ];
  const state = status.isRunning ? 'running' : 'not running';
  const lines = [`${safeText(status.dir)} (${state})`];
  lines.push(...rows.map(([name, text]) => `  ${name.padEnd(9)}${text}`));
  if (status.hosts.length > 0) lines.push('  hosts    (in trouble first, then by pages)');
  lines.push(...status.hosts.map((host) => hostLine(host, status.now)));
  return `${lines.join('\n')}\n`;
}

function hostLine(host: StatusAnswer['hosts'][number], now: number): string {
  const parts = [`${formatNumber(host.fetched)} fetched`];
  if (host.failed > 0) parts.push(`${formatNumber(host.failed)} failed`);
  if (host.errors > 0) parts.push(`${formatNumber(host.errors)} errors in a row`);
  if (host.backoff > 1.01) parts.push(`pause × ${host.backoff.toFixed(1)}`);
  if (host.crawlDelayMs > 0) parts.push(`Crawl-delay ${formatDuration(host.crawlDelayMs)}`);
  if (host.turnAt > now) parts.push(`next in ${formatDuration(host.turnAt - now)}`);
  return `    ${safeText(host.host, 60).padEnd(32)} ${parts.join(', ')}`;
}

function seedsText(seeds: readonly string[]): string {
  const shown = seeds.slice(0, SEEDS_SHOWN).map((seed) => safeText(seed));
  const rest = seeds.length - shown.length;
  return rest > 0 ? `${shown.join(' ')} and ${formatNumber(rest)} more` : shown.join(' ');
}

export function statusJson(status: StatusAnswer): object {
  return { ...status, now: new Date(status.now).toISOString() };
}

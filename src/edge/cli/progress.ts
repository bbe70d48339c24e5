/**
 * The live view of a crawl: four to six lines, from numbers to text and nothing else.
 *
 *   1,234 of 5,000 pages · 12.5/s · 34.1 MB · 1 m 39 s · about 5 m 01 s left
 *   status  200: 1,190  301: 32  404: 12
 *   errors  dns: 3  whole-timeout: 1
 *   queue 20,114 · hosts 12 ready, 48 waiting for their turn · 10 under way
 *   last    https://example.com/docs/…/intro.html
 *
 * Lines never exceed the width; texts from the web go through `safeText`.
 */
import { formatBytes, formatDuration, formatNumber, formatRate, safeText } from './format.ts';
import { fitMiddle, fitText } from './format-width.ts';

export interface Progress {
  readonly elapsedMs: number;
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly bytes: number;
  readonly queue: number;
  readonly hostsWaiting: number;
  readonly hostsReady: number;
  readonly inFlight: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly limit?: number;
  readonly etaMs?: number;
  /** Until anything may be asked again, when nothing is under way. */
  readonly pauseMs?: number;
  readonly statusMix: Readonly<Record<string, number>>;
  readonly draining: boolean;
  /** The last pages, newest first. */
  readonly recent: readonly string[];
}

type Paint = (style: keyof typeof STYLES, text: string) => string;

const STYLES = { strong: '1', dim: '2', red: '31', green: '32', yellow: '33' } as const;
const WIDTH_MIN = 20;
const RECENT_SHOWN = 2;
const KINDS_SHOWN = 6;
const LABEL_WIDTH = 8;
const KIND_CHARS_MAX = 32;

export function progressLines(p: Progress, width: number, color: boolean): string[] {
  const columns = Math.max(WIDTH_MIN, width);
  const paint: Paint = (style, text) => (color ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text);
  const lines = [headLine(p, paint), queueLine(p, paint)];
  const statuses = countsOf(p.statusMix);
  if (statuses !== '') lines.push(label('status', paint) + statuses);
  const errors = countsOf(p.errors);
  if (errors !== '') lines.push(label('errors', paint) + paint('red', errors));
  for (const [index, page] of p.recent.slice(0, RECENT_SHOWN).entries()) {
    const shown = fitMiddle(safeText(page, 500), columns - LABEL_WIDTH);
    lines.push(label(index === 0 ? 'last' : '', paint) + paint('dim', shown));
  }
  return lines.map((line) => fitText(line, columns));
}

function headLine(p: Progress, paint: Paint): string {
  const bound = p.limit === undefined || p.limit === 0 ? '' : ` of ${formatNumber(p.limit)}`;
  const parts = [
    paint('strong', `${formatNumber(p.pages)}${bound} pages`),
    paint('green', `${formatRate(p.pagesPerSecond)}/s`),
    formatBytes(p.bytes),
    formatDuration(p.elapsedMs),
  ];
  if (p.draining) parts.push(paint('yellow', 'stopping: finishing what is under way'));
  else if (p.pauseMs !== undefined) parts.push(paint('yellow', pauseText(p.pauseMs)));
  else if (p.etaMs !== undefined) parts.push(`about ${formatDuration(p.etaMs)} left`);
  return parts.join(' · ');
}

export function pauseText(pauseMs: number): string {
  return `next request in ${formatDuration(pauseMs)}`;
}

function queueLine(p: Progress, paint: Paint): string {
  const ready = formatNumber(p.hostsReady);
  const waiting = formatNumber(p.hostsWaiting);
  const hosts = `hosts ${ready} ready, ${waiting} waiting for their turn`;
  const queue = `${formatNumber(p.queue)} URLs`;
  return `${label('queue', paint)}${queue} · ${hosts} · ${formatNumber(p.inFlight)} under way`;
}

function label(name: string, paint: Paint): string {
  return paint('dim', name.padEnd(LABEL_WIDTH));
}

/** Largest first; what is beyond the sixth is summed up. */
function countsOf(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  const shown = sorted.slice(0, KINDS_SHOWN);
  const rest = sorted.slice(KINDS_SHOWN).reduce((sum, [, count]) => sum + count, 0);
  const texts = shown.map(
    ([kind, count]) => `${safeText(kind, KIND_CHARS_MAX)}: ${formatNumber(count)}`,
  );
  if (rest > 0) texts.push(`others: ${formatNumber(rest)}`);
  return texts.join('  ');
}

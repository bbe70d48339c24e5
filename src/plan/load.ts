/** The load: how many pages a second, how many bytes with them, how many links to look up. */
import { type Figure, figure } from './figure.ts';
import { type Load, type PlanInputs, SECONDS_PER_DAY } from './inputs.ts';
import { sayBytes, sayCount, sayShare } from './say.ts';

export interface LoadFigures {
  readonly pagesPerSecond: Figure;
  readonly pagesPerSecondPeak: Figure;
  readonly bandwidth: Figure;
  readonly bandwidthPeak: Figure;
  readonly bytesPerDay: Figure;
  readonly checksPerSecond: Figure;
}

export function loadFigures({ load }: PlanInputs): LoadFigures {
  const rate = load.pagesPerDay / SECONDS_PER_DAY;
  const peak = rate * load.peakFactor;
  const bytes = fullShare(load) * load.pageBytes;
  const links = fullShare(load) * load.linksPerPage;
  const pages = `${sayCount(load.pagesPerDay)} pages`;
  const pace = `${sayCount(rate)} pages/s`;
  const peakPace = `${sayCount(peak)} pages/s`;
  const each = `${sayBytes(load.pageBytes)}${fullText(load)}`;
  const eachLinks = `${sayCount(load.linksPerPage)} links${fullText(load)}`;
  const byPeak = `${pace} × ${sayCount(load.peakFactor)}`;
  return {
    pagesPerSecond: figure('pages a second', rate, 'pages/s', `${pages} ÷ 86,400 s`),
    pagesPerSecondPeak: figure('pages a second, peak', peak, 'pages/s', byPeak),
    bandwidth: figure('bandwidth in', rate * bytes, 'bytes/s', `${pace} × ${each}`),
    bandwidthPeak: figure('bandwidth in, peak', peak * bytes, 'bytes/s', `${peakPace} × ${each}`),
    bytesPerDay: figure('fetched a day', load.pagesPerDay * bytes, 'bytes', `${pages} × ${each}`),
    checksPerSecond: figure('links to look up', rate * links, 'URLs/s', `${pace} × ${eachLinks}`),
  };
}

/** Of all fetches: those that bring a body. A return to an unchanged page does not. */
export function fullShare({ recrawlShare, unchangedShare }: Load): number {
  return 1 - recrawlShare * unchangedShare;
}

export function fullText(load: Load): string {
  const full = fullShare(load);
  return full === 1 ? '' : ` × ${sayShare(full)} with a body`;
}

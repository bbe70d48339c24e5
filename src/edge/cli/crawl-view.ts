/**
 * A crawl, watched while it runs: a view that is drawn over itself on a terminal, else a line
 * every ten seconds, as a sentence or as JSON.
 */
import type { Settings } from '../../config/index.ts';
import type { CrawlProgress, CrawlSession } from '../../crawl/session.ts';
import type { Clock } from '../../ports/clock.ts';
import { etaMs, formatBytes, formatDuration, formatNumber, formatRate } from './format.ts';
import type { Log } from './log.ts';
import { Pace } from './pace.ts';
import { type Progress, pauseText, progressLines } from './progress.ts';
import type { Terminal } from './terminal.ts';

const LOOK_MS = 250;
const LINE_MS = 10_000;
/** A shorter silence is usual between two requests to one host. */
const PAUSE_MS_MIN = 5_000;

export interface Watched {
  readonly session: CrawlSession;
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly log: Log;
  readonly clock: Clock;
}

/** Watches until the signal aborts. */
export async function watchCrawl(watched: Watched, signal: AbortSignal): Promise<void> {
  const { session, settings, terminal, log, clock } = watched;
  const pace = new Pace();
  let lineAt = clock.now() + LINE_MS;
  while (!signal.aborted) {
    const now = clock.now();
    const progress = session.progress();
    pace.note(progress.pages, now);
    const view = viewOf(progress, pace.perSecond, settings);
    if (terminal.isLive) terminal.draw(progressLines(view, terminal.width, terminal.color), now);
    else if (now >= lineAt) {
      lineAt += LINE_MS;
      log.say('info', 'progress', sentence(view), fieldsOf(view));
    }
    await clock.sleepUntil(now + (terminal.isLive ? LOOK_MS : LINE_MS / 10), signal);
  }
}

export function viewOf(progress: CrawlProgress, perSecond: number, settings: Settings): Progress {
  const { limit } = settings.limits;
  const eta = etaOf(progress, perSecond, settings);
  const pause = pauseOf(progress);
  return {
    elapsedMs: progress.now - progress.startedAt,
    pages: progress.pages,
    pagesPerSecond: perSecond,
    bytes: progress.bytes,
    queue: progress.totals.waiting + progress.totals.retrying,
    hostsWaiting: progress.hostsWaiting,
    hostsReady: progress.hostsReady,
    inFlight: progress.openVisits,
    errors: progress.failures,
    statusMix: progress.statuses,
    draining: progress.isDraining,
    recent: progress.recent,
    ...(limit > 0 && { limit }),
    ...(eta !== undefined && { etaMs: eta }),
    ...(pause !== undefined && { pauseMs: pause }),
  };
}

/** Nothing can be done before then: a person wonders whether it hangs. */
function pauseOf({ openVisits, isDraining, nextAt = 0, now }: CrawlProgress): number | undefined {
  const pause = nextAt - now;
  return openVisits > 0 || isDraining || pause < PAUSE_MS_MIN ? undefined : pause;
}

/** Known only for a crawl with a bound: by pages at the present pace, or by time. */
function etaOf(p: CrawlProgress, perSecond: number, { limits }: Settings): number | undefined {
  const bounds: number[] = [];
  const byPages = limits.limit > 0 ? etaMs(limits.limit - p.totals.asked, perSecond) : undefined;
  if (byPages !== undefined) bounds.push(byPages);
  if (limits.maxTimeMs > 0) bounds.push(Math.max(0, p.startedAt + limits.maxTimeMs - p.now));
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

function sentence(view: Progress): string {
  const parts = [
    `${formatNumber(view.pages)} pages`,
    `${formatRate(view.pagesPerSecond)}/s`,
    formatBytes(view.bytes),
    formatDuration(view.elapsedMs),
    `queue ${formatNumber(view.queue)}`,
    `${formatNumber(view.inFlight)} under way`,
  ];
  if (view.etaMs !== undefined) parts.push(`about ${formatDuration(view.etaMs)} left`);
  if (view.pauseMs !== undefined) parts.push(pauseText(view.pauseMs));
  return parts.join(' · ');
}

function fieldsOf(view: Progress): Readonly<Record<string, unknown>> {
  const { recent: _recent, ...numbers } = view;
  return numbers;
}

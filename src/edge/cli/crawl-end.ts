/**
 * How a crawl ended: its exit code (L3), a summary for people, and one for programs.
 *
 *   0  everything done, or the person's own limit reached      5  no page could be fetched
 *   6  URLs are left that could not be asked in time           130, 143  stopped; resumable
 */
import { unreachable } from '../../base/assert.ts';
import { exitCode } from '../../config/index.ts';
import type { CrawlProgress, CrawlSummary } from '../../crawl/session.ts';
import { formatBytes, formatDuration, formatNumber, formatRate, safeText } from './format.ts';
import type { CrawlPlan } from './plan.ts';
import { resumeCommand, shellWord } from './resume.ts';
import type { StopSignal } from './world.ts';

export interface CrawlEnd {
  readonly exitCode: number;
  /** One sentence: why it ended. */
  readonly headline: string;
  /** The command that goes on, when there is something to go on with. */
  readonly resume?: string;
  /** What to do before that, when the same command would end the same way. */
  readonly hint?: string;
}

const REASON_MAX = 400;

export function endOf(
  summary: CrawlSummary,
  plan: CrawlPlan,
  signal: StopSignal | undefined,
): CrawlEnd {
  const { end, progress, firstReason = '' } = summary;
  const said = sayEnd(summary, plan, signal);
  const isEmpty = progress.totals.fetched === 0 && end !== 'stopped';
  if (!isEmpty) return said;
  const headline = `Nothing was fetched: ${safeText(firstReason, REASON_MAX) || whyNothing(summary)}`;
  const hint = `See 'orb why URL --dir ${shellWord(plan.dir)}' for the story of a URL.`;
  return { ...said, exitCode: exitCode('nothingFetched'), headline, hint: said.hint ?? hint };
}

function sayEnd(
  { end, progress }: CrawlSummary,
  plan: CrawlPlan,
  signal: StopSignal | undefined,
): CrawlEnd {
  const { limits } = plan.settings;
  const complete = exitCode('complete');
  switch (end) {
    case 'done':
      return { exitCode: complete, headline: 'Done: everything that belongs to the crawl.' };
    case 'pages': {
      const headline = `Stopped at the limit of ${formatNumber(limits.limit)} pages.`;
      const more = { 'limits.limit': String(limits.limit * 2) };
      return { exitCode: complete, headline, resume: resumeCommand(plan, more) };
    }
    case 'bytes': {
      const headline = `Stopped at the limit of ${formatBytes(limits.maxSizeBytes)}.`;
      const more = { 'limits.maxSize': String(limits.maxSizeBytes * 2) };
      return { exitCode: complete, headline, resume: resumeCommand(plan, more) };
    }
    case 'time': {
      const headline = `Stopped after ${formatDuration(limits.maxTimeMs)}, as asked.`;
      return { exitCode: complete, headline, resume: resumeCommand(plan) };
    }
    case 'contact':
      return contactEnd(plan);
    case 'patience':
      return patienceEnd(plan, progress);
    case 'stopped':
      return stoppedEnd(plan, signal);
    default:
      return unreachable(end);
  }
}

function contactEnd(plan: CrawlPlan): CrawlEnd {
  return {
    exitCode: exitCode('incomplete'),
    headline: 'Stopped at 1,000 pages of public hosts: their owners could not reach you (P6).',
    hint: 'Set --contact to a mail address or a URL of yours; it is sent with every request.',
    resume: resumeCommand(plan, { 'agent.contact': 'you@example.com' }),
  };
}

function patienceEnd(plan: CrawlPlan, { nextAt, now }: CrawlProgress): CrawlEnd {
  const wait = nextAt === undefined ? 'later' : `in ${formatDuration(Math.max(0, nextAt - now))}`;
  return {
    exitCode: exitCode('incomplete'),
    headline: `Incomplete: the next URL may be asked ${wait}, longer than --patience.`,
    hint: 'Run the command below then, or give it a longer --patience now.',
    resume: resumeCommand(plan),
  };
}

function stoppedEnd(plan: CrawlPlan, signal: StopSignal | undefined): CrawlEnd {
  const resume = resumeCommand(plan);
  if (signal === undefined) {
    const headline = 'Stopped: nobody reads the output any more.';
    return { exitCode: exitCode('incomplete'), headline, resume };
  }
  const code = exitCode(signal === 'SIGINT' ? 'interrupted' : 'terminated');
  return { exitCode: code, headline: 'Stopped. Nothing is lost.', resume };
}

function whyNothing({ progress }: CrawlSummary): string {
  const { failures, totals } = progress;
  const kinds = Object.entries(failures).filter(([, count]) => count > 0);
  if (kinds.length > 0) return `${countsText(failures)}.`;
  if (totals.skipped > 0) return 'every URL was skipped, by robots.txt or by its address.';
  return totals.failed > 0 ? 'every URL failed.' : 'no URL could be asked.';
}

/** The lines that a person reads at the end. */
export function summaryLines(
  summary: CrawlSummary,
  end: CrawlEnd,
  plan: CrawlPlan,
): readonly string[] {
  const { progress } = summary;
  const { totals } = progress;
  const tookMs = progress.now - progress.startedAt;
  const rate = tookMs > 0 ? (progress.pages / tookMs) * 1_000 : 0;
  const rows: (readonly [string, string])[] = [
    [
      'fetched',
      `${formatNumber(progress.pages)} pages, ${formatBytes(progress.bytes)}` +
        ` in ${formatDuration(tookMs)} (${formatRate(rate)}/s), ${formatNumber(progress.hosts)} hosts`,
    ],
    ['status', countsText(progress.statuses)],
    ['failures', countsText(progress.failures)],
    ['left', leftText(totals.waiting, totals.retrying)],
    ['folder', plan.dir],
    ['look', `orb pages --dir ${shellWord(plan.dir)}`],
    ['do', end.hint ?? ''],
    ['go on', end.resume ?? ''],
  ];
  const lines = rows.filter(([, text]) => text !== '').map(([n, t]) => `  ${n.padEnd(10)}${t}`);
  return [end.headline, ...lines];
}

function leftText(waiting: number, retrying: number): string {
  if (waiting + retrying === 0) return 'nothing';
  const again = retrying === 0 ? '' : `, ${formatNumber(retrying)} to be tried again`;
  return `${formatNumber(waiting)} URLs in the queue${again}`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).filter(([, count]) => count > 0);
  sorted.sort(([, a], [, b]) => b - a);
  return sorted.map(([kind, n]) => `${safeText(kind, 40)}: ${formatNumber(n)}`).join('  ');
}

/** The summary for programs: `--stats-file`, and the last line of a JSON log. */
export function summaryJson(summary: CrawlSummary, end: CrawlEnd, plan: CrawlPlan): object {
  const { progress } = summary;
  const { startedAt, now, nextAt, pages, bytes, statuses, failures, hosts, totals } = progress;
  const seconds = (now - startedAt) / 1_000;
  return {
    end: summary.end,
    exitCode: end.exitCode,
    headline: end.headline,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(now).toISOString(),
    seconds,
    pages,
    bytes,
    pagesPerSecond: seconds > 0 ? pages / seconds : 0,
    hosts,
    statuses,
    failures,
    totals,
    dir: plan.dir,
    ...(nextAt !== undefined && { nextAt: new Date(nextAt).toISOString() }),
    ...(end.hint !== undefined && { hint: end.hint }),
    ...(end.resume !== undefined && { resume: end.resume }),
  };
}

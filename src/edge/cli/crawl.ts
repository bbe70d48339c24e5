/**
 * `orb crawl`: from what was asked to an exit code.
 *
 *   gather.ts, plan.ts      settings, seeds, folder        crawl-view.ts    while it runs
 *   crawl-stop.ts           Ctrl-C, once and twice         crawl-pages.ts   pages on stdout
 *   crawl-end.ts, resume.ts how it ended, how to go on     dry-run.ts       what would be done
 *   crawl-ring.ts           by a ring, elsewhere
 */
import { exitCode, type Refusal, type Resolution } from '../../config/index.ts';
import type { CrawlSession, CrawlSummary } from '../../crawl/session.ts';
import { type CrawlEnd, endOf, summaryJson, summaryLines } from './crawl-end.ts';
import { PageOutput } from './crawl-pages.ts';
import { Stopping } from './crawl-stop.ts';
import { watchCrawl } from './crawl-view.ts';
import { printDryRun } from './dry-run.ts';
import { failureLines, failureOf } from './failure.ts';
import { jsonLine, many } from './format.ts';
import { sayHookNews } from './hook-news.ts';
import { type Log, openLog } from './log.ts';
import { sayNoBrowser } from './no-browser.ts';
import { PAGE_ROW } from './page-row.ts';
import { type CrawlPlan, planCrawl } from './plan.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import type { World } from './world.ts';

export async function crawlCommand(
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  if (resolution.settings.ring.ring !== undefined) {
    return (await import('./crawl-ring.ts')).crawlByRing(resolution, world);
  }
  const plan = await planCrawl(resolution, world);
  if ('mistakes' in plan) return plan;
  if (plan.settings.crawl.dryRun) return printDryRun(plan, world);
  return (await runCrawl(plan, world)).exitCode;
}

export interface CrawlRun {
  readonly exitCode: number;
  /** Undefined when the crawl failed or was left. */
  readonly summary: CrawlSummary | undefined;
}

/** Runs a planned crawl with everything around it. */
export async function runCrawl(plan: CrawlPlan, world: World): Promise<CrawlRun> {
  const { output } = plan.settings;
  const terminal = openTerminal(world.stderr, {
    color: output.color,
    live: isViewWanted(plan, world),
    term: world.env.TERM,
  });
  const json =
    output.logFormat === 'json' || (output.logFormat === 'auto' && world.stderr.isTTY !== true);
  const log = openLog(terminal, world.clock, { json, quiet: output.quiet });
  const stopping = new Stopping(world, log);
  try {
    return await crawlWith(plan, world, { terminal, log, stopping });
  } catch (error) {
    terminal.clear();
    const failure = failureOf(error, `orb crawl, folder ${plan.dir}`, output.verbose);
    const { message, ...fields } = failure;
    log.say('error', 'failed', log.isJson ? message : failureLines(failure), fields);
    return { exitCode: failure.exitCode, summary: undefined };
  } finally {
    stopping.release();
    terminal.close();
  }
}

/** Pages printed on the same terminal would be drawn over. */
function isViewWanted({ settings: { output } }: CrawlPlan, world: World): boolean {
  const printsHere = world.stdout.isTTY && output.format !== 'text' && output.output === undefined;
  const isAsked = output.progress === 'auto' && output.logFormat !== 'json';
  return isAsked && !output.quiet && !printsHere;
}

interface Around {
  readonly terminal: Terminal;
  readonly log: Log;
  readonly stopping: Stopping;
}

async function crawlWith(plan: CrawlPlan, world: World, around: Around): Promise<CrawlRun> {
  const { log, stopping, terminal } = around;
  const { settings, seeds, dir } = plan;
  // Before anything is made, or a file that was there emptied.
  await world.checkPlugins(settings);
  let session: CrawlSession | undefined;
  const pages = await PageOutput.open(settings, world, () => session?.drain());
  try {
    session = await world.openCrawl({
      ...{ settings, seeds, dir },
      ...(plan.again !== undefined && { asMade: true }),
      onPage: (page) => {
        if (settings.output.verbose) sayPage(log, page.record);
        return pages?.add(page);
      },
      onHookNews: sayHookNews(log),
      onNoBrowser: sayNoBrowser(log),
    });
    if (plan.again !== undefined) await session.answers.recrawl(plan.again);
    stopping.attach(session);
    if (pages?.isGone) session.drain();
    sayStart(log, session, plan);
    const summary = await watched(session, plan, world, around);
    if (summary === 'forced') return { exitCode: signalCode(stopping), summary: undefined };
    terminal.clear();
    const end = endOf(summary, plan, stopping.signal);
    await tellEnd(summary, end, plan, world, log);
    return { exitCode: end.exitCode, summary };
  } finally {
    await pages?.close();
  }
}

/** Runs the session under the view; it is closed unless the person would not wait. */
async function watched(
  session: CrawlSession,
  plan: CrawlPlan,
  world: World,
  { terminal, log, stopping }: Around,
): Promise<CrawlSummary | 'forced'> {
  const watching = new AbortController();
  const { settings } = plan;
  const { clock } = world;
  const view = watchCrawl({ session, settings, terminal, log, clock }, watching.signal);
  const run = session.run().finally(() => session.close());
  try {
    return await Promise.race([run, stopping.forced]);
  } finally {
    // A run that was left behind may still fail; there is nobody to tell.
    run.catch(() => undefined);
    watching.abort();
    await view;
  }
}

function sayStart(log: Log, session: CrawlSession, plan: CrawlPlan): void {
  const { rate } = plan.settings.polite;
  const pace =
    rate === Infinity ? 'without a pause' : `${many(rate, 'request')} a second to each host`;
  const what = session.isResumed ? 'Going on with' : 'Crawling into';
  const { dir, seeds } = session;
  const message = `${what} ${dir}: ${many(seeds.length, 'seed')}, ${pace}. Ctrl-C stops, resumable.`;
  log.say('info', 'start', message, { dir, seeds: seeds.length, resumed: session.isResumed });
}

function sayPage(log: Log, record: Parameters<typeof PAGE_ROW.text>[0]): void {
  const fields = log.isJson ? { page: PAGE_ROW.json(record) } : {};
  log.say('info', 'page', log.isJson ? record.state : PAGE_ROW.text(record), fields);
}

async function tellEnd(
  summary: CrawlSummary,
  end: CrawlEnd,
  plan: CrawlPlan,
  world: World,
  log: Log,
): Promise<void> {
  const json = summaryJson(summary, end, plan);
  const message = log.isJson ? end.headline : summaryLines(summary, end, plan);
  const isTrouble = [exitCode('nothingFetched'), exitCode('incomplete')].includes(end.exitCode);
  log.say(isTrouble ? 'warn' : 'info', 'end', message, json as Record<string, unknown>);
  const { statsFile } = plan.settings.output;
  if (statsFile === undefined) return;
  const file = await world.openFile(statsFile);
  await file.write(jsonLine(json)).finally(() => file.close());
}

function signalCode({ signal }: Stopping): number {
  return exitCode(signal === 'SIGTERM' ? 'terminated' : 'interrupted');
}

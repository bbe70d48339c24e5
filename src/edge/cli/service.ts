/**
 * A crawl with an API in front of it, until it is told to stop: what `orb serve` and a node of a
 * ring (ring.ts) do alike.
 *
 *   session ─▶ site (../api/) ─▶ listener ─▶ until a signal ─▶ drain ─▶ close
 *
 * The service goes on answering while what is under way is finished, and also when the crawl
 * ended at a limit: then there is nothing to fetch, but much to ask.
 */
import { CrawlError } from '../../base/errors.ts';
import { ENTRIES, exitCode, type Resolution, type Settings } from '../../config/index.ts';
import type { MeasuredSession } from '../../crawl/metrics.ts';
import type { CrawlRequest, CrawlSummary } from '../../crawl/session.ts';
import type { WebListener } from '../../ports/web-server.ts';
import { Feed } from '../api/feed.ts';
import {
  identityEndpoints,
  makeSite,
  TokenBook,
  type TokenEntry,
  textEndpoint,
} from '../api/index.ts';
import { progressView } from '../api/stats.ts';
import { dashboardEndpoints } from '../dashboard/index.ts';
import { Stopping } from './crawl-stop.ts';
import { failureLines, failureOf } from './failure.ts';
import { sayHookNews } from './hook-news.ts';
import type { Log } from './log.ts';
import { sayNoBrowser } from './no-browser.ts';
import { openLogFor } from './serve-fetch.ts';
import { tokensFile } from './serve-token.ts';
import { openTerminal } from './terminal.ts';
import type { World } from './world.ts';

export interface Serving {
  /** For messages: `orb serve`, and what it works on. */
  readonly command: string;
  readonly where: string;
  readonly dir: string;
  /** What becomes of it at Ctrl-C. */
  readonly atStop: string;
  open(request: CrawlRequest): Promise<MeasuredSession>;
  /** Resolves with the last word when the crawl is over for this node, without a signal. */
  readonly left?: () => Promise<string>;
}

export async function runService(
  service: Serving,
  resolution: Resolution,
  world: World,
): Promise<number> {
  const { settings } = resolution;
  const terminal = openTerminal(world.stderr, { live: false });
  const { verbose } = settings.output;
  const log = openLogFor(settings, world, terminal);
  const stopping = new Stopping(world, log);
  try {
    return await serveIn(service, resolution, world, log, stopping);
  } catch (error) {
    const failure = failureOf(error, `${service.command}, ${service.where}`, verbose);
    const { message, ...fields } = failure;
    log.say('error', 'failed', log.isJson ? message : failureLines(failure), fields);
    return failure.exitCode;
  } finally {
    stopping.release();
    terminal.close();
  }
}

async function serveIn(
  service: Serving,
  resolution: Resolution,
  world: World,
  log: Log,
  stopping: Stopping,
): Promise<number> {
  const { settings } = resolution;
  const tokens = await openTokens(settings, world, log);
  let feed: Feed | undefined;
  const session = await service.open({
    ...{ dir: service.dir, seeds: [], asMade: !asksForAnother(resolution) },
    settings: { ...settings, recrawl: { ...settings.recrawl, keepFresh: true } },
    onPage: (page) => {
      feed?.notePage(page.record);
      return undefined;
    },
    onHookNews: sayHookNews(log),
    onNoBrowser: sayNoBrowser(log),
    onNews: ({ event, isBad, text }) => log.say(isBad ? 'warn' : 'info', event, text),
  });
  feed = new Feed(world.clock, () => progressView(session.progress()));
  const listener = await listen(session, feed, tokens.entries, settings, world, log).catch(
    async (error: unknown) => {
      await session.close();
      throw error;
    },
  );
  stopping.attach(session);
  sayWhere(log, listener, session.dir, settings, service.atStop);
  void tokens.follow();
  const open = { session, listener, feed, ...(service.left && { left: service.left() }) };
  return untilStopped(open, log, stopping).finally(() => tokens.close());
}

/** A crawl's own settings stay as they are, unless somebody asks for others: then it is refused. */
function asksForAnother({ explicit }: Resolution): boolean {
  return ENTRIES.some(({ key, setting }) => setting.identity === true && explicit.has(key));
}

async function openTokens(settings: Settings, world: World, log: Log): Promise<TokenBook> {
  const path = tokensFile(settings);
  const { clock } = world;
  const read = () => world.secretFiles.read(path);
  const onProblem = (error: unknown) => {
    const { message } = failureOf(error, 'orb serve', false);
    log.say('warn', 'tokens', `${message} The tokens stay as they were.`, { path });
  };
  const tokens = await TokenBook.open({ path, read, clock, onProblem });
  if (tokens.entries.length > 0 || isLoopback(settings.serve.bind)) return tokens;
  throw new CrawlError(
    'E_CONFIG',
    `At ${settings.serve.bind} everybody who reaches this machine could use the service, and there is no token.`,
    'Make one with `orb serve token add NAME --role operate`, or leave --bind out.',
  );
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

async function listen(
  session: MeasuredSession,
  feed: Feed,
  tokens: readonly TokenEntry[],
  settings: Settings,
  world: World,
  log: Log,
): Promise<WebListener> {
  const { clock, version } = world;
  const { serve, output, agent } = settings;
  const key = agent.signKey === undefined ? undefined : await world.keyFiles.read(agent.signKey);
  const more = [
    ...[metricsEndpoint(session, version), ...identityEndpoints(settings, key, clock)],
    ...(hasApi(settings) ? dashboardEndpoints() : []),
  ];
  const site = makeSite({
    ...{ session, feed, clock, version, tokens, more, isBare: !hasApi(settings) },
    names: serve.serverName,
    isOpen: isLoopback(serve.bind),
    requestsPerSecond: serve.apiRate,
    onBug: (error) => {
      const failure = failureOf(error, 'orb serve', output.verbose);
      log.say('error', 'api', failureLines(failure), { code: failure.code });
    },
  });
  return world.listen(site, { bind: serve.bind, port: serve.port });
}

/** For Prometheus: docs/metrics.md. */
function metricsEndpoint({ metrics, answers }: MeasuredSession, version: string) {
  const text = async () => {
    const { complaints } = await answers.compliance();
    return metrics.text({ complaints, version });
  };
  return textEndpoint('/metrics', 'Figures for Prometheus', metrics.contentType, text, 'read');
}

/** A node of a cluster may leave the API to others (K3). */
function hasApi({ cluster }: Settings): boolean {
  return cluster.roles.includes('api');
}

function sayWhere(
  log: Log,
  listener: WebListener,
  dir: string,
  settings: Settings,
  atStop: string,
): void {
  const { address, port } = listener;
  const at = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
  const what = hasApi(settings) ? `the dashboard; ${at}docs/ is its API` : `${at}healthz, no API`;
  const message = `Serving ${dir} at ${at} (${what}). ${atStop}`;
  log.say('info', 'listening', message, { url: at, dir, port });
}

interface OpenService {
  readonly session: MeasuredSession;
  readonly listener: WebListener;
  readonly feed: Feed;
  readonly left?: Promise<string>;
}

async function untilStopped(open: OpenService, log: Log, stopping: Stopping): Promise<number> {
  const { session, listener, feed, left } = open;
  const run = session.run();
  try {
    const goodBye = left?.then((text) => ({ text }));
    const ended = await Promise.race([run, stopping.forced, ...(goodBye ? [goodBye] : [])]);
    if (ended !== 'forced' && 'text' in ended) {
      log.say('info', 'left', ended.text);
      return exitCode('complete');
    }
    if (ended !== 'forced' && stopping.signal === undefined) {
      sayEnd(log, ended);
      await stopping.heard;
    }
    return exitCode(stopping.signal === 'SIGTERM' ? 'terminated' : 'interrupted');
  } finally {
    // A run that was left behind may still fail; there is nobody to tell.
    run.catch(() => undefined);
    feed.close();
    await listener.close();
    await Promise.race([session.close(), stopping.forced]);
  }
}

function sayEnd(log: Log, { end, progress }: CrawlSummary): void {
  const pages = `${progress.totals.fetched} pages are stored`;
  const message = `The crawl ended (${end}); ${pages}, and the service goes on answering.`;
  log.say('warn', 'ended', message, { end });
}

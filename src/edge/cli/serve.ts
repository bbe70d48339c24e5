/**
 * `orb serve`: a crawl that never ends, with an API in front of it.
 *
 *   folder ─▶ session ─▶ site (../api/) ─▶ listener ─▶ until a signal ─▶ drain ─▶ close
 *
 *   serve-token.ts   orb serve token add NAME
 *   serve-fetch.ts   orb serve --roles fetch: requests for other nodes, and nothing else
 *
 * The service goes on answering while what is under way is finished, and also when the crawl
 * ended at a limit: then there is nothing to fetch, but much to ask.
 *
 * Where the engines of a cluster are configured, there is no folder: it is one node of many.
 */
import { CrawlError } from '../../base/errors.ts';
import {
  ENTRIES,
  exitCode,
  isClustered,
  isFetcher,
  type Refusal,
  type Resolution,
  type Settings,
} from '../../config/index.ts';
import type { MeasuredSession } from '../../crawl/metrics.ts';
import type { CrawlSession, CrawlSummary } from '../../crawl/session.ts';
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
import { fetchCommand, openLogFor } from './serve-fetch.ts';
import { tokenCommand, tokensFile } from './serve-token.ts';
import { openTerminal } from './terminal.ts';
import type { World } from './world.ts';

const HOME = '.orb/serve';

export async function serveCommand(
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  if (resolution.seeds.length > 0) return tokenCommand(resolution, world);
  const { settings } = resolution;
  if (isFetcher(settings)) return fetchCommand(settings, world);
  const dir = settings.crawl.dir ?? HOME;
  const terminal = openTerminal(world.stderr, { live: false });
  const { verbose } = settings.output;
  const log = openLogFor(settings, world, terminal);
  const stopping = new Stopping(world, log);
  try {
    return await serveIn(dir, resolution, world, log, stopping);
  } catch (error) {
    const where = isClustered(settings) ? `cluster ${settings.cluster.name}` : `folder ${dir}`;
    const failure = failureOf(error, `orb serve, ${where}`, verbose);
    const { message, ...fields } = failure;
    log.say('error', 'failed', log.isJson ? message : failureLines(failure), fields);
    return failure.exitCode;
  } finally {
    stopping.release();
    terminal.close();
  }
}

async function serveIn(
  dir: string,
  resolution: Resolution,
  world: World,
  log: Log,
  stopping: Stopping,
): Promise<number> {
  const { settings } = resolution;
  const tokens = await openTokens(settings, world, log);
  let feed: Feed | undefined;
  const isNode = isClustered(settings);
  const session = await (isNode ? world.joinCluster : world.openCrawl)({
    ...{ dir, seeds: [], asMade: !asksForAnother(resolution) },
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
  sayWhere(log, listener, session.dir, settings);
  void tokens.follow();
  return untilStopped(session, listener, feed, log, stopping).finally(() => tokens.close());
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

function isLoopback(address: string): boolean {
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

function sayWhere(log: Log, listener: WebListener, dir: string, settings: Settings): void {
  const { address, port } = listener;
  const at = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
  const what = hasApi(settings) ? `the dashboard; ${at}docs/ is its API` : `${at}healthz, no API`;
  const message = `Serving ${dir} at ${at} (${what}). Ctrl-C stops, resumable.`;
  log.say('info', 'listening', message, { url: at, dir, port });
}

async function untilStopped(
  session: CrawlSession,
  listener: WebListener,
  feed: Feed,
  log: Log,
  stopping: Stopping,
): Promise<number> {
  const run = session.run();
  try {
    const summary = await Promise.race([run, stopping.forced]);
    if (summary !== 'forced' && stopping.signal === undefined) {
      sayEnd(log, summary);
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

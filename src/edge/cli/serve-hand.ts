/**
 * `orb serve --roles parse`, or `render`: works for other nodes and nothing else (K3). It has no folder;
 * whatever happens to it, what it had leased is done by another (K5). It listens only where
 * somebody says so, and then answers about its health and its metrics alone: one beside a
 * node on one machine must not want the node's port.
 */
import { exitCode, type Resolution } from '../../config/index.ts';
import type { HandSession } from '../../crawl/hand.ts';
import type { WebListener } from '../../ports/web-server.ts';
import { healthEndpoints, siteOf, TokenBook, textEndpoint } from '../api/index.ts';
import type { Stopping } from './crawl-stop.ts';
import { failureLines, failureOf } from './failure.ts';
import type { Log } from './log.ts';
import { asWorker, lenderNews } from './serve-fetch.ts';
import { tokensFile } from './serve-token.ts';
import { isLoopback } from './service.ts';
import type { World } from './world.ts';

export type HandRole = 'parse' | 'render';

const WORDS = {
  parse: { does: 'Reading', done: 'read' },
  render: { does: 'Rendering', done: 'rendered' },
} as const;

export async function handCommand(
  role: HandRole,
  resolution: Resolution,
  world: World,
): Promise<number> {
  const { settings } = resolution;
  return asWorker(`orb serve --roles ${role}`, settings, world, async (log, stopping) => {
    const session = await world.openHand(role, settings, lenderNews(log));
    stopping.attach(session);
    const listener = await listen(session, resolution, world, log);
    return untilStopped(role, session, listener, log, stopping);
  });
}

async function untilStopped(
  role: HandRole,
  session: HandSession,
  listener: WebListener | undefined,
  log: Log,
  stopping: Stopping,
): Promise<number> {
  const { lenders, counts } = session;
  const { does, done } = WORDS[role];
  const where = listener && `Health and metrics are at port ${listener.port}. `;
  const message = `${does} pages of ${lenders.join(', ')}. ${where ?? ''}Ctrl-C stops; nothing is lost.`;
  log.say('info', 'working', message, { role, lenders, ...(listener && { port: listener.port }) });
  await Promise.race([session.run(), stopping.forced]);
  await listener?.close();
  await Promise.race([session.close(), stopping.forced]);
  const { taken, lost, returned, refused, failed } = counts;
  const rest = `${lost} came too late, ${returned} were given back`;
  log.say('info', 'ended', `${taken} pages were ${done} and taken; ${rest}.`, {
    ...{ taken, lost, returned, refused, failed },
  });
  return exitCode(stopping.signal === 'SIGTERM' ? 'terminated' : 'interrupted');
}

async function listen(
  session: HandSession,
  { settings, explicit }: Resolution,
  world: World,
  log: Log,
): Promise<WebListener | undefined> {
  if (!explicit.has('serve.port') && !explicit.has('serve.bind')) return undefined;
  const { bind, port, serverName: names, apiRate: requestsPerSecond } = settings.serve;
  const { clock, version } = world;
  const path = tokensFile(settings);
  const read = () => world.secretFiles.read(path);
  const tokens = await TokenBook.open({ path, read, clock, onProblem: () => undefined });
  const { contentType, text } = session.metrics;
  const figures = textEndpoint(
    ...(['/metrics', 'Figures for Prometheus', contentType] as const),
    () => text(version),
    'read',
  );
  const site = siteOf([...healthEndpoints(session), figures], {
    ...{ clock, names, tokens: tokens.entries, isOpen: isLoopback(bind), requestsPerSecond },
    onBug: (error) => log.say('error', 'api', failureLines(failureOf(error, 'orb serve', false))),
  });
  const listener = await world.listen(site, { bind, port });
  void tokens.follow();
  const close = () => {
    tokens.close();
    return listener.close();
  };
  return { ...listener, close };
}

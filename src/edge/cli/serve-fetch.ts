/**
 * `orb serve --roles fetch`: makes requests for other nodes, and nothing else (K3, A2). It has
 * no folder and listens nowhere; whatever happens to it, what it had leased goes back (K5).
 */
import { exitCode, type Settings } from '../../config/index.ts';
import type { FetcherSession } from '../../crawl/fetcher.ts';
import { Stopping } from './crawl-stop.ts';
import { failureLines, failureOf } from './failure.ts';
import { type Log, openLog } from './log.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import type { World } from './world.ts';

export async function fetchCommand(settings: Settings, world: World): Promise<number> {
  return asWorker('orb serve --roles fetch', settings, world, async (log, stopping) => {
    const session = await world.openFetcher(settings, lenderNews(log));
    stopping.attach(session);
    return untilStopped(session, log, stopping);
  });
}

/** A lender is away, or back. */
export function lenderNews(log: Log) {
  return {
    onTrouble: ({ name }: { readonly name: string }, error: unknown) => {
      const { message } = error as Error;
      log.say('warn', 'frontier', `${name} does not lend now: ${message}`, { name });
    },
    onRecovered: ({ name }: { readonly name: string }) =>
      log.say('info', 'frontier', `${name} lends again.`, { name }),
  };
}

/** A process that works for others, and says how it ended. */
export async function asWorker(
  command: string,
  settings: Settings,
  world: World,
  work: (log: Log, stopping: Stopping) => Promise<number>,
): Promise<number> {
  const terminal = openTerminal(world.stderr, { live: false });
  const log = openLogFor(settings, world, terminal);
  const stopping = new Stopping(world, log);
  try {
    return await work(log, stopping);
  } catch (error) {
    const failure = failureOf(error, command, settings.output.verbose);
    const { message, ...fields } = failure;
    log.say('error', 'failed', log.isJson ? message : failureLines(failure), fields);
    return failure.exitCode;
  } finally {
    stopping.release();
    terminal.close();
  }
}

async function untilStopped(
  session: FetcherSession,
  log: Log,
  stopping: Stopping,
): Promise<number> {
  const { lenders, region } = session;
  const from = region === undefined ? '' : `, from the region ${region}`;
  const message = `Fetching for ${lenders.join(', ')}${from}. Ctrl-C stops; nothing is lost.`;
  log.say('info', 'fetching', message, { lenders, ...(region !== undefined && { region }) });
  await Promise.race([session.run(), stopping.forced]);
  await Promise.race([session.close(), stopping.forced]);
  const { settled, lost } = session.progress();
  log.say('info', 'ended', `${settled} requests were made and taken; ${lost} came too late.`);
  return exitCode(stopping.signal === 'SIGTERM' ? 'terminated' : 'interrupted');
}

export function openLogFor({ output }: Settings, world: World, terminal: Terminal): Log {
  const { logFormat, quiet } = output;
  const json = logFormat === 'json' || (logFormat === 'auto' && world.stderr.isTTY !== true);
  return openLog(terminal, world.clock, { json, quiet });
}

/** Questions about one host: what its robots.txt says to a path and where, and what waits there. */
import { rulesOf } from '../frontier/index.ts';
import type { WaitingPlace } from '../ports/shard-store.ts';
import { type HostKey, hostKeyOf, type RobotsRecord, type Waiting } from '../record/index.ts';
import { linesFor, type RobotsVerdict, type SpokenTo } from '../robots/index.ts';
import type { AnswerSources } from './ask-sources.ts';

/** What the robots.txt of one origin says to a path. */
export interface RobotsAnswer extends SpokenTo, RobotsVerdict {
  readonly origin: string;
  readonly status: number;
  /** From its Crawl-delay. */
  readonly delayMs: number | undefined;
}

export async function robotsOf(
  { store, politeness }: Pick<AnswerSources, 'store' | 'politeness'>,
  host: string,
  path: string,
): Promise<readonly RobotsAnswer[] | undefined> {
  const stored = await store.host(hostKeyOf(host));
  if (stored === undefined || stored.record.host !== host) return undefined;
  return stored.robots.map((robots) => decided(robots, politeness.agent, path));
}

const SILENT: SpokenTo = { token: undefined, agentLines: [], delayLine: undefined };

/** What is no file of rules (an error, a page that is missing) has no lines that decide. */
function decided(robots: RobotsRecord, agent: string, path: string): RobotsAnswer {
  const { origin, status, body } = robots;
  const rules = rulesOf(robots);
  const isFile = status >= 200 && status < 300;
  const spoken = isFile ? linesFor(body, agent) : SILENT;
  const verdict = rules.isAllowed(agent, `${origin}${path}`);
  return { origin, status, ...spoken, ...verdict, delayMs: rules.crawlDelayMs(agent) };
}

export interface Queue {
  readonly rows: readonly Waiting[];
  readonly next: WaitingPlace | undefined;
}

/** In the order in which they will be asked, as far as robots.txt and budgets let them. */
export async function queueOf(
  { store }: Pick<AnswerSources, 'store'>,
  host: HostKey,
  after: WaitingPlace | undefined,
  limit: number,
): Promise<Queue> {
  const found = await store.waiting(host, after, limit + 1);
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1) : undefined };
}

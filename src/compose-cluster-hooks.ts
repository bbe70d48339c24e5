/**
 * Webhooks of a node of a cluster, put together (A5): a part of the composition root. Nothing is
 * finished when the node ends: whoever has its arcs next goes on where it was.
 */
import { KafkaHookLog } from './adapters/kafka/index.ts';
import { systemClock, systemRandom } from './adapters/node/index.ts';
import { nodePoster } from './adapters/node/poster.ts';
import { assert } from './base/assert.ts';
import type { Rules } from './comply/index.ts';
import type { ClusterEngines } from './compose-cluster-engines.ts';
import { placesFrom } from './compose-cluster-places.ts';
import type { Settings } from './config/index.ts';
import { logLessErased } from './crawl/erased-links.ts';
import type { CrawlNode, CrawlRequest } from './crawl/index.ts';
import { runClusterHook } from './crawl/webhooks-cluster.ts';
import type { Resolver } from './ports/resolver.ts';

export interface ClusterHookParts {
  readonly settings: Settings;
  readonly engines: ClusterEngines;
  readonly node: CrawlNode;
  readonly denials: Rules;
  readonly resolver: Resolver;
  readonly onNews: CrawlRequest['onHookNews'];
}

export async function startClusterHooks(
  parts: ClusterHookParts,
): Promise<{ stop(): Promise<void> }> {
  const { settings, engines, node, denials, resolver, onNews } = parts;
  const { webhook: urls, webhookSecret: secret = '' } = settings.hooks;
  const { userAgent } = settings.agent;
  const { arcs } = node;
  assert(arcs !== undefined, 'a node of a cluster has arcs');
  if (urls.length === 0) return { stop: async () => undefined };
  const log = await KafkaHookLog.open(placesFrom(settings).broker, engines.events);
  const logOf = (ours: ReadonlySet<number>) => {
    const { events, bookmarks } = log.of(ours);
    return { events: logLessErased(events, denials), bookmarks };
  };
  const around = { clock: systemClock(), random: systemRandom(), poster: nodePoster(resolver) };
  const stopped = new AbortController();
  const { signal } = stopped;
  const running = urls.map((url) => {
    const hook = { url, secret, userAgent };
    return runClusterHook(hook, { ...around, arcs, logOf }, (news) => onNews?.(url, news), signal);
  });
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(running);
      await log.close();
    },
  };
}

/**
 * `orb serve`: a crawl that never ends, with an API in front of it (service.ts).
 *
 *   serve-token.ts   orb serve token add NAME
 *   serve-fetch.ts   orb serve --roles fetch: requests for other nodes, and nothing else
 *   serve-hand.ts    orb serve --roles parse, or render: reads or renders pages for them
 *
 * Where the engines of a cluster are configured, there is no folder: it is one node of many.
 */
import {
  handRoleOf,
  isClustered,
  isFetcher,
  type Refusal,
  type Resolution,
} from '../../config/index.ts';
import { fetchCommand } from './serve-fetch.ts';
import { handCommand } from './serve-hand.ts';
import { tokenCommand } from './serve-token.ts';
import { runService } from './service.ts';
import type { World } from './world.ts';

const HOME = '.orb/serve';

export async function serveCommand(
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  if (resolution.seeds.length > 0) return tokenCommand(resolution, world);
  const { settings } = resolution;
  if (isFetcher(settings)) return fetchCommand(settings, world);
  const role = handRoleOf(settings);
  if (role !== undefined) return handCommand(role, resolution, world);
  const dir = settings.crawl.dir ?? HOME;
  const isNode = isClustered(settings);
  const service = {
    command: 'orb serve',
    where: isNode ? `cluster ${settings.cluster.name}` : `folder ${dir}`,
    dir,
    atStop: 'Ctrl-C stops, resumable.',
    open: isNode ? world.joinCluster : world.openCrawl,
  };
  return runService(service, resolution, world);
}

/**
 * Who is near which hosts, for a node that owns some (K4): its settings, and the geo-IP table, read
 * from its file before anything else is opened, so that one that is broken is said first. A part of
 * the composition root.
 */
import { readGeoFile } from './adapters/node/geo-file.ts';
import type { Settings } from './config/index.ts';
import type { NodeNearness } from './crawl/node.ts';
import * as plan from './crawl/plan.ts';

export async function openNearness(settings: Settings): Promise<NodeNearness> {
  const { geoIp } = settings.nearness;
  return plan.nearnessFrom(settings, geoIp === undefined ? undefined : await readGeoFile(geoIp));
}

/**
 * Who is near which hosts (K4). Where a node is, is said by `store.region`, which also tags what it
 * stores; the rest is for nodes that own hosts, and lend requests to fetchers.
 */
import { list } from '../kind.ts';
import { duration, text } from '../kinds-plain.ts';
import { hostRegion, regionTag } from '../kinds-region.ts';
import { optional, setting } from '../setting.ts';

export const nearness = {
  fetchRegion: optional(regionTag(), {
    help: 'Region that this node fetches from; hosts there are asked from here first.',
    example: 'eu',
    defaultText: '--region',
    aliases: ['node-region', 'fetcher-region'],
  }),
  hostRegion: setting(list(hostRegion()), [], {
    help: 'Region of this host and all under it, whatever tables say; repeatable.',
    example: 'example.com=na',
    aliases: ['region-of', 'domain-region'],
  }),
  geoIp: optional(text('FILE', 'a file'), {
    help: 'Table of regions by address: lines of network,region such as 192.0.2.0/24,eu.',
    example: 'regions.csv',
    aliases: ['geoip', 'geo-ip-file', 'geo-ip-table'],
  }),
  takeOverAfter: setting(duration({ max: 3_600_000 }), 10_000, {
    help: 'How long a host whose turn has come waits for a fetcher of its region.',
    example: '30s',
    aliases: ['region-patience', 'region-fallback'],
  }),
};

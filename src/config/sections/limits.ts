/** Where a crawl ends (F7). 0 means no limit wherever a limit can be left out. */
import { duration, integer, size } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

export const limits = {
  limit: setting(integer({ min: 0 }), 0, {
    short: 'l',
    help: 'Pages to fetch in all, exactly; 0 is no limit.',
    example: '1000',
    aliases: ['max-pages', 'pages', 'max-requests', 'max-results'],
  }),
  depth: setting(integer({ min: 0, max: 10_000 }), 20, {
    short: 'd',
    help: 'Links to follow away from a seed; 0 fetches the seeds only.',
    example: '3',
    identity: true,
    aliases: ['max-depth', 'level', 'max-crawl-depth'],
  }),
  maxPagesPerHost: setting(integer({ min: 0 }), 0, {
    help: 'Pages to fetch from one host; 0 is no limit.',
    example: '500',
    aliases: ['host-limit', 'pages-per-host'],
  }),
  maxTime: setting(duration({ min: 0 }), 0, {
    help: 'Time after which the crawl stops, resumable; 0 is no limit.',
    example: '2h',
    aliases: ['time-limit', 'max-duration', 'crawl-duration'],
  }),
  maxSize: setting(size({ min: 0 }), 0, {
    help: 'Bytes received in all after which the crawl stops, resumable; 0 is no limit.',
    example: '2gb',
    aliases: ['quota', 'size-limit', 'max-bytes'],
  }),
  pathDepth: setting(integer({ min: 1, max: 1_000 }), 30, {
    help: 'Segments that the path of a URL may have.',
    example: '12',
    identity: true,
    aliases: ['max-path-depth'],
  }),
  patience: setting(duration({ min: 0 }), 300_000, {
    help: 'Wait for the next URL that may be asked, before the crawl ends incomplete.',
    example: '30m',
  }),
};

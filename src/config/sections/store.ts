/** What the crawl folder keeps, and how surely (S2, B1). */
import { share } from '../kinds-amount.ts';
import { boolean, choice, duration, integer, size } from '../kinds-plain.ts';
import { regionTag } from '../kinds-region.ts';
import { optional, setting } from '../setting.ts';

export const store = {
  sync: setting(choice('timer', 'always'), 'timer', {
    help: 'Force writes to the disk on a timer (survives kill -9) or always (power loss too).',
    example: 'always',
    aliases: ['fsync'],
  }),
  expectedUrls: setting(integer({ min: 1_000, max: 100_000_000_000 }), 10_000_000, {
    help: 'URLs that the first filter of known URLs is made for; more open further filters.',
    example: '100_000_000',
  }),
  falsePositive: setting(share({ min: 0.0001, max: 0.01 }), 0.001, {
    help: 'Share of new URLs that the filter takes for known, which costs a lookup.',
    example: '0.0001',
    aliases: ['false-positive-rate', 'bloom-error'],
  }),
  compression: setting(choice('auto', 'zstd', 'gzip', 'none'), 'auto', {
    help: 'How bodies are stored; auto is zstd where this Node has it, else gzip.',
    example: 'gzip',
    aliases: ['compress'],
  }),
  compressionLevel: setting(integer({ min: 1, max: 19 }), 1, {
    help: 'Effort of the compression: 1 to 9 for gzip, 1 to 19 for zstd.',
    example: '3',
  }),
  keepBodiesFor: setting(duration(), 0, {
    help: 'Let go of the bodies of pages that were last fetched longer ago; 0 is never.',
    example: '90d',
    aliases: ['body-retention'],
  }),
  keepHeadersFor: setting(duration(), 0, {
    help: 'Let go of headers and links of pages last fetched longer ago; 0 is never.',
    example: '90d',
    aliases: ['header-retention'],
  }),
  keepEventsFor: setting(duration(), 0, {
    help: 'Let older events forget which page they are about; 0 is never.',
    example: '30d',
    aliases: ['event-retention'],
  }),
  warc: setting(boolean(), false, {
    help: 'Write what servers answer into WARC files in the crawl folder, as the crawl goes.',
    example: 'true',
    aliases: ['warc-file', 'write-warc'],
  }),
  warcFileMax: setting(size({ min: 1_000_000 }), 1_000_000_000, {
    help: 'Size at which a WARC file is closed and the next one begun.',
    example: '500MB',
    aliases: ['warc-max-size', 'rollover-size'],
  }),
  region: optional(regionTag(), {
    help: 'Where this node is: the tag of bodies it stores, and whose hosts it asks first.',
    example: 'eu',
    defaultText: 'none',
    aliases: ['storage-region', 'data-region'],
  }),
  keepBodies: setting(boolean(), true, {
    help: 'Store the bodies of pages; without it records and links only.',
    example: 'false',
    aliases: ['store-bodies', 'spider', 'delete-after'],
  }),
};

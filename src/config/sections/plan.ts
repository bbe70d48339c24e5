/** What `orb plan` starts from (O3): the load, and what is kept of it. */
import { DEFAULT_INPUTS } from '../../plan/inputs.ts';
import { PRESET_NAMES } from '../../plan/presets.ts';
import { amount, count, share } from '../kinds-amount.ts';
import { choice, duration, number } from '../kinds-plain.ts';
import { optional, setting } from '../setting.ts';

const { load, keep } = DEFAULT_INPUTS;
const DAY_MS = 86_400_000;

export const plan = {
  preset: optional(
    { ...choice(...PRESET_NAMES), form: 'NAME' },
    {
      help: `A quoted estimate: ${PRESET_NAMES.join(', ')}.`,
      example: 'billion-a-day',
    },
  ),
  pagesPerDay: setting(count({ min: 1, max: 1e13 }), load.pagesPerDay, {
    help: 'Fetches a day, first visits and returns together.',
    example: '1e9',
  }),
  pageSize: setting(amount({ min: 1, max: 1e9 }), load.pageBytes, {
    help: 'One page as it crosses the network.',
    example: '100KB',
    aliases: ['page-bytes', 'avg-page-size'],
  }),
  peakFactor: setting(number({ min: 1, max: 1_000 }), load.peakFactor, {
    help: 'The busiest second, as a multiple of the average.',
    example: '3',
  }),
  recrawlShare: setting(share(), load.recrawlShare, {
    help: 'Of the fetches: returns to pages that are known.',
    example: '30%',
  }),
  unchangedShare: setting(share(), load.unchangedShare, {
    help: 'Of the returns: unchanged, so that no body comes and none is stored.',
    example: '70%',
  }),
  linksPerPage: setting(count({ min: 0, max: 100_000 }), load.linksPerPage, {
    help: 'Links on a page, each of which is looked up among the known URLs.',
    example: '50',
  }),
  compressionRatio: setting(number({ min: 1, max: 100 }), keep.compressionRatio, {
    help: 'Bytes fetched for one byte stored.',
    example: '4',
  }),
  duplicateShare: setting(share(), keep.duplicateShare, {
    help: 'Of the bodies: stored already under another URL, so not stored again.',
    example: '30%',
  }),
  retention: setting(duration({ min: 1, max: 36_525 * DAY_MS }), keep.retentionMs, {
    help: 'How long bodies are kept.',
    example: '30d',
  }),
  replication: setting(number({ min: 1, max: 20 }), keep.copies, {
    help: 'Copies of each stored body; 1.5 for an erasure code that adds half.',
    example: '3',
    aliases: ['replicas'],
  }),
  knownUrls: optional(count({ min: 1, max: 1e14 }), {
    help: 'URLs to remember, fetched or not.',
    example: '50B',
    defaultText: 'new pages of the retention',
  }),
};

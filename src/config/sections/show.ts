/** Which rows `orb pages`, `links` and `audit` print, and what `orb doctor` may try. */
import { FLAGS, type Flag } from '../../record/url-record.ts';
import { boolean, choice, integer, text } from '../kinds-plain.ts';
import { since } from '../kinds-recrawl.ts';
import { host } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

/** Too many for a line of help: a wrong one is answered with all of them. */
const FLAG_NAMES = Object.keys(FLAGS) as Flag[];

export const show = {
  state: optional(choice('queued', 'skipped', 'indexed', 'retrying', 'dead', 'failed'), {
    help: 'Only URLs in this state; indexed ones are fetched.',
    example: 'failed',
    defaultText: 'all',
    aliases: ['status', 'filter'],
  }),
  flag: optional(
    { ...choice(...FLAG_NAMES), form: 'FLAG' },
    {
      help: 'Only pages with this flag.',
      example: 'near_duplicate',
      defaultText: 'all',
      aliases: ['flags', 'flagged'],
    },
  ),
  host: optional(host(), {
    help: 'Only this host.',
    example: 'www.example.com',
    defaultText: 'all',
    aliases: ['hostname', 'site'],
  }),
  maxRows: setting(integer({ min: 0 }), 0, {
    help: 'Rows to print; 0 is no limit.',
    example: '100',
    aliases: ['rows', 'head'],
  }),
  top: setting(integer({ min: 0, max: 1_000 }), 20, {
    help: 'Hosts to name, the best first.',
    example: '100',
  }),
  since: optional(since(), {
    help: 'Changes from then on: a time ago, or a date.',
    example: '7d',
    aliases: ['from', 'after', 'newer-than'],
  }),
  against: optional(text('DIR', 'the folder of a crawl'), {
    help: 'Changes from the crawl in that folder to the one in --dir.',
    example: 'last-week',
    aliases: ['compare', 'diff', 'baseline'],
  }),
  all: setting(boolean(), false, {
    help: 'Every page that the folder knows.',
    example: 'true',
    aliases: ['everything'],
  }),
  later: setting(boolean(), false, {
    help: 'Only make the pages due: the next crawl of the folder asks for them.',
    example: 'true',
    aliases: ['mark-only', 'no-crawl'],
  }),
  what: setting(choice('pages', 'hosts', 'links'), 'pages', {
    help: 'Table to export: a row for every URL, host or link.',
    example: 'links',
    aliases: ['table'],
  }),
  lookup: optional(host(), {
    help: 'Look this name up, too; the only thing that uses the network.',
    example: 'example.com',
    aliases: ['network', 'online'],
  }),
  lifecycle: optional(choice('json', 'xml'), {
    help: 'Print the rules by which bodies in S3 grow old, and nothing else.',
    example: 'json',
    aliases: ['lifecycle-rules'],
  }),
};

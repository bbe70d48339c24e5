/** Which rows `orb pages`, `links` and `audit` print, and what `orb doctor` may try. */
import { FLAGS, type Flag } from '../../record/index.ts';
import { choice, integer } from '../kinds-plain.ts';
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
};

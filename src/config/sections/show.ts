/** Which rows `orb pages`, `links` and `audit` print, and what `orb doctor` may try. */
import { choice, integer } from '../kinds-plain.ts';
import { host } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const show = {
  state: optional(choice('queued', 'skipped', 'indexed', 'retrying', 'dead', 'failed'), {
    help: 'Only URLs in this state; indexed ones are fetched.',
    example: 'failed',
    defaultText: 'all',
    aliases: ['status', 'filter'],
  }),
  host: optional(host(), {
    help: 'Only this host.',
    example: 'www.example.com',
    defaultText: 'all',
    aliases: ['hostname', 'site'],
  }),
  maxRows: setting(integer({ min: 0 }), 0, {
    help: 'Rows to print; 0 is no limit.',
    example: '100',
    aliases: ['rows', 'head', 'top'],
  }),
  lookup: optional(host(), {
    help: 'Look this name up, too; the only thing that uses the network.',
    example: 'example.com',
    aliases: ['network', 'online'],
  }),
};

/** What hosts are worth, and what follows from it (Q2, F8). */
import { DAY_MS } from '../../base/instant.ts';
import { list } from '../kind.ts';
import { boolean, duration } from '../kinds-plain.ts';
import { host } from '../kinds-web.ts';
import { setting } from '../setting.ts';

export const rank = {
  rankEvery: setting(duration({ min: 0 }), DAY_MS, {
    help: 'Rate hosts by their links and order the queue anew this often; 0 is only by `orb rank`.',
    example: '6h',
    aliases: ['rank-interval'],
  }),
  denySpam: setting(boolean(), true, {
    help: 'Stop asking hosts that are taken for spam, until somebody trusts them.',
    example: 'false',
  }),
  trustHost: setting(list(host()), [], {
    help: 'A host that somebody looked at: never taken for spam; repeatable.',
    example: 'mirror.example.com',
    aliases: ['trust'],
  }),
};

/** A fetcher, parser or renderer, which works for other nodes and nothing else (K3): for whom. */
import { list } from '../kind.ts';
import { text } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const fetcher = {
  frontier: setting(list(webUrl('URL', 'the address of a node such as http://node-1:7070/')), [], {
    help: 'Node that this one works for, with --roles fetch, parse or render; repeatable.',
    example: 'http://node-1:7070/',
    aliases: ['frontiers', 'lender', 'lease-from'],
  }),
  frontierToken: optional(text('TOKEN', 'a token with the role that it has'), {
    help: 'Token for these nodes; best as ORB_FETCHER_FRONTIER_TOKEN.',
    example: 'cGxlYXNlLW1ha2UteW91ci1vd24',
    secret: true,
    aliases: ['fetch-token', 'lender-token'],
  }),
};

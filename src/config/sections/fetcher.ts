/** A node that only fetches (K3): whom it fetches for. */
import { list } from '../kind.ts';
import { text } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const fetcher = {
  frontier: setting(list(webUrl('URL', 'the address of a node such as http://node-1:7070/')), [], {
    help: 'Node that this one leases requests from, with --roles fetch; repeatable.',
    example: 'http://node-1:7070/',
    aliases: ['frontiers', 'lender', 'lease-from'],
  }),
  frontierToken: optional(text('TOKEN', 'a token with the role fetch'), {
    help: 'Token for these nodes; best as ORB_FETCHER_FRONTIER_TOKEN.',
    example: 'cGxlYXNlLW1ha2UteW91ci1vd24',
    secret: true,
    aliases: ['fetch-token', 'lender-token'],
  }),
};

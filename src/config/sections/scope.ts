/** Which URLs belong to the crawl (F10). Include, exclude and prefixes see canonical URLs. */
import { list } from '../kind.ts';
import { boolean, choice, integer } from '../kinds-plain.ts';
import { pattern, webUrl } from '../kinds-web.ts';
import { setting } from '../setting.ts';

export const scope = {
  scope: setting(choice('host', 'domain', 'any'), 'host', {
    help: "Follow links to the seeds' hosts, to their registered domains, or anywhere.",
    example: 'domain',
    identity: true,
    aliases: ['scope-type', 'span-hosts', 'domains'],
  }),
  include: setting(list(pattern(), '\n'), [], {
    help: 'Follow only URLs that match one of these regular expressions; seeds always count.',
    example: '/docs/',
    identity: true,
    aliases: ['accept-regex', 'allow', 'match'],
  }),
  exclude: setting(list(pattern(), '\n'), [], {
    help: 'Never follow URLs that match one of these regular expressions; wins over include.',
    example: '[?&]print=',
    identity: true,
    aliases: ['reject-regex', 'deny', 'ignore'],
  }),
  prefix: setting(list(webUrl(), '\n'), [], {
    help: 'Follow only URLs that begin with one of these.',
    example: 'https://example.com/docs/',
    identity: true,
    aliases: ['no-parent', 'accept-prefix'],
  }),
  extraHops: setting(integer({ min: 0, max: 100 }), 0, {
    help: 'Links to follow beyond the scope, counted from the last page inside it.',
    example: '1',
    identity: true,
  }),
  stripWww: setting(boolean(), false, {
    help: 'Take www.example.com and example.com for one host.',
    example: 'true',
    identity: true,
  }),
};

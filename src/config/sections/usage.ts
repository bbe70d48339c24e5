/**
 * What the crawl is for (R5). Sites say in robots.txt and in headers which uses of their pages
 * they allow; without a purpose that is recorded, with one it is obeyed.
 */
import { list } from '../kind.ts';
import { purpose } from '../kinds-web.ts';
import { setting } from '../setting.ts';

export const usage = {
  purpose: setting(list(purpose()), [], {
    help: 'What pages are gathered for; those whose site says no to it are not kept.',
    example: 'search,ai-train',
    defaultText: 'none: preferences are recorded only',
    identity: true,
    aliases: ['usage', 'content-usage', 'content-signal', 'use-for'],
  }),
};

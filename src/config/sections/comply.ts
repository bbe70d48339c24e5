/** What a decision about pages is about, who makes it and why (G1–G3): for `orb erase` and its kin. */
import { boolean, text } from '../kinds-plain.ts';
import { regionTag } from '../kinds-region.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const comply = {
  url: optional(webUrl(), {
    help: 'Exactly this URL.',
    example: 'https://example.com/people/42',
    aliases: ['page', 'address'],
  }),
  pattern: optional(text('PATTERN', 'a URL with * for anything'), {
    help: 'Every URL like this, * standing for anything.',
    example: 'https://example.com/people/*',
    aliases: ['glob', 'like'],
  }),
  storedIn: optional(regionTag(), {
    help: 'Of `orb erase`: what is stored under this tag of --region, now; it is not denied.',
    example: 'eu',
    aliases: ['in-region', 'tagged'],
  }),
  subdomains: setting(boolean(), false, {
    help: 'With --host: every host below it, too.',
    example: 'true',
    aliases: ['with-subdomains'],
  }),
  reason: optional(text('TEXT', 'a sentence'), {
    help: 'Why; it stands in the audit trail.',
    example: 'request of the owner, ticket 4711',
    aliases: ['why', 'because'],
  }),
  by: optional(text('NAME', 'a name'), {
    help: 'Who decides it.',
    example: 'anna',
    defaultText: 'who runs the command',
    aliases: ['who', 'operator'],
  }),
  release: setting(boolean(), false, {
    help: 'End the hold, or the denial, that is named.',
    example: 'true',
    aliases: ['end'],
  }),
  text: optional(text('TEXT', 'a sentence'), {
    help: 'What was complained about.',
    example: 'too many requests at night',
    aliases: ['message', 'complaint'],
  }),
  optOut: setting(boolean(), false, {
    help: 'Never ask the host again, nor any below it.',
    example: 'true',
    aliases: ['forever'],
  }),
};

/** Where the service listens and whom it lets in (A3). */
import { isIP } from 'node:net';
import { list } from '../kind.ts';
import { choice, integer, number, text } from '../kinds-plain.ts';
import { host } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

/** What a token may do: look; crawl or take down, and look; or work for it, no more. */
export const ROLES = ['read', 'operate', 'comply', 'fetch', 'parse', 'render'] as const;
export type Role = (typeof ROLES)[number];

const ADDRESS_FORM = 'an IP address such as 127.0.0.1 or ::1';

function address() {
  const parse = (given: string) =>
    isIP(given.trim()) === 0 ? { problem: 'is not an IP address' } : { value: given.trim() };
  return { ...text('ADDRESS', ADDRESS_FORM), parse };
}

export const serve = {
  port: setting(integer({ min: 0, max: 65_535 }), 7_070, {
    help: 'Port that the service listens at; 0 lets the system choose.',
    example: '8080',
    aliases: ['listen-port'],
  }),
  bind: setting(address(), '127.0.0.1', {
    help: 'Address that the service listens at; other than loopback needs a token.',
    example: '0.0.0.0',
    aliases: ['address', 'interface'],
  }),
  serverName: setting(list(host()), [], {
    help: 'Name by which the service is called besides its address; repeatable.',
    example: 'crawl.example.com',
    aliases: ['public-name', 'virtual-host'],
  }),
  tokens: optional(text('FILE', 'a file'), {
    help: 'File with the hashes of the tokens that are let in.',
    example: 'tokens.json',
    defaultText: '.orb/tokens.json',
    aliases: ['token-file'],
  }),
  role: setting(list(choice(...ROLES)), [], {
    help: 'What a new token may do; repeatable.',
    example: 'operate',
    defaultText: 'read',
    aliases: ['token-role'],
  }),
  apiRate: setting(integer({ min: 1 }), 1_000, {
    help: 'Requests a second that one client address may make of the service.',
    example: '50',
    aliases: ['client-rate'],
  }),
  targetRate: setting(number({ min: 0 }), 0, {
    help: 'Fetches a second that are expected of the crawl, for alerts; 0 is no target.',
    example: '500',
    aliases: ['expected-rate', 'target-fetches'],
  }),
};

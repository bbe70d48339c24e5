/**
 * Who we say we are (P6): `Mozilla/5.0 (compatible; <userAgent>; +<infoUrl>)`.
 *
 * There is no setting to ignore robots.txt: whoever may do that owns the host, and can say so
 * in the host's robots.txt under our token.
 *
 * With a key, every request also proves it (P8): see ../../sign/ and docs/web-bot-auth.md. The
 * key itself is never a setting, only the path of its file: settings are shown and kept.
 */
import { choice, text } from '../kinds-plain.ts';
import { contact, product, robotsToken, secureOrigin, webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const agent = {
  userAgent: setting(product(), 'Orbweaver/0.1.0', {
    help: 'Product name and version sent with every request.',
    example: 'MyBot/1.0',
    aliases: ['agent', 'useragent'],
  }),
  robotsToken: setting(robotsToken(), 'Orbweaver', {
    help: 'Name that robots.txt rules are looked up by; the user agent must contain it.',
    example: 'MyBot',
    defaultText: 'the name in --user-agent',
  }),
  contact: optional(contact(), {
    help: 'Where to reach you; without it a crawl of public hosts stops at 1,000 pages.',
    example: 'crawler@example.com',
    aliases: ['email', 'mail', 'from'],
  }),
  infoUrl: setting(webUrl(), 'https://orbweaver.example/bot', {
    help: 'Page that says what the crawler is and how a site opts out.',
    example: 'https://example.com/bot',
  }),
  signKey: optional(text('FILE', 'a file that `orb key new` wrote'), {
    help: 'Sign every request with the Ed25519 key in this file (Web Bot Auth).',
    example: 'orb-key.json',
    aliases: ['key', 'key-file', 'private-key', 'signing-key'],
  }),
  signatureAgent: optional(secureOrigin(), {
    help: 'Where the key directory is published, for sites to check signatures with.',
    example: 'https://bot.example.com',
    aliases: ['key-directory', 'sign-agent'],
  }),
  signatureForm: setting(choice('dictionary', 'string'), 'dictionary', {
    help: 'Form of Signature-Agent: a dictionary, or the bare string of drafts before 2025-10.',
    example: 'string',
  }),
};

/** Whom the crawl tells about its pages (A5): docs/webhooks.md. */
import { isHookSecret } from '../../hooks/signature.ts';
import { list } from '../kind.ts';
import { text } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

function hookSecret() {
  const parse = (given: string) =>
    isHookSecret(given.trim())
      ? { value: given.trim() }
      : { problem: 'is not whsec_ and 24 to 64 bytes as base64' };
  return { ...text('SECRET', 'whsec_ and 24 to 64 random bytes as base64'), parse };
}

export const hooks = {
  webhook: setting(list(webUrl()), [], {
    help: 'URL that fetched pages are posted to, signed; repeatable.',
    example: 'https://example.com/orb',
    secret: true,
    aliases: ['webhooks', 'hook', 'notify'],
  }),
  webhookSecret: optional(hookSecret(), {
    help: 'What posts to webhooks are signed with (HMAC-SHA256); best as ORB_HOOKS_WEBHOOK_SECRET.',
    example: 'whsec_bmljZSB0cnksIGJ1dCBtYWtlIG9uZSB5b3Vyc2VsZg==',
    secret: true,
    aliases: ['hook-secret'],
  }),
};

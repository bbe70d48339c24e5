/**
 * Signs a message as Standard Webhooks does, so that libraries in every language can check it:
 *
 *   webhook-signature: v1,base64(HMAC-SHA256(secret, `${id}.${seconds}.${body}`))
 *
 * The seconds are signed, too: who records a message cannot send it again next week.
 */
import { createHmac } from 'node:crypto';
import type { Instant } from '../base/instant.ts';
import type { HookMessage } from './message.ts';

const PREFIX = 'whsec_';
const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

/** `whsec_` and 24 to 64 bytes as base64. */
export function isHookSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = keyIn(text);
  return length >= KEY_BYTES_MIN && length <= KEY_BYTES_MAX;
}

export function signedFields(
  { id, body }: HookMessage,
  secret: string,
  now: Instant,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const mac = createHmac('sha256', keyIn(secret)).update(`${id}.${seconds}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${mac.digest('base64')}`,
  };
}

function keyIn(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

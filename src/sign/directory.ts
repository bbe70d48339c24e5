/**
 * The key directory (P8): our public keys, at `/.well-known/http-message-signatures-directory`
 * of the origin that Signature-Agent names.
 *
 * The answer is signed with each of the keys it lists. That shows that whoever publishes a key
 * also holds it, and ties the list to one authority: a copy of it on another host proves
 * nothing. So the authority comes from our settings, never from the Host of whoever asks: else
 * anybody could have the list signed for a host of theirs.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, type Instant, SECOND_MS } from '../base/instant.ts';
import type { SignKey } from './key.ts';
import { type Component, signMessage } from './message.ts';
import { type Parameters, sfBytes } from './structured.ts';

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

/** How long a verifier may keep the list: a key that was taken out is believed so much longer. */
const CACHE_MS = HOUR_MS;
/** Longer than anybody should keep the list: an old proof costs nothing, an expired one does. */
const PROOF_LIFE_MS = 7 * DAY_MS;
const LABEL = 'binding';
const TAG = 'http-message-signatures-directory';

export interface Directory {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The public keys as a JWK Set: safe to show to anybody. */
export function directoryBody(keys: readonly SignKey[]): string {
  return JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) });
}

/**
 * The directory as it is to be answered. `authority` is the host of the settings'
 * `signatureAgent` (see `authorityOf`), which must be where this is served.
 */
export function directoryOf(keys: readonly SignKey[], now: Instant, authority: string): Directory {
  const body = directoryBody(keys);
  const digest = `sha-256=${sfBytes(createHash('sha256').update(body).digest())}`;
  const components: Component[] = [
    { name: '@authority', parameters: [['req', true]], value: authority },
    { name: 'content-digest', value: digest },
  ];
  const proofs = keys.map((key, i) => {
    const label = i === 0 ? LABEL : `${LABEL}${i + 1}`;
    return signMessage(key, label, components, proofParameters(key, now));
  });
  const headers: Record<string, string> = {
    'content-type': DIRECTORY_TYPE,
    'cache-control': `public, max-age=${CACHE_MS / SECOND_MS}`,
    'content-digest': digest,
  };
  if (proofs.length > 0) {
    headers['signature-input'] = proofs.map((proof) => proof.signatureInput).join(', ');
    headers.signature = proofs.map((proof) => proof.signature).join(', ');
  }
  return { body, headers };
}

/** What RFC 9421 calls the authority of an origin: without the port that goes without saying. */
export function authorityOf(origin: string): string {
  return new URL(origin).host;
}

function proofParameters(key: SignKey, now: Instant): Parameters {
  return [
    ['created', Math.floor(now / SECOND_MS)],
    ['expires', Math.floor((now + PROOF_LIFE_MS) / SECOND_MS)],
    ['keyid', key.keyid],
    ['tag', TAG],
  ];
}

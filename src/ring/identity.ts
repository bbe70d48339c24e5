/**
 * Who a node is, and why it may be in this ring (D8).
 *
 *   node key      Ed25519. Its public half is the node's id, and its place follows from that.
 *   join secret   known to every member: whoever has it is let in, under the key it proves
 *   certificate   payload.signature, both base64url: the ring's key says that this node key is a
 *                 member under this name, from then until then
 *
 * A ring has one of the two ways. With a secret nobody can be shut out alone; with certificates a
 * node is out when its own ends. The signature is checked before the payload is read.
 */
import { createPublicKey, hkdfSync, verify } from 'node:crypto';
import type { Instant } from '../base/index.ts';
import type { SignKey } from '../sign/index.ts';
import type { Peer } from './chord-message.ts';
import { peerFrom } from './wire.ts';

export type Membership =
  | { readonly kind: 'secret'; readonly secret: Uint8Array }
  | {
      readonly kind: 'certificate';
      /** The ring's public key, in base64url. */
      readonly ring: string;
      readonly certificate: string;
    };

export interface Certified {
  /** The node's public key. */
  readonly node: string;
  readonly name: string;
  readonly from: Instant;
  readonly until: Instant;
}

/** A secret that could be guessed could be guessed at leisure, from one recorded attempt. */
export const SECRET_BYTES_MIN = 16;
export const CERTIFICATE_CHARS_MAX = 1_024;
const NAME_CHARS_MAX = 64;
/** Clocks of members may be wrong by so much before a certificate looks early or over. */
const CLOCK_SLACK_MS = 300_000;
const SHARED_KEY_BYTES = 32;

/** A node as it introduces itself; undefined when the address is none. */
export function selfAt(key: SignKey, at: string): Peer | undefined {
  return peerFrom({ id: key.publicJwk.x, at });
}

/**
 * What both ends of a connection must hold before a word is heard. With certificates it is no
 * secret, and only says which ring is meant: the proofs of the hello carry it all.
 */
export function sharedKeyOf(membership: Membership): Uint8Array {
  const { kind } = membership;
  const from = kind === 'secret' ? membership.secret : Buffer.from(membership.ring, 'base64url');
  const bytes = hkdfSync('sha256', from, '', `orbweaver ring 1 ${kind}`, SHARED_KEY_BYTES);
  return new Uint8Array(bytes);
}

export function certify(ringKey: SignKey, certified: Certified): string {
  const { node, name, from, until } = certified;
  const payload = Buffer.from(JSON.stringify({ node, name, from, until }));
  const signature = ringKey.sign(toSign(payload));
  return `${payload.toString('base64url')}.${Buffer.from(signature).toString('base64url')}`;
}

/** What a certificate says of this node; undefined when it says nothing, or not now. */
export function certifiedBy(
  ring: string,
  certificate: string,
  node: string,
  now: Instant,
): Certified | undefined {
  if (certificate.length > CERTIFICATE_CHARS_MAX) return undefined;
  const [body = '', signature = '', ...more] = certificate.split('.');
  const payload = Buffer.from(body, 'base64url');
  const proof = Buffer.from(signature, 'base64url');
  if (more.length > 0 || !isSignedBy(ring, toSign(payload), proof)) return undefined;
  const said = certifiedIn(payload);
  if (said?.node !== node) return undefined;
  return now < said.from - CLOCK_SLACK_MS || now > said.until + CLOCK_SLACK_MS ? undefined : said;
}

function certifiedIn(payload: Buffer): Certified | undefined {
  try {
    const { node, name, from, until } = JSON.parse(payload.toString()) as Record<string, unknown>;
    if (typeof node !== 'string' || typeof name !== 'string') return undefined;
    if (typeof from !== 'number' || typeof until !== 'number') return undefined;
    return name.length <= NAME_CHARS_MAX ? { node, name, from, until } : undefined;
  } catch {
    return undefined;
  }
}

/** True when the holder of the private half signed exactly these bytes. */
export function isSignedBy(id: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: id }, format: 'jwk' });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

/** Signatures of a ring's key over anything else are no certificate. */
function toSign(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('orbweaver ring 1 member\n'), payload]);
}

/**
 * An Ed25519 key: read from text, named by its thumbprint, and able to sign.
 *
 *   private JWK    {"kty":"OKP","crv":"Ed25519","d":…,"x":…}     what `orb key new` writes
 *   PEM            -----BEGIN PRIVATE KEY-----                   what openssl writes
 *   public JWK     the same without d, with kid: what everybody may see
 *
 * The secret stays inside: printing, inspecting or serialising a key gives its public half only.
 * For the same reason no problem quotes the text it was found in.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The thumbprint, which signatures name as `keyid`. */
  readonly kid: string;
  readonly x: string;
  readonly use: 'sig';
}

/** What is wrong with a text, as a predicate, and what to do about it. */
export interface KeyProblem {
  readonly problem: string;
  readonly hint: string;
}

export const SEED_BYTES = 32;
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');
const MAKE_ONE = 'Make a key with: orb key new --out FILE';

export class SignKey {
  readonly keyid: string;
  readonly publicJwk: PublicJwk;
  readonly #secret: KeyObject;

  /** `seed` is the private key as RFC 8032 has it: 32 bytes of chance. */
  constructor(seed: Uint8Array) {
    this.#secret = secretOf(seed);
    const x = publicPart(this.#secret);
    this.keyid = thumbprint(x);
    this.publicJwk = { kty: 'OKP', crv: 'Ed25519', kid: this.keyid, x, use: 'sig' };
  }

  sign(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.#secret);
  }
}

/** The text of a key file; the only place where the secret leaves a key. */
export function privateJwkText(seed: Uint8Array): string {
  const { kty, crv, kid, x, use } = new SignKey(seed).publicJwk;
  const d = Buffer.from(seed).toString('base64url');
  return `${JSON.stringify({ kty, crv, kid, x, d, use }, null, 2)}\n`;
}

/** RFC 7638 over the members that RFC 8037 names, in this order. */
export function thumbprint(x: string): string {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return createHash('sha256').update(members).digest('base64url');
}

export function keyFrom(text: string): SignKey | KeyProblem {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return keyFromJwk(trimmed);
  if (trimmed.startsWith('-----BEGIN')) return keyFromPem(trimmed);
  return { problem: 'is neither a JWK nor a PEM file', hint: MAKE_ONE };
}

export function isKeyProblem(found: SignKey | KeyProblem): found is KeyProblem {
  return 'problem' in found;
}

function keyFromJwk(text: string): SignKey | KeyProblem {
  const jwk = parsed(text);
  if (jwk === undefined) return { problem: 'is not JSON', hint: MAKE_ONE };
  if ('keys' in jwk) {
    return { problem: 'is a set of keys, not one key', hint: 'Give the file with the private key' };
  }
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') {
    return { problem: 'is not an Ed25519 key (kty OKP, crv Ed25519)', hint: MAKE_ONE };
  }
  if (jwk.d === undefined) {
    const hint = 'Give the file with the private key: the one that has a member d';
    return { problem: 'holds the public half only', hint };
  }
  const seed = typeof jwk.d === 'string' ? Buffer.from(jwk.d, 'base64url') : undefined;
  if (seed?.length !== SEED_BYTES) {
    return { problem: `has a private part that is not ${SEED_BYTES} bytes`, hint: MAKE_ONE };
  }
  const key = new SignKey(seed);
  const { x, kid } = key.publicJwk;
  const isOther = jwk.x !== x || (jwk.kid !== undefined && jwk.kid !== kid);
  if (!isOther) return key;
  const hint = 'The file was changed or put together from two: take it from your backup';
  return { problem: 'has a public half that is not of its private one', hint };
}

function keyFromPem(text: string): SignKey | KeyProblem {
  const secret = readPem(text);
  if (secret === undefined) {
    const hint = 'Give an Ed25519 key without a password: openssl genpkey -algorithm ed25519';
    return { problem: 'is not a private key that can be read', hint };
  }
  if (secret.asymmetricKeyType !== 'ed25519') {
    return { problem: `is a key of type ${secret.asymmetricKeyType}, not Ed25519`, hint: MAKE_ONE };
  }
  return new SignKey(Buffer.from(String(secret.export({ format: 'jwk' }).d), 'base64url'));
}

function secretOf(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([PKCS8_START, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function publicPart(secret: KeyObject): string {
  return String(createPublicKey(secret).export({ format: 'jwk' }).x);
}

/** The errors of both parsers may quote what they read, so they end here. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function readPem(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

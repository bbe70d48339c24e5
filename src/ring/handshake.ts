/**
 * The first words of two nodes: each proves its key for this one connection (D8).
 *
 *   'ORBR'  version 2 │ key 32  life 8  signature 64 │ length 1  address │ length 2  certificate
 *   └─ of every version ┘
 *
 * The signature covers all of it and what only the two ends of this connection know (`binding`,
 * from the keys of the channel): said again on another connection, or by the other end, it proves
 * nothing. Nothing of a hello is believed before its signature; nothing follows a hello but an
 * answer of one byte and the other's hello.
 *
 * `life` tells two processes with one key apart.
 */
import type { Instant } from '../base/index.ts';
import type { SignKey } from '../sign/index.ts';
import type { Peer } from './chord-message.ts';
import { CERTIFICATE_CHARS_MAX, certifiedBy, isSignedBy, type Membership } from './identity.ts';
import { ADDRESS_CHARS_MAX, KEY_BYTES, peerFrom, RING_VERSION } from './wire.ts';

export type Role = 'dialer' | 'listener';

/** What is said to a hello; the place in this list is the byte on the wire. */
export const ANSWERS = ['welcome', 'version', 'stranger', 'id-taken', 'full'] as const;
export type HelloAnswer = (typeof ANSWERS)[number];
export type Refusal = Exclude<HelloAnswer, 'welcome'>;

export interface Introduction {
  readonly key: SignKey;
  readonly at: string;
  /** 8 bytes of chance, made when the process began. */
  readonly life: Uint8Array;
  readonly membership: Membership;
  /** The version to speak; another than ours only where that is tested. */
  readonly version?: number;
}

export type Heard =
  | { readonly kind: 'known'; readonly peer: Peer; readonly life: string }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly version: number };

const MAGIC = Buffer.from('ORBR');
const START_BYTES = MAGIC.length + 2;
const LIFE_BYTES = 8;
const SIGNATURE_BYTES = 64;
const FIXED_BYTES = START_BYTES + KEY_BYTES + LIFE_BYTES + SIGNATURE_BYTES;
export const HELLO_BYTES_MAX = FIXED_BYTES + 1 + ADDRESS_CHARS_MAX + 2 + CERTIFICATE_CHARS_MAX;

export function helloOf(me: Introduction, role: Role, binding: Uint8Array): Uint8Array {
  const { key, life, membership } = me;
  const start = Buffer.from([...MAGIC, 0, 0]);
  start.writeUInt16BE(me.version ?? RING_VERSION, MAGIC.length);
  const id = Buffer.from(key.publicJwk.x, 'base64url');
  const at = Buffer.from(me.at);
  const certificate = Buffer.from(membership.kind === 'secret' ? '' : membership.certificate);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(certificate.length);
  const tail = Buffer.concat([Buffer.from([at.length]), at, length, certificate]);
  const said = Buffer.concat([start, id, life, tail]);
  const signature = key.sign(toSign(role, binding, said));
  return Buffer.concat([start, id, life, signature, tail]);
}

/** What a hello of the other end is worth. Any bytes at all may come. */
export function heardHello(
  bytes: Uint8Array,
  role: Role,
  binding: Uint8Array,
  membership: Membership,
  now: Instant,
): Heard {
  const hello = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isOurs = hello.subarray(0, MAGIC.length).equals(MAGIC) && hello.length >= START_BYTES;
  const version = isOurs ? hello.readUInt16BE(MAGIC.length) : 0;
  if (isOurs && version !== RING_VERSION) return { kind: 'refused', why: 'version', version };
  const said = isOurs && isProven(hello, role, binding) ? saidIn(hello) : undefined;
  if (said === undefined || !isMember(said, membership, now)) {
    return { kind: 'refused', why: 'stranger', version };
  }
  return { kind: 'known', peer: said.peer, life: said.life };
}

function isProven(hello: Buffer, role: Role, binding: Uint8Array): boolean {
  if (hello.length < FIXED_BYTES || hello.length > HELLO_BYTES_MAX) return false;
  const signature = hello.subarray(FIXED_BYTES - SIGNATURE_BYTES, FIXED_BYTES);
  const before = hello.subarray(0, FIXED_BYTES - SIGNATURE_BYTES);
  const said = Buffer.concat([before, hello.subarray(FIXED_BYTES)]);
  const id = hello.subarray(START_BYTES, START_BYTES + KEY_BYTES).toString('base64url');
  return isSignedBy(id, toSign(role, binding, said), signature);
}

interface Said {
  readonly peer: Peer;
  readonly life: string;
  readonly certificate: string;
}

/** Lengths that do not add up are those of a node that signs nonsense: it is a stranger, too. */
function saidIn(hello: Buffer): Said | undefined {
  const id = hello.subarray(START_BYTES, START_BYTES + KEY_BYTES).toString('base64url');
  const lifeAt = START_BYTES + KEY_BYTES;
  const life = hello.subarray(lifeAt, lifeAt + LIFE_BYTES).toString('hex');
  const tail = hello.subarray(FIXED_BYTES);
  const atLength = tail[0] ?? 0;
  if (tail.length < 1 + atLength + 2) return undefined;
  const certificate = tail.subarray(1 + atLength + 2);
  if (tail.readUInt16BE(1 + atLength) !== certificate.length) return undefined;
  const at = tail.subarray(1, 1 + atLength).toString('latin1');
  const peer = peerFrom({ id, at });
  return peer && { peer, life, certificate: certificate.toString('latin1') };
}

function isMember({ peer, certificate }: Said, membership: Membership, now: Instant): boolean {
  if (membership.kind === 'secret') return true;
  return certifiedBy(membership.ring, certificate, peer.id, now) !== undefined;
}

/** The two ends sign different bytes: nobody's own words can be turned back on him. */
function toSign(role: Role, binding: Uint8Array, said: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`orbweaver ring hello ${role}\n`), binding, said]);
}

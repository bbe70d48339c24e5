/**
 * The key of an encrypted file from the empty user password (ISO 32000-2, 7.6.4): undefined when
 * that is not its password.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { rc4 } from './rc4.ts';

export interface Handler {
  readonly version: number;
  readonly revision: number;
  readonly keyBytes: number;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly userKey: Uint8Array;
  readonly permissions: number;
  readonly encryptsMetadata: boolean;
  readonly id: Uint8Array;
}

/** What an empty password is filled up with. */
const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const HASHES = ['sha256', 'sha384', 'sha512'] as const;

export function fileKey(handler: Handler): Uint8Array | undefined {
  if (handler.version >= 5) return key256(handler);
  const key = key128(handler);
  const { user, revision } = handler;
  const made = revision < 3 ? rc4(key, PADDING) : userMark(key, handler.id);
  const length = revision < 3 ? 32 : 16;
  const isRight =
    Buffer.compare(Buffer.from(made.subarray(0, length)), Buffer.from(user.subarray(0, length))) ===
    0;
  return isRight ? key : undefined;
}

function key128(handler: Handler): Uint8Array {
  const { owner, permissions, id, revision, keyBytes, encryptsMetadata } = handler;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions | 0);
  const hash = createHash('md5')
    .update(PADDING)
    .update(owner.subarray(0, 32))
    .update(flags)
    .update(id);
  if (revision >= 4 && !encryptsMetadata) hash.update(Buffer.alloc(4, 0xff));
  let key: Uint8Array = hash.digest().subarray(0, keyBytes);
  if (revision < 3) return key;
  for (let i = 0; i < 50; i++) key = createHash('md5').update(key).digest().subarray(0, keyBytes);
  return key;
}

function userMark(key: Uint8Array, id: Uint8Array): Uint8Array {
  let mark: Uint8Array = createHash('md5').update(PADDING).update(id).digest();
  for (let i = 0; i < 20; i++)
    mark = rc4(
      key.map((byte) => byte ^ i),
      mark,
    );
  return mark;
}

/** `user` is a hash, 8 bytes to check it with and 8 to make the key of the key with. */
function key256({ user, userKey, revision }: Handler): Uint8Array | undefined {
  if (user.length < 48 || userKey.length < 32) return undefined;
  const hash = revision >= 6 ? hardenedHash : plainHash;
  const check = hash(user.subarray(32, 40));
  if (Buffer.compare(check, Buffer.from(user.subarray(0, 32))) !== 0) return undefined;
  const cipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16));
  cipher.setAutoPadding(false);
  return cipher.update(userKey.subarray(0, 32));
}

export function plainHash(salt: Uint8Array): Buffer {
  return createHash('sha256').update(salt).digest();
}

/** Algorithm 2.B with an empty password: at least 64 rounds, until a round's last byte says stop. */
export function hardenedHash(salt: Uint8Array): Buffer {
  let key = plainHash(salt);
  for (let round = 0; ; round++) {
    const block = Buffer.alloc(64 * key.length);
    for (let i = 0; i < 64; i++) key.copy(block, i * key.length);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const mixed = cipher.update(block);
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(HASHES[rest] as string)
      .update(mixed)
      .digest();
    if (round >= 63 && (mixed[mixed.length - 1] as number) <= round - 31) break;
  }
  return key.subarray(0, 32);
}

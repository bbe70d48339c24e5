/**
 * The standard security handler with the empty user password: what anybody who opens such a file
 * in a viewer can read, we can read. A file that wants a password says 'encrypted' as its reason.
 *
 *   V 1, 2   RC4, 40 to 128 bits      V 4   RC4 or AES-128, by crypt filters      V 5   AES-256
 */
import { createDecipheriv, createHash } from 'node:crypto';
import { fileKey, type Handler } from './crypt-key.ts';
import { type Dict, isDict, nameIn, numberIn, PdfProblem, Stream, type Value } from './objects.ts';
import { rc4 } from './rc4.ts';

export interface Crypt {
  /** An object of the file with its strings and stream as they were meant. */
  open(value: Value, num: number, gen: number): Value;
}

type Method = 'none' | 'rc4' | 'aes128' | 'aes256';
type Resolve = (value: Value | undefined) => Value;

const DEPTH_MAX = 64;

export function openCrypt(dict: Dict, id: Uint8Array, resolve: Resolve): Crypt {
  const get = (name: string) => resolve(dict.get(name));
  const filter = nameIn(get('Filter'));
  if (filter !== 'Standard') throw new PdfProblem(`encrypted by ${filter || 'nobody knows what'}`);
  const version = numberIn(get('V'), 0);
  const handler: Handler = {
    version,
    revision: numberIn(get('R'), 2),
    keyBytes: version === 1 ? 5 : Math.min(16, Math.max(5, numberIn(get('Length'), 40) >> 3)),
    owner: bytesIn(get('O')),
    user: bytesIn(get('U')),
    userKey: bytesIn(get('UE')),
    permissions: numberIn(get('P'), 0),
    encryptsMetadata: get('EncryptMetadata') !== false,
    id,
  };
  if (version === 4) Object.assign(handler, { keyBytes: 16 });
  const key = fileKey(handler);
  if (key === undefined) throw new PdfProblem('encrypted with a password');
  return new StandardCrypt(key, handler.encryptsMetadata, methodsOf(dict, version, resolve));
}

function bytesIn(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0);
}

interface Methods {
  readonly strings: Method;
  readonly streams: Method;
}

function methodsOf(dict: Dict, version: number, resolve: Resolve): Methods {
  if (version < 4) return { strings: 'rc4', streams: 'rc4' };
  const filters = resolve(dict.get('CF'));
  const named = (key: string): Method => {
    const filter = resolve(isDict(filters) ? filters.get(nameIn(resolve(dict.get(key)))) : null);
    const method = isDict(filter) ? nameIn(resolve(filter.get('CFM'))) : 'None';
    return METHODS[method] ?? 'none';
  };
  return { strings: named('StrF'), streams: named('StmF') };
}

const METHODS: Readonly<Record<string, Method>> = { V2: 'rc4', AESV2: 'aes128', AESV3: 'aes256' };

class StandardCrypt implements Crypt {
  readonly #key: Uint8Array;
  readonly #encryptsMetadata: boolean;
  readonly #methods: Methods;

  constructor(key: Uint8Array, encryptsMetadata: boolean, methods: Methods) {
    this.#key = key;
    this.#encryptsMetadata = encryptsMetadata;
    this.#methods = methods;
  }

  open(value: Value, num: number, gen: number): Value {
    return this.#open(value, num, gen, 0);
  }

  #open(value: Value, num: number, gen: number, depth: number): Value {
    if (depth > DEPTH_MAX) return value;
    if (value instanceof Uint8Array) return this.#undo(value, this.#methods.strings, num, gen);
    if (Array.isArray(value)) return value.map((item) => this.#open(item, num, gen, depth + 1));
    if (value instanceof Stream) {
      const dict = this.#open(value.dict, num, gen, depth + 1) as Dict;
      if (!this.#isEncrypted(dict)) return new Stream(dict, value.raw);
      return new Stream(dict, this.#undo(value.raw, this.#methods.streams, num, gen));
    }
    if (!isDict(value)) return value;
    return new Map([...value].map(([key, item]) => [key, this.#open(item, num, gen, depth + 1)]));
  }

  #isEncrypted(dict: Dict): boolean {
    const type = nameIn(dict.get('Type'));
    if (type === 'XRef' || (type === 'Metadata' && !this.#encryptsMetadata)) return false;
    const filter = dict.get('Filter');
    return nameIn(Array.isArray(filter) ? filter[0] : filter) !== 'Crypt';
  }

  #undo(bytes: Uint8Array, method: Method, num: number, gen: number): Uint8Array {
    if (method === 'none') return bytes;
    if (method === 'aes256') return unAes(bytes, this.#key);
    const salt = [num & 255, (num >> 8) & 255, (num >> 16) & 255, gen & 255, (gen >> 8) & 255];
    const hash = createHash('md5').update(this.#key).update(Uint8Array.from(salt));
    if (method === 'aes128') hash.update('sAlT');
    const key = hash.digest().subarray(0, Math.min(16, this.#key.length + 5));
    return method === 'aes128' ? unAes(bytes, key) : rc4(key, bytes);
  }
}

/** The first 16 bytes are the start value, the last byte says how much is padding. */
function unAes(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const whole = bytes.length - (bytes.length % 16);
  if (whole < 32) return new Uint8Array(0);
  const cipher = createDecipheriv(
    `aes-${8 * key.length}-cbc` as 'aes-256-cbc',
    key,
    bytes.subarray(0, 16),
  );
  cipher.setAutoPadding(false);
  const plain = cipher.update(bytes.subarray(16, whole));
  const padding = plain[plain.length - 1] ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain;
}

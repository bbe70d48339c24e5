/**
 * The responses that later ones may repeat: a body is written once, and a page with the same
 * one refers to it.
 *
 * Bounded: what was written long ago is forgotten, and a page that repeats it is written whole.
 * Copies mostly stand on one host, and hosts come one after the other. What a run before has
 * written is read where it stands: `originalIn` believes nothing but the record itself.
 */
import { openingOf } from './gzip-member.ts';
import type { Archived } from './warc-capture.ts';
import { fieldOf, type ReadWarcRecord, readWarcFields } from './warc-read.ts';

const ORIGINALS_MAX = 100_000;
const NAME_BYTES = 24;
const DECODED = Buffer.from('decoded:');
const DECODED_BYTES = 24;

export class Originals {
  readonly #byHash = new Map<string, Archived>();
  #isWhole = true;

  /** Whether everything that was ever added is still known. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  find(contentHash: Uint8Array): Archived | undefined {
    return this.#byHash.get(nameOf(contentHash));
  }

  add(contentHash: Uint8Array, archived: Archived): void {
    if (this.#byHash.size >= ORIGINALS_MAX) {
      const [oldest] = this.#byHash.keys();
      if (oldest !== undefined) this.#byHash.delete(oldest);
      this.#isWhole = false;
    }
    this.#byHash.set(nameOf(contentHash), archived);
  }

  clear(): void {
    this.#byHash.clear();
    this.#isWhole = false;
  }
}

/** A part of a SHA-256 is enough to tell a hundred thousand bodies apart. */
function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.subarray(0, NAME_BYTES)).toString('latin1');
}

/**
 * The response that a member holds, if its payload is this one; from the opening of the member
 * alone. What was erased, cut or never written there is no original.
 */
export function originalIn(opening: Uint8Array, name: Uint8Array): Archived | undefined {
  const fields = readWarcFields(openingOf(opening));
  const of = (name: string) => fieldOf(fields, name);
  const [uri, id, date] = [of('WARC-Target-URI'), of('WARC-Record-ID'), of('WARC-Date')];
  const payload = payloadIn(fields);
  const isIt = name.length === DECODED_BYTES || (payload && Buffer.compare(payload, name) === 0);
  if (payload === undefined || !isIt) return undefined;
  if (uri === undefined || id === undefined || date === undefined) return undefined;
  return { uri, id, date: Date.parse(date), payload };
}

/**
 * The name of what a payload says when its encoding is undone: a 304 tells of a page by that. It
 * has another length than a SHA-256, so that none is taken for the other.
 */
export function decodedName(contentHash: Uint8Array): Uint8Array {
  return Buffer.concat([DECODED, contentHash]).subarray(0, DECODED_BYTES);
}

/** The SHA-256 of what a record has for others to repeat; undefined when that is nothing. */
export function payloadIn(fields: ReadWarcRecord['fields']): Uint8Array | undefined {
  if (fieldOf(fields, 'WARC-Type') !== 'response') return undefined;
  if (fieldOf(fields, 'WARC-Truncated') !== undefined) return undefined;
  const digest = /^sha256:([\da-f]{64})$/.exec(fieldOf(fields, 'WARC-Payload-Digest') ?? '')?.[1];
  return digest === undefined ? undefined : Buffer.from(digest, 'hex');
}

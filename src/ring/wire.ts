/**
 * A message of the ring as bytes, and bytes as a message, or as nothing.
 *
 *   {"v":1,"kind":"list","n":7,"before":{"id":…,"at":…},"list":[…]}      JSON, at most 64 KiB
 *
 * Who reads here is nobody's friend: whatever is not exactly a message of this version is
 * `undefined`, without a throw and without a half. A peer's place is never read: it is computed
 * from the peer's key, so nobody stands where they like. What may be long has a limit.
 *
 * Not here: who sent it, and whether nobody read or changed it on the way: that is the transport's.
 */
import type { ChordMessage, Peer } from './chord-message.ts';
import { isPosition, placeOf } from './id.ts';

export const RING_VERSION = 1;
export const MESSAGE_BYTES_MAX = 65_536;
/** A list in a message is never longer than the longest that a node keeps. */
export const PEERS_MAX = 64;
export const ADDRESS_CHARS_MAX = 255;
export const KEY_BYTES = 32;
const ID = /^[A-Za-z0-9_-]{43}$/;
/** A name or an address with a port, and nothing that could be read as anything else. */
const ADDRESS = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}$/;

type Fields = Readonly<Record<string, unknown>>;

export function encodeMessage(message: ChordMessage): Uint8Array {
  const text = JSON.stringify({ v: RING_VERSION, ...message }, (name, value) =>
    name === 'place' ? undefined : value,
  );
  return new Uint8Array(Buffer.from(text));
}

export function decodeMessage(bytes: Uint8Array): ChordMessage | undefined {
  if (bytes.length > MESSAGE_BYTES_MAX) return undefined;
  const fields = fieldsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (fields === undefined || fields.v !== RING_VERSION) return undefined;
  const { kind, n } = fields;
  if (kind === 'notify') return { kind };
  if (kind === 'leaving') return withBefore({ kind }, fields);
  if (!Number.isSafeInteger(n) || (n as number) < 0) return undefined;
  return decodeNumbered(fields, n as number);
}

function decodeNumbered(fields: Fields, n: number): ChordMessage | undefined {
  const { kind, key, owns } = fields;
  if (kind === 'ask' || kind === 'ping' || kind === 'pong') return { kind, n };
  if (kind === 'find') return isPosition(key) ? { kind, n, key } : undefined;
  if (kind === 'list') {
    const list = peersFrom(fields.list);
    return list && withBefore({ kind, n, list }, fields);
  }
  if (kind !== 'way' || typeof owns !== 'boolean') return undefined;
  const [owners, nearer] = [peersFrom(fields.owners), peersFrom(fields.nearer)];
  return owners && nearer && withBefore({ kind, n, owns, owners, nearer }, fields);
}

function fieldsOf(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withBefore<T extends object>(message: T, { before }: Fields): T | undefined {
  if (before === undefined) return message;
  const peer = peerFrom(before);
  return peer && { ...message, before: peer };
}

function peersFrom(value: unknown): Peer[] | undefined {
  if (!Array.isArray(value) || value.length > PEERS_MAX) return undefined;
  const peers: Peer[] = [];
  for (const one of value) {
    const peer = peerFrom(one);
    if (peer === undefined) return undefined;
    peers.push(peer);
  }
  return peers;
}

/** A node as it is named on the wire; undefined when the id is no key, or the address none. */
export function peerFrom(value: unknown): Peer | undefined {
  if (!isFields(value)) return undefined;
  const { id, at } = value;
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  if (typeof at !== 'string' || at.length > ADDRESS_CHARS_MAX || !ADDRESS.test(at))
    return undefined;
  const key = Buffer.from(id, 'base64url');
  // The last letter carries two bits that no byte has: only one way to write a key is its name.
  if (key.length !== KEY_BYTES || key.toString('base64url') !== id) return undefined;
  return { id, place: placeOf(key), at };
}

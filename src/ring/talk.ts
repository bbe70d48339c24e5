/**
 * What nodes of a ring say to each other beside Chord, as bytes: many parts in one message.
 *
 *   version · is it leaving? · its number · the last it has heard · part · part · part …
 *
 *   about an arc   talk-arc.ts: appends and their answers, votes, sums
 *   piece          rows of one bucket, in order; the last says so
 *   call           a question to the owner of an arc, or to the node      answer, elsewhere
 *
 * Chord's own messages are JSON (wire.ts) and begin with a brace: the first byte tells them apart.
 * Bytes that are not exactly such a message are `undefined`, without a throw and without a half.
 */
import { unreachable } from '../base/index.ts';
import type { NodeId } from './arc-log.ts';
import { type ArcTalk, readArcTalk, writeArcTalk } from './talk-arc.ts';
import { BUCKETS_MAX, FieldReader, FieldWriter } from './talk-fields.ts';
import { MESSAGE_BYTES_MAX } from './wire.ts';

export const TALK_VERSION = 1;
/** A question, an answer, or a piece of rows. */
export const TALK_BLOB_BYTES_MAX = 48 * 1024;
/** What a part may take, so that it fits with what is around it. */
export const PART_BYTES_MAX = MESSAGE_BYTES_MAX - 32;
const PIECES_MAX = 65_536;
/**
 * 'report': a node's view of the ring; 'counts': what waits and was fetched in its arcs; 'address':
 * whose turn an address is; 'rules': what all nodes have alike; 'lend': requests of hosts that are
 * hot, and what came of them.
 */
export const TOPICS = [
  ...(['mentions', 'book', 'report', 'counts'] as const),
  ...(['address', 'rules', 'lend'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

export type TalkPart =
  | { readonly kind: 'arc'; readonly arc: number; readonly message: ArcTalk }
  | RowsPiece
  | {
      readonly kind: 'call';
      readonly n: number;
      readonly topic: Topic;
      /** Undefined: a question to the node itself. */
      readonly arc: number | undefined;
      readonly question: Uint8Array;
    }
  | { readonly kind: 'answer'; readonly n: number; readonly answer: Uint8Array }
  /** Ask somebody else, perhaps this one. */
  | { readonly kind: 'elsewhere'; readonly n: number; readonly owner: NodeId | undefined };

export interface RowsPiece {
  readonly kind: 'piece';
  readonly arc: number;
  readonly epoch: number;
  readonly anchor: number;
  readonly bucket: number;
  readonly of: number;
  /** Its place among the pieces of the bucket. */
  readonly part: number;
  readonly isLast: boolean;
  readonly rows: Uint8Array;
}

export interface Talk {
  readonly isLeaving: boolean;
  /** Of this message among those to one node, and of the last that was heard from it. */
  readonly seq: number;
  readonly heard: number;
  readonly parts: readonly TalkPart[];
}

export function isTalk(bytes: Uint8Array): boolean {
  return bytes[0] !== OPEN_BRACE;
}

const OPEN_BRACE = 0x7b;
const KINDS = ['arc', 'piece', 'call', 'answer', 'elsewhere'] as const;
const writer = new FieldWriter();

export function encodePart(part: TalkPart): Uint8Array {
  writer.byte(KINDS.indexOf(part.kind));
  switch (part.kind) {
    case 'arc':
      writer.varint(part.arc);
      writeArcTalk(writer, part.message);
      break;
    case 'piece':
      writer.varint(part.arc).varint(part.epoch).varint(part.anchor).varint(part.of);
      writer.varint(part.bucket).varint(part.part).flag(part.isLast).bytes(part.rows);
      break;
    case 'call':
      writer
        .varint(part.n)
        .byte(TOPICS.indexOf(part.topic))
        .flag(part.arc !== undefined);
      if (part.arc !== undefined) writer.varint(part.arc);
      writer.bytes(part.question);
      break;
    case 'answer':
      writer.varint(part.n).bytes(part.answer);
      break;
    case 'elsewhere':
      writer.varint(part.n).flag(part.owner !== undefined);
      if (part.owner !== undefined) writer.place(part.owner);
      break;
    default:
      unreachable(part);
  }
  return writer.take();
}

/** Parts that were encoded, as one message. */
export function encodeTalk(head: Omit<Talk, 'parts'>, parts: readonly Uint8Array[]): Uint8Array {
  writer.byte(TALK_VERSION).flag(head.isLeaving).varint(head.seq).varint(head.heard);
  for (const part of parts) writer.raw(part);
  return writer.take();
}

export function decodeTalk(bytes: Uint8Array): Talk | undefined {
  if (bytes.length > MESSAGE_BYTES_MAX || bytes[0] !== TALK_VERSION) return undefined;
  try {
    const from = new FieldReader(bytes, 1);
    const head = { isLeaving: from.flag(), seq: from.whole(), heard: from.whole() };
    const parts: TalkPart[] = [];
    while (!from.done) parts.push(readPart(from));
    return { ...head, parts };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPart(from: FieldReader): TalkPart {
  const kind = KINDS[from.byte()];
  switch (kind) {
    case 'arc':
      return { kind, arc: from.arc(), message: readArcTalk(from) };
    case 'piece':
      return readPiece(from);
    case 'call': {
      const n = from.whole();
      const topic = TOPICS[from.byte()];
      if (topic === undefined) throw new RangeError('a topic that nobody knows');
      const arc = from.flag() ? from.arc() : undefined;
      return { kind, n, topic, arc, question: from.blob(TALK_BLOB_BYTES_MAX) };
    }
    case 'answer':
      return { kind, n: from.whole(), answer: from.blob(TALK_BLOB_BYTES_MAX) };
    case 'elsewhere':
      return { kind, n: from.whole(), owner: from.flag() ? from.place() : undefined };
    default:
      throw new RangeError('a part that nobody knows');
  }
}

function readPiece(from: FieldReader): RowsPiece {
  const [arc, epoch, anchor] = [from.arc(), from.whole(), from.whole()];
  const of = from.upTo(BUCKETS_MAX);
  const bucket = from.upTo(of - 1);
  const [part, isLast] = [from.upTo(PIECES_MAX), from.flag()];
  const rows = from.blob(TALK_BLOB_BYTES_MAX);
  return { kind: 'piece', arc, epoch, anchor, bucket, of, part, isLast, rows };
}

/** Messages about an arc (arc-messages.ts) as bytes: a letter for the kind, then its fields. */
import { unreachable } from '../base/index.ts';
import type { ArcMessage } from './arc-messages.ts';
import { BUCKETS_MAX, type FieldReader, type FieldWriter } from './talk-fields.ts';

/** Rows go in pieces of their own: talk.ts. */
export type ArcTalk = Exclude<ArcMessage, { readonly kind: 'rows' }>;

const KINDS = [
  ...(['append', 'have', 'refuse', 'sums', 'want', 'ask', 'vote', 'bless', 'dismiss'] as const),
];

export function writeArcTalk(to: FieldWriter, message: ArcTalk): void {
  to.byte(KINDS.indexOf(message.kind)).varint(message.epoch);
  switch (message.kind) {
    case 'append':
      to.atLeast(message.after).varint(message.commit).charter(message.charter);
      to.float(message.sentAt).entries(message.entries);
      break;
    case 'have':
      to.atLeast(message.index).float(message.sentAt).flag(message.isLeaving);
      break;
    case 'sums':
      to.varint(message.anchor).flag(message.isCheck).charter(message.charter).sums(message.sums);
      break;
    case 'want':
      to.varint(message.anchor).varint(message.of).numbers(message.buckets);
      break;
    case 'ask':
      to.stamp(message.at).flag(message.isTrial).flag(message.isBlessed).float(message.sentAt);
      break;
    case 'vote':
      to.flag(message.isTrial).flag(message.isYes).float(message.sentAt).varint(message.promised);
      to.flag(message.charter !== undefined);
      if (message.charter !== undefined) to.charter(message.charter);
      break;
    case 'bless':
      to.stamp(message.at);
      break;
    case 'refuse':
    case 'dismiss':
      break;
    default:
      unreachable(message);
  }
}

export function readArcTalk(from: FieldReader): ArcTalk {
  const kind = KINDS[from.byte()];
  const epoch = from.whole();
  switch (kind) {
    case 'append':
      return readAppend(from, epoch);
    case 'have':
      return { kind, epoch, index: from.atLeast(), sentAt: from.number(), isLeaving: from.flag() };
    case 'sums':
      return { kind, epoch, ...readSums(from) };
    case 'want':
      return { kind, epoch, ...readWant(from) };
    case 'ask':
      return {
        ...{ kind, epoch, at: from.stamp(), isTrial: from.flag() },
        ...{ isBlessed: from.flag(), sentAt: from.number() },
      };
    case 'vote':
      return readVote(from, epoch);
    case 'bless':
      return { kind, epoch, at: from.stamp() };
    case 'refuse':
    case 'dismiss':
      return { kind, epoch };
    default:
      throw new RangeError('a kind that nobody knows');
  }
}

function readAppend(from: FieldReader, epoch: number): ArcTalk {
  const [after, commit, charter, sentAt] = [
    ...([from.atLeast(), from.whole(), from.charter(), from.number()] as const),
  ];
  const entries = from.entries(after);
  if (after < 0 && entries.length > 0) throw new RangeError('entries after nothing');
  return { kind: 'append', epoch, after, commit, charter, sentAt, entries };
}

function readSums(from: FieldReader) {
  return {
    ...{ anchor: from.whole(), isCheck: from.flag() },
    ...{ charter: from.charter(), sums: from.sums() },
  };
}

function readWant(from: FieldReader) {
  const anchor = from.whole();
  const of = from.upTo(BUCKETS_MAX);
  return { anchor, of, buckets: from.numbers(of) };
}

function readVote(from: FieldReader, epoch: number): ArcTalk {
  const vote = {
    ...({ kind: 'vote', epoch, isTrial: from.flag(), isYes: from.flag() } as const),
    ...{ sentAt: from.number(), promised: from.whole() },
  };
  return from.flag() ? { ...vote, charter: from.charter() } : vote;
}

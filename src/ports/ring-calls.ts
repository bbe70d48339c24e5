/**
 * Questions to other nodes of a ring, and answers to theirs.
 *
 * Promises (crawl/ring-calls.test.ts):
 *   1. askOwner() resolves with what the owner of the arc answered, however often the arc moves in
 *      between; it rejects only when this node is closed. The question may be heard more than once.
 *   2. Questions about one arc arrive in the order in which this node asked, each after the answer to
 *      the one before.
 *   3. A handler is asked about an arc only where this node may act for it; if it throws NotOurs, the
 *      asker looks for the owner again. Any other error is logged, and looks like silence.
 *   4. tryOwner() waits for no other question, and is over after `ms`, answered or not.
 */
import type { Peer, Topic } from '../ring/index.ts';

export type { Topic } from '../ring/index.ts';

/** A question or an answer, at most: it fits into one message. */
export const CALL_BYTES_MAX = 48 * 1024;

/** `arc` is undefined in a question to this node itself; `from` is who asks, beyond doubt. */
export type CallHandler = (
  question: Uint8Array,
  arc: number | undefined,
  from: Peer,
) => Promise<Uint8Array>;

export interface RingCalls {
  askOwner(arc: number, topic: Topic, question: Uint8Array): Promise<Uint8Array>;
  /** Undefined when no owner answered in that time; it may have heard the question all the same. */
  tryOwner(
    arc: number,
    topic: Topic,
    question: Uint8Array,
    ms: number,
  ): Promise<Uint8Array | undefined>;
  /** Of one node, about no arc; undefined when it does not answer in time. */
  askNode(to: Peer, topic: Topic, question: Uint8Array): Promise<Uint8Array | undefined>;
  /** Bytes of others: believe nothing. */
  serve(topic: Topic, answer: CallHandler): void;
}

/**
 * Questions on a ring may be heard more than once: an answer is lost, and it is asked again. Each
 * says who asks, and which of its questions it is, so that what it asks for is done once.
 *
 *   question   caller(8) number(6) body
 *
 * A caller asks about one arc in order, each question after the answer to the one before: whoever
 * answers need only remember the last of each. It forgets them when it dies; what must not be done
 * twice even then says so in its rows (ring-book.ts).
 */
import { createHash } from 'node:crypto';

const CALLER_BYTES = 8;
const NUMBER_BYTES = 6;
export const HEAD_BYTES = CALLER_BYTES + NUMBER_BYTES;
const CALLERS_MAX = 4_096;

export class Caller {
  readonly #id: Uint8Array;
  #last = 0;

  /** The name of this process and of no other, ever. */
  constructor(holder: string) {
    this.#id = createHash('sha256').update(holder).digest().subarray(0, CALLER_BYTES);
  }

  question(body: Uint8Array): Buffer {
    const head = Buffer.alloc(HEAD_BYTES);
    head.set(this.#id);
    head.writeUIntBE(++this.#last, CALLER_BYTES, NUMBER_BYTES);
    return Buffer.concat([head, body]);
  }
}

/** What callers asked last, and what became of it. */
export class Heard<Answer> {
  readonly #last = new Map<string, { readonly head: string; readonly answer: Promise<Answer> }>();

  /** Undefined when it is no question; what fails is done again when it is heard again. */
  once(
    question: Uint8Array,
    work: (body: Uint8Array, head: string) => Promise<Answer>,
  ): Promise<Answer> | undefined {
    if (question.length < HEAD_BYTES) return undefined;
    const head = Buffer.from(question.subarray(0, HEAD_BYTES)).toString('hex');
    const caller = head.slice(0, 2 * CALLER_BYTES);
    const known = this.#last.get(caller);
    if (known?.head === head) return known.answer;
    const answer = work(question.subarray(HEAD_BYTES), head);
    this.#last.delete(caller);
    this.#last.set(caller, { head, answer });
    answer.catch(() => {
      if (this.#last.get(caller)?.answer === answer) this.#last.delete(caller);
    });
    const [oldest] = this.#last.keys();
    if (this.#last.size > CALLERS_MAX && oldest !== undefined) this.#last.delete(oldest);
    return answer;
  }
}

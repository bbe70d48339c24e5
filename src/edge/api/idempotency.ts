/**
 * One key, one answer: a call that is sent again because nobody knows whether it arrived is
 * answered as it was the first time, and not done twice. Kept in memory for a day, the last
 * ten thousand: after a restart a key is new, but for that of a job, which is in its book. Other
 * calls that are sent again then do no harm.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, type Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WebAnswer, WebCall } from '../../ports/web-server.ts';
import { problem } from './problem.ts';

const KEYS_MAX = 10_000;
/** Answers with lists of refused URLs are some kilobytes each. */
const KEPT_CHARS_MAX = 16 * 1024 ** 2;
const KEY = /^[\x21-\x7e]{1,255}$/;

interface Kept {
  readonly digest: string;
  readonly at: Instant;
  readonly answer: Promise<WebAnswer>;
  chars: number;
}

export class Idempotency {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #chars = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets the first call with a key act; others are answered with what became of it. */
  async once(call: WebCall, act: () => Promise<WebAnswer>): Promise<WebAnswer> {
    const given = call.headers['idempotency-key'];
    if (given === undefined) return act();
    if (typeof given !== 'string' || !KEY.test(given)) return WRONG_KEY;
    const { name, digest } = keyIn(call) as CallKey;
    const known = this.#kept.get(name);
    if (known !== undefined && this.#clock.now() - known.at < DAY_MS) {
      if (known.digest !== digest) return REUSED;
      const answer = await known.answer;
      return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
    }
    return this.#act(name, digest, act);
  }

  async #act(name: string, digest: string, act: () => Promise<WebAnswer>): Promise<WebAnswer> {
    this.#drop(name);
    const kept: Kept = { digest, at: this.#clock.now(), answer: act(), chars: 0 };
    this.#kept.set(name, kept);
    try {
      const answer = await kept.answer;
      if (answer.status >= 500) this.#drop(name);
      else this.#weigh(kept, answer);
      return answer;
    } catch (error) {
      this.#drop(name);
      throw error;
    }
  }

  #weigh(kept: Kept, { body }: WebAnswer): void {
    kept.chars = typeof body === 'string' ? body.length : 0;
    this.#chars += kept.chars;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEYS_MAX && this.#chars <= KEPT_CHARS_MAX) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#chars -= this.#kept.get(name)?.chars ?? 0;
    this.#kept.delete(name);
  }
}

/** A call's own name, and what it says: both hashed, because a token is part of the name. */
export interface CallKey {
  readonly name: string;
  readonly digest: string;
}

export function keyIn({ path, headers, body }: WebCall): CallKey | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const name = hash(`${path} ${headers.authorization ?? ''} ${given}`);
  return { name, digest: hash(JSON.stringify(body) ?? '') };
}

export const REUSED = problem('key-reused', 'The first request with this key had another body.');
const WRONG_KEY = problem('invalid', 'An Idempotency-Key has 1 to 255 visible characters.', {}, [
  { in: 'header', pointer: '/Idempotency-Key', detail: 'is not 1 to 255 visible characters' },
]);

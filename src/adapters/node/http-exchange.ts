/**
 * One request and what came of it: what a connection tells, as a small state machine.
 *
 *   connect → first-byte → body → settled
 *
 * Each phase has a deadline; the whole has one too. Whatever happens first settles the exchange,
 * once; all that is heard later is ignored. One object and one promise per request.
 */
import type { Instant } from '../../base/instant.ts';
import { mediaTypeOf } from '../../fetch/media-type.ts';
import type { Answered, FailureReason, Outcome, Truncation } from '../../fetch/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { BodyCollector } from './http-body.ts';
import type { Deadlines, Watched } from './http-deadlines.ts';
import type { Fault } from './http-errors.ts';
import type { Answering, Asking } from './http-h1.ts';
import type { Line } from './http-line.ts';

export interface Surroundings {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** A fresh line means one with a connection of its own. */
  readonly lineTo: (request: HttpRequest, isFresh: boolean) => Line;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

type Phase = 'connect' | 'first-byte' | 'body' | 'settled';

/** An unwanted body this small is read to its end: cheaper than a new connection. */
const DRAINED_BYTES_MAX = 32 * 1024;

export class Exchange implements Answering, Watched {
  slot = -1;
  readonly #around: Surroundings;
  readonly #request: HttpRequest;
  readonly #asking: Asking;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: (outcome: Outcome) => void;
  readonly #startedAt: Instant;
  readonly #body = new BodyCollector();
  #line: Line;
  #phase: Phase = 'connect';
  #phaseEndsAt: Instant;
  #retried = false;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #head: string | undefined;
  #announced = 0;
  #headersAt: Instant = 0;
  #isDraining = false;

  constructor(
    around: Surroundings,
    request: HttpRequest,
    asking: Asking,
    signal: AbortSignal | undefined,
    settle: (outcome: Outcome) => void,
  ) {
    this.#around = around;
    this.#request = request;
    this.#asking = asking;
    this.#signal = signal;
    this.#settle = settle;
    this.#startedAt = around.clock.now();
    this.#phaseEndsAt = this.#startedAt + request.limits.connectMs;
    this.#line = around.lineTo(request, false);
  }

  start(): void {
    this.#around.deadlines.add(this);
    this.#line.ask(this.#asking, this);
  }

  /** Called on every tick: the one place where time and the caller's signal are looked at. */
  check(now: Instant): void {
    if (this.#signal?.aborted) {
      this.abort('stopped by the caller');
      return;
    }
    if (this.#request.mayStill?.() === false) {
      this.abort('not ours to ask any more');
      return;
    }
    const { limits } = this.#request;
    const isWholeOver = now - this.#startedAt >= limits.wholeMs;
    if (this.#phase === 'body') {
      if (isWholeOver) this.#answer(this.#isDraining ? 'unwanted-type' : 'time-limit');
    } else if (isWholeOver) {
      this.#fail('whole-timeout', `no answer in ${limits.wholeMs} ms`);
    } else if (now >= this.#phaseEndsAt) {
      if (this.#phase === 'connect') {
        this.#fail('connect-timeout', `no connection in ${limits.connectMs} ms`);
      } else this.#fail('first-byte-timeout', `no answer in ${limits.firstByteMs} ms`);
    }
  }

  abort(why: string): void {
    this.#fail('aborted', why);
  }

  onAsked(): boolean {
    if (this.#phase === 'settled') return false;
    if (this.#request.mayStill?.() === false) {
      this.abort('not ours to ask any more');
      return false;
    }
    const now = this.#line.wasIdle ? this.#startedAt : this.#around.clock.now();
    // Connected as this process was stopped: it is too late now, whatever woke us first.
    if (now >= this.#phaseEndsAt) {
      this.#fail('connect-timeout', `no connection in ${this.#request.limits.connectMs} ms`);
      return false;
    }
    this.#phase = 'first-byte';
    this.#phaseEndsAt = now + this.#request.limits.firstByteMs;
    return true;
  }

  onHead(
    status: number,
    headers: Readonly<Record<string, string>>,
    bodyBytes: number,
    text?: string,
  ): void {
    if (this.#phase === 'settled') return;
    this.#phase = 'body';
    this.#headersAt = this.#around.clock.now();
    this.#status = status;
    this.#headers = headers;
    this.#head = text;
    this.#announced = bodyBytes;
    if (bodyBytes === 0) return;
    if (!this.#request.wants(mediaTypeOf(headers['content-type']))) this.#skipBody();
  }

  onBody(bytes: Buffer, from: number, to: number): void {
    if (this.#phase === 'settled' || this.#isDraining) return;
    const { bodyBytes } = this.#request.limits;
    const room = bodyBytes - this.#body.length;
    const expected = Math.min(this.#announced, bodyBytes);
    if (to - from <= room) this.#body.add(bytes, from, to, expected);
    else {
      if (room > 0) this.#body.add(bytes, from, from + room, expected);
      this.#answer('body-limit');
    }
  }

  onEnd(): void {
    if (this.#phase === 'settled') return;
    const now = this.#around.clock.now();
    this.#conclude(this.#isDraining ? 'unwanted-type' : undefined, now);
    this.#line.give(now);
  }

  onFault(fault: Fault): void {
    if (this.#phase === 'settled') return;
    const { reason, detail, truncation, isSilent } = fault;
    if (this.#phase === 'body') {
      if (this.#isDraining) this.#answer('unwanted-type');
      else this.#answer(this.#announced === 0 ? undefined : truncation);
    } else if (reason === 'refused') this.#refuse(detail);
    else if (isSilent && this.#line.wasIdle && !this.#retried) this.#retry();
    else this.#fail(reason, detail);
  }

  /** The server closed an idle connection as we wrote to it: GET may be asked again (RFC 9110). */
  #retry(): void {
    this.#retried = true;
    this.#line.drop();
    this.#phase = 'connect';
    this.#phaseEndsAt = this.#around.clock.now() + this.#request.limits.connectMs;
    this.#line = this.#around.lineTo(this.#request, true);
    this.#line.ask(this.#asking, this);
  }

  #skipBody(): void {
    if (this.#announced > 0 && this.#announced <= DRAINED_BYTES_MAX) this.#isDraining = true;
    else this.#answer('unwanted-type');
  }

  /** An answer that did not end as it should: its connection is of no more use. */
  #answer(truncated: Truncation | undefined): void {
    this.#conclude(truncated, this.#around.clock.now());
    this.#line.drop();
  }

  #conclude(truncated: Truncation | undefined, now: Instant): void {
    const { connectMs, tls, tlsError, remoteAddress, httpVersion } = this.#line;
    const startedAt = this.#startedAt;
    const firstByteMs = this.#headersAt - startedAt;
    const wholeMs = now - startedAt;
    const outcome: Writable<Answered> = {
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: this.#body.take(),
      remoteAddress,
      httpVersion,
      timing:
        connectMs === undefined
          ? { startedAt, firstByteMs, wholeMs }
          : { startedAt, connectMs, firstByteMs, wholeMs },
    };
    if (this.#head !== undefined) outcome.head = this.#head;
    if (tls !== undefined) outcome.tls = tls;
    if (truncated !== undefined) outcome.truncated = truncated;
    if (tlsError !== undefined) outcome.tlsError = tlsError;
    this.#end(outcome);
  }

  #fail(reason: FailureReason, detail: string): void {
    if (this.#phase === 'settled') return;
    const endedAt = this.#around.clock.now();
    this.#end({ kind: 'failed', reason, detail, startedAt: this.#startedAt, endedAt });
    this.#line.drop();
  }

  #refuse(detail: string): void {
    this.#end({ kind: 'refused', address: this.#request.address, detail });
    this.#line.drop();
  }

  #end(outcome: Outcome): void {
    this.#phase = 'settled';
    this.#around.deadlines.remove(this);
    this.#settle(outcome);
  }
}

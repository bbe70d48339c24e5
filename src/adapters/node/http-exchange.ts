/**
 * One request and what came of it: the handler that undici calls, as a small state machine.
 *
 *   connect → first-byte → body → settled
 *
 * Each phase has a deadline; the whole has one too. Whatever happens first settles the exchange,
 * once; all that is heard later is ignored. One object and one promise per request.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Instant } from '../../base/instant.ts';
import { mediaTypeOf } from '../../fetch/media-type.ts';
import type { FailureReason, Outcome, Truncation } from '../../fetch/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { BodyCollector } from './http-body.ts';
import type { Deadlines, Watched } from './http-deadlines.ts';
import { failureOf, isSilentClose, truncationOf } from './http-errors.ts';
import type { Line } from './http-line.ts';

export interface Surroundings {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** A fresh line means one with a connection of its own. */
  readonly lineTo: (request: HttpRequest, isFresh: boolean) => Line;
}

type Phase = 'connect' | 'first-byte' | 'body' | 'settled';

/** Interim answers (1xx) that we bear before the final one. */
const INTERIM_MAX = 8;

/** An unwanted body this small is read to its end: cheaper than a new connection. */
const DRAINED_BYTES_MAX = 32 * 1024;

export class Exchange implements Dispatcher.DispatchHandler, Watched {
  slot = -1;
  readonly #around: Surroundings;
  readonly #request: HttpRequest;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: (outcome: Outcome) => void;
  readonly #startedAt: Instant;
  readonly #body = new BodyCollector();
  #line: Line;
  #controller: Dispatcher.DispatchController | undefined;
  #phase: Phase = 'connect';
  #phaseEndsAt: Instant;
  #interim = 0;
  #retried = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #announced = 0;
  #headersAt: Instant = 0;
  #isDraining = false;

  constructor(
    around: Surroundings,
    request: HttpRequest,
    options: Dispatcher.DispatchOptions,
    signal: AbortSignal | undefined,
    settle: (outcome: Outcome) => void,
  ) {
    this.#around = around;
    this.#request = request;
    this.#options = options;
    this.#signal = signal;
    this.#settle = settle;
    this.#startedAt = around.clock.now();
    this.#phaseEndsAt = this.#startedAt + request.limits.connectMs;
    this.#line = around.lineTo(request, false);
  }

  start(): void {
    this.#around.deadlines.add(this);
    this.#line.dispatch(this.#options, this);
  }

  /** Called on every tick: the one place where time and the caller's signal are looked at. */
  check(now: Instant): void {
    if (this.#signal?.aborted) {
      this.abort('stopped by the caller');
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

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#phase === 'settled' || this.#phase === 'body') {
      controller.abort(new Error('already settled'));
      return;
    }
    this.#controller = controller;
    this.#phase = 'first-byte';
    this.#phaseEndsAt = this.#around.clock.now() + this.#request.limits.firstByteMs;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (this.#phase === 'settled') return;
    if (status < 200) {
      if (++this.#interim > INTERIM_MAX) this.#fail('protocol', 'too many 1xx answers');
      return;
    }
    this.#phase = 'body';
    this.#headersAt = this.#around.clock.now();
    this.#status = status;
    this.#headers = joined(headers);
    this.#announced = Number.parseInt(this.#headers['content-length'] ?? '0', 10) || 0;
    if (!this.#hasBody()) return;
    if (!this.#request.wants(mediaTypeOf(this.#headers['content-type']))) this.#skipBody();
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#phase === 'settled' || this.#isDraining) return;
    const room = this.#request.limits.bodyBytes - this.#body.length;
    if (chunk.length <= room) this.#body.add(chunk, this.#announced);
    else {
      if (room > 0) this.#body.add(chunk.subarray(0, room), this.#announced);
      this.#answer('body-limit');
    }
  }

  onResponseEnd(): void {
    if (this.#phase === 'settled') return;
    const line = this.#line;
    this.#answer(this.#isDraining ? 'unwanted-type' : undefined, true);
    line.give();
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#phase === 'settled') return;
    if (this.#phase === 'body') {
      if (this.#isDraining) this.#answer('unwanted-type');
      else this.#answer(this.#hasBody() ? truncationOf(error, this.#announced) : undefined);
      return;
    }
    const { fault, wasIdle } = this.#line;
    if (fault?.reason === 'refused') this.#refuse(fault.detail);
    else if (fault !== undefined) this.#fail(fault.reason as FailureReason, fault.detail);
    else if (wasIdle && !this.#retried && isSilentClose(error)) this.#retry();
    else {
      const { reason, detail } = failureOf(error);
      this.#fail(reason, detail);
    }
  }

  /** The server closed an idle connection as we wrote to it: GET may be asked again (RFC 9110). */
  #retry(): void {
    this.#retried = true;
    this.#line.drop(this.#controller);
    this.#phase = 'connect';
    this.#phaseEndsAt = this.#around.clock.now() + this.#request.limits.connectMs;
    this.#line = this.#around.lineTo(this.#request, true);
    this.#line.dispatch(this.#options, this);
  }

  #hasBody(): boolean {
    if (this.#status === 204 || this.#status === 304) return false;
    return this.#announced > 0 || this.#headers['content-length'] === undefined;
  }

  #skipBody(): void {
    if (this.#announced > 0 && this.#announced <= DRAINED_BYTES_MAX) this.#isDraining = true;
    else this.#answer('unwanted-type');
  }

  #answer(truncated: Truncation | undefined, isClean = false): void {
    const line = this.#line;
    const { connectMs, tlsError } = line;
    this.#end({
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: this.#body.take(),
      remoteAddress: line.remoteAddress,
      httpVersion: line.httpVersion,
      timing: {
        startedAt: this.#startedAt,
        firstByteMs: this.#headersAt - this.#startedAt,
        wholeMs: this.#around.clock.now() - this.#startedAt,
        ...(connectMs !== undefined && { connectMs }),
      },
      ...(truncated !== undefined && { truncated }),
      ...(tlsError !== undefined && { tlsError }),
    });
    if (!isClean) line.drop(this.#controller);
  }

  #fail(reason: FailureReason, detail: string): void {
    if (this.#phase === 'settled') return;
    const endedAt = this.#around.clock.now();
    this.#end({ kind: 'failed', reason, detail, startedAt: this.#startedAt, endedAt });
    this.#line.drop(this.#controller);
  }

  #refuse(detail: string): void {
    this.#end({ kind: 'refused', address: this.#request.address, detail });
    this.#line.drop(this.#controller);
  }

  #end(outcome: Outcome): void {
    this.#phase = 'settled';
    this.#around.deadlines.remove(this);
    this.#settle(outcome);
  }
}

/** Repeated fields come as lists; all others are left as they are, in the object they came in. */
function joined(headers: IncomingHttpHeaders): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) {
      (headers as Record<string, string>)[name] = value.join(name === 'set-cookie' ? '\n' : ', ');
    }
  }
  return headers as Record<string, string>;
}

/**
 * The web's second face: the `http` and `resolver` ports without sockets, in any clock's time.
 *
 * An exchange takes as long as it would on a network of some tens of milliseconds, and ends as a
 * real one would under the request's limits. The log is the same as the servers' (log.ts).
 */
import { unreachable } from '../src/base/assert.ts';
import type { Instant } from '../src/base/instant.ts';
import type { Answered, FailureReason, Outcome, Truncation } from '../src/fetch/outcome.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Http, HttpRequest } from '../src/ports/http.ts';
import { EMPTY, splitUrl, type WebAnswer, whole } from './exchange.ts';
import { mix, SALT } from './hash.ts';
import { RequestLog, TRIPWIRE } from './log.ts';
import { Recall } from './recall.ts';
import type { Web } from './web.ts';

export interface MemoryOptions {
  /** The product token that requests are expected to name. */
  readonly agent?: string;
  /** From the request to the first byte of an answer that is not slow. */
  readonly latencyMs?: (host: string) => number;
}

const BYTES_PER_MS = 10_000;

export function webHttp(
  web: Web,
  clock: Clock,
  options: MemoryOptions = {},
): Http & { readonly log: RequestLog } {
  const recall = new Recall(web);
  const log = new RequestLog(web);
  const own = new Map([...web.hosts].map((host) => [host.name, host.address]));
  for (const special of web.specials) own.set(special.hostName, special.address);
  const latencyMs = options.latencyMs ?? ((name) => 5 + (mix(SALT.latency, textHash(name)) % 75));
  const agent = options.agent ?? 'Orbweaver';
  return {
    log,
    async exchange(request, signal) {
      const startedAt = clock.now();
      const { name, path } = splitUrl(request.url);
      const astray = own.get(name) !== request.address;
      if (astray && !isInside(request.address)) {
        return failed('connect', `nothing listens on ${request.address}`, startedAt, startedAt);
      }
      const { headers, url } = request;
      const asked = { url, method: 'GET', headers, atMs: startedAt };
      const answer = astray ? whole(200, {}, Buffer.from('secret')) : recall.answer(asked);
      const row = log.begin({
        host: log.hostId(astray ? TRIPWIRE : name),
        resource: astray ? -1 : answer.resource,
        path,
        atMs: startedAt,
        status: answer.status,
        named: (headers['user-agent'] ?? '').includes(agent),
      });
      const ending = endingOf(answer, request, latencyMs(name));
      await clock.sleepUntil(startedAt + ending.afterMs, signal);
      const endedAt = clock.now();
      log.end(row, endedAt);
      if (signal?.aborted === true) return failed('aborted', 'aborted', startedAt, endedAt);
      return outcomeOf(ending, answer, request, startedAt, endedAt);
    },
    close: async () => {},
  };
}

/** How an exchange ends, and when; `reason` where no usable answer arrived. */
interface Ending {
  readonly afterMs: number;
  readonly firstByteMs: number;
  readonly body: Uint8Array;
  readonly truncated?: Truncation;
  readonly reason?: FailureReason;
}

function endingOf(answer: WebAnswer, request: HttpRequest, latencyMs: number): Ending {
  const { limits } = request;
  const firstByteMs = latencyMs + answer.delayMs;
  const fails = (reason: FailureReason, afterMs = firstByteMs): Ending => ({
    afterMs,
    firstByteMs,
    body: EMPTY,
    reason,
  });
  const { body } = answer;
  if (firstByteMs > limits.firstByteMs) return fails('first-byte-timeout', limits.firstByteMs);
  switch (body.kind) {
    case 'silence':
    case 'drip-head':
      return fails('first-byte-timeout', limits.firstByteMs);
    case 'header-flood':
      return fails('header-limit');
    case 'garbage':
    case 'broken-chunk':
      return fails('protocol');
    case 'reset':
      return fails('closed');
    case 'whole':
      return transfer([body.bytes], 0, answer, request, firstByteMs);
    case 'stream':
      return transfer(body.chunks(), body.everyMs, answer, request, firstByteMs);
    case 'cut':
      return {
        ...transfer([body.bytes], 0, answer, request, firstByteMs),
        truncated: 'connection-closed',
      };
    case 'false-length': {
      const sent = body.bytes.subarray(0, body.declared);
      const ending = transfer([sent], 0, answer, request, firstByteMs);
      return body.declared > sent.length ? { ...ending, truncated: 'length-mismatch' } : ending;
    }
    default:
      return unreachable(body);
  }
}

/** Reads until the body ends or a limit does; never holds more than the limit and one chunk. */
function transfer(
  chunks: Iterable<Uint8Array>,
  everyMs: number,
  answer: WebAnswer,
  request: HttpRequest,
  firstByteMs: number,
): Ending {
  const { limits } = request;
  const type = (answer.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (answer.status === 200 && !request.wants(type)) {
    return { afterMs: firstByteMs, firstByteMs, body: EMPTY, truncated: 'unwanted-type' };
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let afterMs = firstByteMs;
  const done = (truncated?: Truncation): Ending => {
    const body = Buffer.concat(parts).subarray(0, limits.bodyBytes);
    return { afterMs, firstByteMs, body, ...(truncated === undefined ? {} : { truncated }) };
  };
  for (const chunk of chunks) {
    afterMs += everyMs + chunk.length / BYTES_PER_MS;
    if (afterMs > limits.wholeMs) {
      afterMs = limits.wholeMs;
      return done('time-limit');
    }
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > limits.bodyBytes) return done('body-limit');
  }
  return done();
}

function outcomeOf(
  ending: Ending,
  answer: WebAnswer,
  request: HttpRequest,
  startedAt: Instant,
  endedAt: Instant,
): Outcome {
  const { reason, truncated, body, firstByteMs } = ending;
  if (reason !== undefined) {
    return failed(reason, `${reason} after ${ending.afterMs} ms`, startedAt, endedAt);
  }
  const answered: Answered = {
    kind: 'answered',
    status: answer.status,
    headers: answer.headers,
    body,
    remoteAddress: request.address,
    httpVersion: '1.1',
    timing: { startedAt, firstByteMs, wholeMs: endedAt - startedAt },
  };
  return truncated === undefined ? answered : { ...answered, truncated };
}

function failed(
  reason: FailureReason,
  detail: string,
  startedAt: Instant,
  endedAt: Instant,
): Outcome {
  return { kind: 'failed', reason, detail, startedAt, endedAt };
}

/** Where the tripwire is: a crawler that connects there reads a secret. */
const isInside = (address: string): boolean =>
  ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '169.254.169.254'].includes(address);

function textHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

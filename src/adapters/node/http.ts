/**
 * The `Http` port over sockets of our own: what the crawl's requests go out through.
 *
 *   http.ts            here: a request becomes an exchange on a line
 *   http-exchange.ts   one request and what came of it
 *   http-lines.ts      connections kept open, bounded      http-line.ts      one of them
 *   http-connect.ts    opening a socket                    http-proxy.ts     through a proxy
 *   http-h1.ts         HTTP/1 on it                        http-h2.ts        HTTP/2 on it
 *   http-request.ts    what goes out                       http-body.ts      collecting a body
 *   http-deadlines.ts  one timer for all                   http-errors.ts    errors into outcomes
 */
import { type AddressRules, addressVerdict } from '../../fetch/address.ts';
import type { FailureReason, Outcome } from '../../fetch/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Http, HttpRequest } from '../../ports/http.ts';
import type { SignRequest } from '../../sign/index.ts';
import { Deadlines } from './http-deadlines.ts';
import { Exchange, type Surroundings } from './http-exchange.ts';
import type { Line } from './http-line.ts';
import { Lines } from './http-lines.ts';
import { proxyOf } from './http-proxy.ts';
import { fieldsText } from './http-request.ts';

export interface HttpOptions {
  readonly clock: Clock;
  readonly addresses: AddressRules;
  /** H3: take a page over TLS that cannot be trusted, and say so in `tlsError`. */
  readonly acceptBadTls?: boolean;
  readonly allowH2?: boolean;
  readonly openLinesMax?: number;
  /** How long a connection may idle before we close it; a server's own hint may shorten it. */
  readonly idleMs?: number;
  /** `http://user:password@host:port`; see http-proxy.ts for what it changes. */
  readonly proxy?: string;
  /** Signs every request, as it goes out (P8). */
  readonly sign?: SignRequest | undefined;
}

export interface NodeHttp extends Http {
  stats(): { readonly inFlight: number; readonly open: number; readonly idle: number };
}

export function openHttp(options: HttpOptions): NodeHttp {
  return new SocketHttp(options);
}

class SocketHttp implements NodeHttp {
  readonly #addresses: AddressRules;
  readonly #sign: SignRequest | undefined;
  readonly #lines: Lines;
  readonly #around: Surroundings;
  #isClosed = false;

  constructor(options: HttpOptions) {
    const { clock, addresses, acceptBadTls = false, allowH2 = true } = options;
    const { openLinesMax = 2_000, idleMs = 15_000 } = options;
    this.#addresses = addresses;
    this.#sign = options.sign;
    const proxy = options.proxy === undefined ? undefined : proxyOf(options.proxy);
    const rules = { clock, addresses, acceptBadTls, allowH2, openLinesMax, idleMs, proxy };
    this.#lines = new Lines(rules);
    this.#around = {
      clock,
      deadlines: new Deadlines(clock),
      lineTo: (request, isFresh) => this.#lineTo(request, isFresh),
    };
  }

  exchange(request: HttpRequest, signal?: AbortSignal): Promise<Outcome> {
    const refused = this.#refusal(request, signal);
    if (refused !== undefined) return Promise.resolve(refused);
    const { url, headers } = request;
    const asking = { path: pathOf(url), fields: headers, sign: this.#sign };
    return new Promise((settle) => {
      try {
        fieldsText(headers);
        new Exchange(this.#around, request, asking, signal, settle).start();
      } catch (error) {
        settle(this.#unasked('protocol', (error as Error).message));
      }
    });
  }

  stats(): { inFlight: number; open: number; idle: number } {
    const { openCount, idleCount } = this.#lines;
    return { inFlight: this.#around.deadlines.size, open: openCount, idle: idleCount };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const one of this.#around.deadlines.snapshot()) (one as Exchange).abort('closing');
    this.#around.deadlines.stop();
    this.#lines.close();
  }

  #refusal(request: HttpRequest, signal: AbortSignal | undefined): Outcome | undefined {
    if (this.#isClosed) return this.#unasked('aborted', 'closed');
    if (signal?.aborted) return this.#unasked('aborted', 'stopped by the caller');
    if (!ASKABLE.test(request.url)) return this.#unasked('protocol', 'not a URL that can be asked');
    const verdict = addressVerdict(request.address, this.#addresses);
    if (verdict.allowed) return undefined;
    return { kind: 'refused', address: request.address, detail: verdict.why };
  }

  #unasked(reason: FailureReason, detail: string): Outcome {
    const now = this.#around.clock.now();
    return { kind: 'failed', reason, detail, startedAt: now, endedAt: now };
  }

  #lineTo(request: HttpRequest, isFresh: boolean): Line {
    const origin = originOf(request.url);
    const { address, limits } = request;
    const place = { origin, address, headerBytes: limits.headerBytes };
    return isFresh ? this.#lines.open(place) : this.#lines.take(place);
  }
}

/** What canonical URLs look like; anything else never reaches a socket. */
const ASKABLE = /^https?:\/\/(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?\/[\x21-\x7e]*$/;

/** URLs arrive canonical: `scheme://host[:port]/path[?query]`, which needs no parser. */
function originOf(url: string): string {
  return url.slice(0, pathStart(url));
}

function pathOf(url: string): string {
  const fragment = url.indexOf('#');
  return url.slice(pathStart(url), fragment === -1 ? undefined : fragment);
}

function pathStart(url: string): number {
  return url.indexOf('/', 8);
}

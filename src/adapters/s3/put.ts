/**
 * Writing an object in one request, over lines that are kept: a fraction of what the driver
 * needs for it (sign.ts). Where the bucket is, and who we are, is still found by the driver.
 *
 * What the server refuses is thrown as the driver throws it, so that problems.ts knows both.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../ports/clock.ts';
import { type Credentials, encodedPath, Signer } from './sign.ts';

/** Where the driver asks for a bucket: its requests for the bucket itself go to `path`. */
export interface Bucket {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
}

export interface PutOptions {
  readonly region: string;
  readonly clock: Clock;
  readonly credentials: () => Promise<Credentials>;
  readonly attemptMs: number;
  readonly lines: number;
}

export interface NewObject {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly encoding: string | undefined;
  /** Only where nothing is. */
  readonly isFirst: boolean;
}

const TYPE = 'application/octet-stream';
/** What a server says about a refusal is short. */
const WORDS_MAX = 16 * 1024;

export class Putter {
  readonly #bucket: Bucket;
  readonly #options: PutOptions;
  readonly #signer: Signer;
  readonly #host: string;
  readonly #agent: HttpAgent;
  readonly #send: typeof httpRequest;
  /** How far the server's clock is from ours. */
  #skewMs = 0;

  constructor(bucket: Bucket, options: PutOptions) {
    this.#bucket = bucket;
    this.#options = options;
    this.#signer = new Signer(options.region);
    this.#host = bucket.port ? `${bucket.hostname}:${bucket.port}` : bucket.hostname;
    const isTls = bucket.protocol === 'https:';
    const kept = { keepAlive: true, maxSockets: options.lines, scheduling: 'lifo' as const };
    this.#agent = isTls ? new HttpsAgent(kept) : new HttpAgent(kept);
    this.#send = isTls ? httpsRequest : httpRequest;
  }

  async put({ key, bytes, encoding, isFirst }: NewObject, signal: AbortSignal): Promise<void> {
    const { clock, credentials } = this.#options;
    const path = `${this.#bucket.path.replace(/\/$/, '')}/${encodedPath(key)}`;
    const headers = {
      ...{ host: this.#host, 'content-type': TYPE, 'content-length': `${bytes.length}` },
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      ...(isFirst && { 'if-none-match': '*' }),
    };
    const request = { method: 'PUT', path, headers, body: bytes };
    const at = clock.now() + this.#skewMs;
    const answer = await this.#ask(
      path,
      this.#signer.signed(request, await credentials(), at),
      bytes,
      signal,
    );
    if (answer.status >= 200 && answer.status < 300) return;
    const error = refusalOf(answer);
    if (error.name === 'RequestTimeTooSkewed' && answer.date !== undefined) {
      this.#skewMs = Date.parse(answer.date) - clock.now() || 0;
    }
    throw error;
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(
    path: string,
    headers: Record<string, string>,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { hostname: host, port } = this.#bucket;
    const timeout = this.#options.attemptMs;
    const line = { agent: this.#agent, host, ...(port && { port }), timeout };
    return new Promise((resolve, reject) => {
      const request = this.#send({ ...line, method: 'PUT', path, headers, signal });
      request.once('timeout', () => {
        request.destroy(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }));
      });
      request.once('error', reject);
      request.once('response', (response) => answerOf(response).then(resolve, reject));
      request.end(bytes);
    });
  }
}

interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly words: string;
}

/** Events, not iteration: an answer is read for every page. */
function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  let words = '';
  return new Promise((resolve, reject) => {
    response.on('data', (piece: Buffer) => {
      if (words.length < WORDS_MAX) words += piece.toString('utf8');
    });
    response.once('error', reject);
    response.once('aborted', () => reject(new Error('the line broke')));
    response.once('end', () => resolve({ status, date: headers.date, words }));
  });
}

/** As the driver makes it of the server's XML. */
function refusalOf({ status, words }: Answer): Error {
  const inside = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(words)?.[1];
  const message = inside('Message') ?? `the server answered with ${status}`;
  const error = Object.assign(new Error(message), { $metadata: { httpStatusCode: status } });
  error.name = inside('Code') ?? `Status${status}`;
  return error;
}

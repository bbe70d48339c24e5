/**
 * Writing an object in one request, over lines that are kept: a fraction of what the driver
 * needs for it (sign.ts). Where the bucket is, and who we are, is still found by the driver.
 *
 * What the server refuses is thrown as the driver throws it, so that problems.ts knows both.
 */
import type { Clock } from '../../ports/clock.ts';
import { type Answer, PutLines } from './lines.ts';
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

export class Putter {
  readonly #bucket: Bucket;
  readonly #options: PutOptions;
  readonly #signer: Signer;
  readonly #host: string;
  readonly #lines: PutLines;
  /** How far the server's clock is from ours. */
  #skewMs = 0;

  constructor(bucket: Bucket, options: PutOptions) {
    this.#bucket = bucket;
    this.#options = options;
    this.#signer = new Signer(options.region);
    this.#host = bucket.port ? `${bucket.hostname}:${bucket.port}` : bucket.hostname;
    const isTls = bucket.protocol === 'https:';
    const port = bucket.port ?? (isTls ? 443 : 80);
    this.#lines = new PutLines({ ...options, isTls, hostname: bucket.hostname, port });
  }

  /** Rejects when it is not done in `leftMs`. */
  async put({ key, bytes, encoding, isFirst }: NewObject, leftMs: number): Promise<void> {
    const { clock, credentials } = this.#options;
    const path = `${this.#bucket.path.replace(/\/$/, '')}/${encodedPath(key)}`;
    const headers = {
      ...{ host: this.#host, 'content-type': TYPE, 'content-length': `${bytes.length}` },
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      ...(isFirst && { 'if-none-match': '*' }),
    };
    const request = { method: 'PUT', path, headers, body: bytes };
    const at = clock.now() + this.#skewMs;
    const signed = this.#signer.signed(request, await credentials(), at);
    const answer = await this.#lines.send(requestOf(path, signed, bytes), leftMs);
    if (answer.status >= 200 && answer.status < 300) return;
    const error = refusalOf(answer);
    if (error.name === 'RequestTimeTooSkewed' && answer.date !== undefined) {
      this.#skewMs = Date.parse(answer.date) - clock.now() || 0;
    }
    throw error;
  }

  close(): void {
    this.#lines.close();
  }
}

/** Head and body in one piece: one write to the socket. */
function requestOf(path: string, headers: Record<string, string>, body: Uint8Array): Buffer {
  let head = `PUT ${path} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n]/.test(value)) throw new Error(`a header field of two lines: ${name}`);
    head += `${name}: ${value}\r\n`;
  }
  head += '\r\n';
  const request = Buffer.allocUnsafe(head.length + body.length);
  request.write(head, 'latin1');
  request.set(body, head.length);
  return request;
}

/** As the driver makes it of the server's XML. */
function refusalOf({ status, words }: Answer): Error {
  const inside = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(words)?.[1];
  const message = inside('Message') ?? `the server answered with ${status}`;
  const error = Object.assign(new Error(message), { $metadata: { httpStatusCode: status } });
  error.name = inside('Code') ?? `Status${status}`;
  return error;
}

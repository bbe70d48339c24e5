/**
 * Amazon's signature, version 4, for one request without a query: the server computes the same
 * from what arrives, so a changed header, path or body is refused.
 *
 *   method, path, headers, hash of the body ─▶ text ─▶ HMAC by a key of the day ─▶ authorization
 *
 * The driver signs whatever is asked rarely. Bodies are written for every page, and there its
 * layers cost more than all the rest of a page: this does what a PUT needs, and no more.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface Signable {
  readonly method: string;
  /** As it is sent: each part of it encoded. */
  readonly path: string;
  /** By small names, the host among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

export class Signer {
  readonly #region: string;
  #key: { readonly of: string; readonly key: KeyObject } | undefined;

  constructor(region: string) {
    this.#region = region;
  }

  /** The headers to be sent: those given, and what proves them. `now` in milliseconds. */
  signed(request: Signable, by: Credentials, now: number): Record<string, string> {
    const at = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
    const bodyHash = sha256(request.body);
    const headers: Record<string, string> = {
      ...request.headers,
      ...{ 'x-amz-content-sha256': bodyHash, 'x-amz-date': at },
      ...(by.sessionToken && { 'x-amz-security-token': by.sessionToken }),
    };
    const names = Object.keys(headers).sort();
    const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join('');
    const list = names.join(';');
    const canonical = `${request.method}\n${request.path}\n\n${lines}\n${list}\n${bodyHash}`;
    const scope = `${at.slice(0, 8)}/${this.#region}/s3/aws4_request`;
    const text = `${ALGORITHM}\n${at}\n${scope}\n${sha256(canonical)}`;
    const signature = hmac(this.#keyOf(by.secretAccessKey, at.slice(0, 8)), text).toString('hex');
    const proof = `Credential=${by.accessKeyId}/${scope}, SignedHeaders=${list}`;
    headers.authorization = `${ALGORITHM} ${proof}, Signature=${signature}`;
    return headers;
  }

  /** Of one day: four steps that need not be done for each request. */
  #keyOf(secret: string, day: string): KeyObject {
    const of = `${day} ${secret}`;
    if (this.#key?.of !== of) {
      const steps = [day, this.#region, 's3', 'aws4_request'];
      const bytes = steps.reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
      this.#key = { of, key: createSecretKey(bytes) };
    }
    return this.#key.key;
  }
}

/** A path as it is signed and sent: S3 encodes each part once. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodedPart).join('/');
}

function encodedPart(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

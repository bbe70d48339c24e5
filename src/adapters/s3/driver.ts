/**
 * S3's driver, loaded only where a bucket is configured (B1), and the line to a server by it.
 *
 * What passes (a broken line, a busy server, a clock that is off) is tried again, a little later
 * each time, until patience ends. The driver's own retries are off: they are rationed, and after
 * an outage there are none left for minutes.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import { assert } from '../../base/assert.ts';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { mayPass } from './problems.ts';
import { type Bucket, Putter } from './put.ts';

export type Driver = typeof import('@aws-sdk/client-s3');

export interface S3Place {
  readonly bucket: string;
  /** Before every key, e.g. `bodies/`. */
  readonly prefix?: string;
  readonly region?: string;
  /** Of a server that is not Amazon's. */
  readonly endpoint?: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`: most servers of one's own. */
  readonly pathStyle?: boolean;
  /** Left out: the environment, the profile or the machine's role, as the driver finds them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface Patience {
  /** For one attempt. */
  readonly attemptMs: number;
  /** For all attempts of one question together. */
  readonly allMs: number;
}

export const PATIENCE: Patience = { attemptMs: 10_000, allMs: 30_000 };
const REGION = 'us-east-1';
const CONNECT_MS = 3_000;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 2_000;

export async function loadDriver(): Promise<Driver> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new CrawlError(
      'E_CONFIG',
      'bodies go to an S3 bucket, but its driver is not installed',
      'run `npm install @aws-sdk/client-s3`',
      cause,
    );
  }
}

function clientOf(driver: Driver, place: S3Place, patience: Patience): S3Client {
  const { region = REGION, endpoint, pathStyle, credentials } = place;
  return new driver.S3Client({
    ...{ region, maxAttempts: 1 },
    ...(endpoint && { endpoint }),
    ...(pathStyle !== undefined && { forcePathStyle: pathStyle }),
    ...(credentials && { credentials }),
    // Other servers do not know them all; a body proves itself by its hash.
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    requestHandler: {
      ...{ connectionTimeout: CONNECT_MS, requestTimeout: patience.attemptMs },
      throwOnRequestTimeout: true,
    },
  });
}

/** One attempt: how long it may take, and a signal for whoever wants one. */
export class Asking {
  readonly leftMs: number;

  constructor(leftMs: number) {
    this.leftMs = leftMs;
  }

  get abortSignal(): AbortSignal {
    return AbortSignal.timeout(this.leftMs);
  }
}

export class S3Line {
  readonly driver: Driver;
  readonly client: S3Client;
  readonly #place: S3Place;
  readonly #clock: Clock;
  readonly #patience: Patience;

  constructor(driver: Driver, place: S3Place, clock: Clock, patience: Patience) {
    this.driver = driver;
    this.client = clientOf(driver, place, patience);
    this.#place = place;
    this.#clock = clock;
    this.#patience = patience;
  }

  /** Until it works, is refused, or patience ends: then with the last error. */
  async ask<T>(work: (client: S3Client, asking: Asking) => Promise<T>): Promise<T> {
    const endAt = this.#clock.now() + this.#patience.allMs;
    for (let tries = 0; ; tries++) {
      const leftMs = Math.max(1, Math.ceil(endAt - this.#clock.now()));
      try {
        return await work(this.client, new Asking(leftMs));
      } catch (error) {
        const nextAt = this.#clock.now() + Math.min(PAUSE_MS_MIN * 2 ** tries, PAUSE_MS_MAX);
        if (nextAt >= endAt || !mayPass(error, tries)) throw error;
        await this.#clock.sleepUntil(nextAt);
      }
    }
  }

  /** Looks into the bucket, and makes a way to write into it of where the driver found it. */
  async putter(lines: number): Promise<Putter> {
    const { bucket: Bucket, prefix: Prefix = '', region = REGION } = this.#place;
    const list = new this.driver.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 });
    let found: Bucket | undefined;
    list.middlewareStack.add(
      (next) => (asked) => {
        found = asked.request as Bucket;
        return next(asked);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await this.ask((client, asking) => client.send(list, asking));
    assert(found !== undefined, 'a request went out');
    const { protocol, hostname, port, path } = found;
    const { attemptMs } = this.#patience;
    const credentials = () => this.client.config.credentials();
    return new Putter(
      { protocol, hostname, port, path },
      { region, clock: this.#clock, credentials, attemptMs, lines },
    );
  }
}

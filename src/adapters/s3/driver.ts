/**
 * S3's driver: loaded only where a bucket is configured (B1), so that nobody else needs it.
 *
 * It tries again by itself after what passes (a broken line, a busy server, a clock that is off),
 * a little later each time. How long in all is ours to say: `within()`.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import { CrawlError } from '../../base/errors.ts';

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
const CONNECT_MS = 3_000;
const ATTEMPTS = 6;

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

export function clientOf(driver: Driver, place: S3Place, patience: Patience): S3Client {
  const { region = 'us-east-1', endpoint, pathStyle, credentials } = place;
  return new driver.S3Client({
    ...{ region, maxAttempts: ATTEMPTS, retryMode: 'standard' },
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

export function within(patience: Patience): { readonly abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(patience.allMs) };
}

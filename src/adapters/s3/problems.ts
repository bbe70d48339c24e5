/**
 * What an S3 server refuses, in words that say what to do. All that is not refused but merely
 * did not work is `E_STORE_DOWN`: it may work later, and nothing of it is lost (B1).
 */
import { CrawlError } from '../../base/errors.ts';
import type { S3Place } from './driver.ts';

interface Failure {
  readonly name?: string;
  readonly Code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const REFUSALS: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  NoSuchBucket: ['there is no such bucket', 'create it, or correct the name of the bucket'],
  InvalidAccessKeyId: ['it does not know the access key', 'correct the access key'],
  SignatureDoesNotMatch: ['the secret key is wrong', 'correct the secret access key'],
  AccessDenied: [
    'the access key may not do that',
    'allow it s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject in it',
  ],
  RequestTimeTooSkewed: ['our clocks differ by too much', 'set the clock of this machine, by NTP'],
  PermanentRedirect: ['the bucket is in another region', 'set the region of the bucket'],
  AuthorizationHeaderMalformed: ['the region is wrong', 'set the region of the bucket'],
  CredentialsProviderError: [
    'there are no credentials for it',
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
};

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'NoSuchKey' || codeOf(error) === 'NotFound';
}

/** The body is there: another has written it. */
export function isThere(error: unknown): boolean {
  return codeOf(error) === 'PreconditionFailed' || statusOf(error) === 412;
}

/** Two write it at this instant, and the server wants one of them to ask again. */
export function isContested(error: unknown): boolean {
  return codeOf(error) === 'ConditionalRequestConflict' || statusOf(error) === 409;
}

/** The server does not know conditional writes. */
export function isUnknownToServer(error: unknown): boolean {
  return codeOf(error) === 'NotImplemented' || statusOf(error) === 501;
}

/** A clock that is off is set by the driver from the first refusal; the second is for good. */
export function mayPass(error: unknown, tries: number): boolean {
  if (error instanceof CrawlError) return false;
  if (codeOf(error) === 'RequestTimeTooSkewed') return tries === 0;
  if (REFUSALS[codeOf(error)] !== undefined) return false;
  const status = statusOf(error);
  if (status === undefined) return true;
  return (status >= 500 && status !== 501) || status === 408 || status === 425 || status === 429;
}

export function problemOf(error: unknown, place: S3Place): CrawlError {
  if (error instanceof CrawlError) return error;
  const where = `the bucket ${place.bucket} at ${place.endpoint ?? `Amazon S3`}`;
  const refusal = REFUSALS[codeOf(error)];
  if (refusal !== undefined) {
    const [what, cure] = refusal;
    return new CrawlError('E_CONFIG', `${where} cannot be used: ${what}`, cure, error);
  }
  if (isRefused(error)) {
    const cure = 'correct the keys, the bucket and the region that it is asked with';
    return new CrawlError('E_CONFIG', `${where} refuses us: ${wordsOf(error)}`, cure, error);
  }
  const cure = 'see whether the server runs and can be reached; what was to be stored is kept';
  const message = `${where} does not answer: ${wordsOf(error)}`;
  return new CrawlError('E_STORE_DOWN', message, cure, error);
}

/** 408, 409, 425 and 429 are not about who we are. */
function isRefused(error: unknown): boolean {
  return [400, 401, 403, 404].includes(statusOf(error) ?? 0);
}

function codeOf(error: unknown): string {
  const { Code, name } = error as Failure;
  return Code ?? name ?? '';
}

function statusOf(error: unknown): number | undefined {
  return (error as Failure).$metadata?.httpStatusCode;
}

function wordsOf(error: unknown): string {
  const { name, message } = error as Failure;
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  return message || name || String(error);
}

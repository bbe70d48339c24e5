/**
 * One HTTP exchange, bounded in time and size (H1, H4, Y2).
 *
 * Promises (http.contract.ts):
 *   1. Never throws or rejects for what a server does; every end is an `Outcome`.
 *   2. Connects only to `request.address`, and checks the connected address again.
 *   3. Redirects are not followed.
 *   4. No limit is exceeded by more than one network chunk.
 */
import type { Outcome } from '../fetch/outcome.ts';

export interface Http {
  exchange(request: HttpRequest, signal?: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly url: string;
  /** Where to connect, as the resolver answered. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  /** Asked with the media type when the headers arrive; false stops the body there (H4). */
  readonly wants: (mediaType: string) => boolean;
}

export interface FetchLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

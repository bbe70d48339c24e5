/**
 * One HTTP exchange, bounded in time and size (H1, H4, Y2).
 *
 * Promises (http.contract.ts):
 *   1. Never throws or rejects for what a server does; every end is an `Outcome`.
 *   2. Connects only to `request.address`, and checks the connected address again.
 *   3. Redirects are not followed.
 *   4. No limit is exceeded by more than one network chunk, or by a few hundredths of a second.
 *   5. Nothing is sent after `mayStill` has said no, and what is out is broken off soon after.
 *   6. Nothing is sent when connecting took longer than `connectMs`, not by a process either that
 *      was stopped meanwhile.
 */
import type { Instant } from '../base/instant.ts';
import type { Outcome } from '../fetch/outcome.ts';

export interface Http {
  /** One GET. The signal is looked at now and then, not listened to: it may be shared by all. */
  exchange(request: HttpRequest, signal?: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
  /** Where others make the requests: none of theirs goes out later, nor does an answer count. */
  readonly endsBy?: Instant;
}

export interface HttpRequest {
  readonly url: string;
  /** Where to connect, as the resolver answered. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: FetchLimits;
  /**
   * Asked when the headers of a body arrive, with its media type in lower case, '' when none is
   * named; false stops there (H4). Not asked for answers without a body.
   */
  readonly wants: (mediaType: string) => boolean;
  /**
   * Asked right before the request is written, however long connecting took, and now and then
   * while it is out; false ends it as 'aborted' (P5).
   */
  readonly mayStill?: () => boolean;
}

export interface FetchLimits {
  /** For TCP and TLS together. */
  readonly connectMs: number;
  /** From the request to the last of the header fields. */
  readonly firstByteMs: number;
  /** For everything, connecting included. */
  readonly wholeMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

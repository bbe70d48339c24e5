/**
 * One POST to a server that somebody named, for webhooks (A5).
 *
 * Promises (poster.contract.ts):
 *   1. Never rejects for what a server does; every end is a `PostEnd`.
 *   2. Connects only where the address rules allow it, checked on the address that is used (Y1).
 *   3. Redirects are not followed, and no more than a little of the answer is read.
 *   4. Ends within `wholeMs`, and at once when the signal aborts.
 */
import type { PostEnd } from '../hooks/index.ts';

export interface Poster {
  post(request: PostRequest, signal?: AbortSignal): Promise<PostEnd>;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wholeMs: number;
}

/** Where an answer sends us (H2). Following is the frontier's business: each hop waits its turn. */
import { canonicalize } from '../url/index.ts';
import type { Answered } from './outcome.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Undefined when the answer is no redirect (a 3xx without Location is not); `to` is missing
 * when the target is no http(s) URL.
 */
export function redirectOf(answer: Answered, url: string): { readonly to?: string } | undefined {
  const location = answer.headers.location;
  if (!REDIRECTS.has(answer.status) || location === undefined || location === '') return undefined;
  const to = canonicalize(location, url);
  return to === undefined ? {} : { to };
}

/**
 * What a visit found, beside what the one before did (T1, H1): the observation that intervals,
 * rates of change and change reports rest on.
 *
 *   nothing   no page was sent: an error, or a page that is gone
 *   first     there is nothing to compare with
 *   same      304, or the same bytes, or a redirect to the same place
 *   noise     other bytes that say the same (../recrawl/noise.ts)
 *   changed   anything else, and a page that was gone and is back
 */
import type { Outcome } from '../fetch/index.ts';
import type { Fate } from '../frontier/index.ts';
import { NO_BYTES, type UrlRecord } from '../record/index.ts';
import { isSameButNoise } from '../recrawl/noise.ts';
import type { Digest } from './digest.ts';

export type Finding = 'nothing' | 'first' | 'same' | 'noise' | 'changed';

export interface Sight {
  readonly before: UrlRecord | undefined;
  readonly outcome: Outcome;
  readonly fate: Fate;
  readonly digest: Digest | undefined;
  readonly redirectTo: string | undefined;
}

export function findingOf({ before, outcome, fate, digest, redirectTo }: Sight): Finding {
  if (outcome.kind !== 'answered' || fate.state !== 'indexed') return 'nothing';
  if (before === undefined || before.visits === 0) return 'first';
  if (before.state === 'dead') return 'changed';
  if (outcome.status === 304) return 'same';
  if ((redirectTo ?? '') !== before.redirectTo) return 'changed';
  if (redirectTo !== undefined) return 'same';
  if (isSameBody(digest?.contentHash ?? NO_BYTES, before.contentHash)) return 'same';
  return digest !== undefined && isSameButNoise(before, digest) ? 'noise' : 'changed';
}

/** Undefined when the visit could not tell. */
export function changedIn(finding: Finding): boolean | undefined {
  if (finding === 'changed') return true;
  return finding === 'same' || finding === 'noise' ? false : undefined;
}

/** Two bodies without a byte are the same, too. */
function isSameBody(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

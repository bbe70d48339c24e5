/**
 * What an engine of a cluster is asked before anybody relies on it (L6): is it there, does it
 * let us in, is it new enough, does it hold what we need, and is its clock ours? Each answer is a
 * line for people; what is wrong says what to do. Asking changes nothing that a crawl would see.
 */
import type { Instant } from '../base/instant.ts';

export interface EngineCheck {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly fix?: string;
}

/** Turns of hosts are written by one node's clock and read by another's. */
const SKEW_MS_WARN = 1_000;
const SKEW_MS_FAIL = 30_000;

/** `asked` is when the engine was asked for its time, by our clock, and when it had answered. */
export function clockCheck(
  name: string,
  engineAt: Instant,
  asked: { readonly from: Instant; readonly to: Instant },
): EngineCheck {
  const { from, to } = asked;
  const skewMs = engineAt < from ? engineAt - from : engineAt > to ? engineAt - to : 0;
  const off = Math.abs(skewMs);
  const what = `its clock and ours differ by ${off < 1_000 ? `${Math.round(off)} ms` : `${Math.round(off / 1_000)} s`}`;
  if (off < SKEW_MS_WARN) return { name, state: 'ok', what };
  const fix = 'Set the clocks of all machines by NTP; pauses between requests are told by them.';
  return { name, state: off < SKEW_MS_FAIL ? 'warn' : 'fail', what, fix };
}

/** What could not be asked, as a line. */
export function failedCheck(name: string, error: unknown): EngineCheck {
  const { message, hint } = error as { message?: string; hint?: string };
  const fix = hint ?? 'See that it runs and can be reached from here.';
  return { name, state: 'fail', what: message ?? String(error), fix };
}

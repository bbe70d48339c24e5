/**
 * Pages that change at known rates, and the validators that tell.
 *
 * A changing page has an interval and a phase; its version is the number of whole intervals since
 * 2020. So any past or future state can be computed, and freshness counted instead of guessed.
 */
import type { WebRequest } from './exchange.ts';
import { mix, SALT } from './hash.ts';
import type { Host } from './hosts.ts';
import type { Nature } from './nature.ts';

const EPOCH_MS = Date.UTC(2020, 0, 1);
const MINUTE_MS = 60_000;
/** From every minute to every month. */
export const CHANGE_INTERVALS_MS = [1, 10, 60, 360, 1_440, 10_080, 43_200].map(
  (minutes) => minutes * MINUTE_MS,
);

export interface Change {
  readonly version: number;
  readonly changedAtMs: number;
  /** Undefined for a page that never changes. */
  readonly everyMs: number | undefined;
}

export function changeOf(host: Host, resource: number, nature: Nature, atMs: number): Change {
  const draw = mix(host.seed + SALT.change, resource);
  const still = EPOCH_MS - (draw % 1_000) * 86_400_000;
  if (nature !== 'changing') return { version: 0, changedAtMs: still, everyMs: undefined };
  const everyMs = CHANGE_INTERVALS_MS[draw % CHANGE_INTERVALS_MS.length]!;
  const begin = EPOCH_MS - ((draw >>> 8) % everyMs);
  const version = Math.max(0, Math.floor((atMs - begin) / everyMs));
  return { version, changedAtMs: begin + version * everyMs, everyMs };
}

/** Six pages in ten have both validators, two a date alone, two neither. */
export function validatorsOf(
  host: Host,
  resource: number,
  nature: Nature,
  change: Change,
): Record<string, string> {
  const draw = mix(host.seed + SALT.headers, resource) % 10;
  const headers: Record<string, string> = {};
  if (nature !== 'changing' && draw < 2) return headers;
  headers['last-modified'] = httpDate(change.changedAtMs);
  if (nature === 'changing' || draw >= 4) {
    headers.etag = `"${host.seed.toString(36)}-${resource}-${change.version}"`;
  }
  return headers;
}

/** If-None-Match decides where it is present; If-Modified-Since otherwise (RFC 9110, 13.2.2). */
export function notModified(
  own: Readonly<Record<string, string>>,
  asked: WebRequest['headers'],
): boolean {
  const match = asked['if-none-match'];
  if (match !== undefined) return own.etag !== undefined && String(match).includes(own.etag);
  const since = asked['if-modified-since'];
  const modified = own['last-modified'];
  if (since === undefined || modified === undefined) return false;
  return Date.parse(modified) <= Date.parse(String(since));
}

/** Dates repeat by the day, so a small memory saves most of the formatting. */
const dates = new Map<number, string>();
const DATES_MAX = 4_096;

function httpDate(atMs: number): string {
  const second = Math.floor(atMs / 1000);
  const known = dates.get(second);
  if (known !== undefined) return known;
  if (dates.size >= DATES_MAX) dates.clear();
  const text = new Date(second * 1000).toUTCString();
  dates.set(second, text);
  return text;
}

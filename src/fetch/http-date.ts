/**
 * HTTP dates (RFC 9110, 5.6.7): the three formats, strictly.
 *
 *   Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
 *   Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
 *   Sun Nov  6 08:49:37 1994         asctime
 *
 * `Date.parse` accepts far more, local time included; a header that is no HTTP date must be
 * ignored, not guessed at.
 */
import type { Instant } from '../base/instant.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const CLOCK = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d)';

const FORMATS = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${CLOCK} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${CLOCK} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>\\d\\d| \\d) ${CLOCK} (?<year>\\d{4})$`),
];
const DATE_CHARS_MAX = 40;

/** `nowMs` settles the century of an RFC 850 year; without it, 70 to 99 are the 1900s. */
export function parseHttpDate(value: string, nowMs?: Instant): Instant | undefined {
  if (value.length > DATE_CHARS_MAX) return undefined;
  const usual = usualDate(value);
  if (usual !== undefined) return usual;
  for (const format of FORMATS) {
    const fields = format.exec(value)?.groups;
    if (fields === undefined) continue;
    const [day, year] = [Number(fields.day), fields.year!];
    const month = MONTHS.indexOf(fields.month!);
    const clockMs = Date.UTC(1970, 0, 1, +fields.hour!, +fields.minute!, +fields.second!);
    if (year.length === 4) return instantOf(Number(year), month, day, clockMs);
    return inNearestCentury(Number(year), month, day, clockMs, nowMs);
  }
  return undefined;
}

const DAYS = new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
const USUAL_LENGTH = 29;
/** Every month has these days, and `Date.UTC` takes these years as they are. */
const DAYS_SAFE = 28;
const YEAR_SAFE = 1_000;

/** What nearly every server sends with every page, without a pattern. */
function usualDate(value: string): Instant | undefined {
  if (value.length !== USUAL_LENGTH || !DAYS.has(value.slice(0, 3))) return undefined;
  const isUsual =
    value.startsWith(', ', 3) && value[7] === ' ' && value[11] === ' ' && value[16] === ' ';
  if (!isUsual || value[19] !== ':' || value[22] !== ':') return undefined;
  if (!value.endsWith(' GMT')) return undefined;
  const month = MONTHS.indexOf(value.slice(8, 11));
  const day = digitsAt(value, 5);
  const year = 100 * digitsAt(value, 12) + digitsAt(value, 14);
  const [hour, minute, second] = [digitsAt(value, 17), digitsAt(value, 20), digitsAt(value, 23)];
  const isSafe = month >= 0 && day >= 1 && day <= DAYS_SAFE && year >= YEAR_SAFE;
  if (!isSafe || !(hour < 24) || !(minute < 60) || !(second < 60)) return undefined;
  return Date.UTC(year, month, day, hour, minute, second);
}

/** The number that two digits are; NaN where they are none. */
function digitsAt(value: string, at: number): number {
  const [ten, one] = [value.charCodeAt(at) - 0x30, value.charCodeAt(at + 1) - 0x30];
  return ten >= 0 && ten <= 9 && one >= 0 && one <= 9 ? 10 * ten + one : Number.NaN;
}

function instantOf(year: number, month: number, day: number, clockMs: number): Instant | undefined {
  const midnight = new Date(0).setUTCFullYear(year, month, day);
  return new Date(midnight).getUTCDate() === day && day > 0 ? midnight + clockMs : undefined;
}

/** RFC 9110: what would be more than 50 years ahead is the latest such year in the past. */
function inNearestCentury(
  short: number,
  month: number,
  day: number,
  clockMs: number,
  nowMs: Instant | undefined,
): Instant | undefined {
  if (nowMs === undefined) {
    return instantOf(short + (short < 70 ? 2000 : 1900), month, day, clockMs);
  }
  const horizon = new Date(nowMs);
  horizon.setUTCFullYear(horizon.getUTCFullYear() + 50);
  const century = Math.floor(horizon.getUTCFullYear() / 100) * 100;
  const instant = instantOf(century + short, month, day, clockMs);
  if (instant !== undefined && instant <= horizon.getTime()) return instant;
  return instantOf(century - 100 + short, month, day, clockMs);
}

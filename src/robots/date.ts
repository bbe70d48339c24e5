/**
 * Dates as people write them behind `unavailable_after`: RFC 822, RFC 850, ISO 8601, and
 * what lies between. No standard governs the field, so words are recognised, not positions:
 * a month's name, a clock time, a zone, and numbers for day and year in that order.
 *
 * Strict HTTP dates are another matter: `../fetch/http-date.ts`.
 */
import { HOUR_MS, type Instant, MINUTE_MS } from '../base/instant.ts';

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const ZONE_HOURS: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
};
const DATE_CHARS_MAX = 100;
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)? ?(z|utc|gmt|[+-]\d\d:?\d\d)?$/;

interface Fields {
  day?: number;
  month?: number;
  year?: number;
  clockMs: number;
  offsetMs: number;
}

/** Undefined when it is no date. A zone that nobody knows counts as UTC. */
export function parseLooseDate(text: string): Instant | undefined {
  const plain = text.trim().toLowerCase();
  if (plain.length > DATE_CHARS_MAX) return undefined;
  return instantOf(isoFields(plain) ?? wordFields(plain));
}

function isoFields(text: string): Fields | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'z'] = match;
  return {
    day: Number(day),
    month: Number(month) - 1,
    year: Number(year),
    clockMs: clockOf(`${hour}:${minute}:${second}`) ?? Number.NaN,
    offsetMs: offsetOf(zone),
  };
}

function wordFields(text: string): Fields {
  const fields: Fields = { clockMs: 0, offsetMs: 0 };
  const spaced = text.replace(/(\d)-([a-z]{3,9})-(\d)/, '$1 $2 $3');
  for (const word of spaced.split(/[\s,]+/)) takeWord(fields, word);
  return fields;
}

function takeWord(fields: Fields, word: string): void {
  const month = /^[a-z]{3,9}\.?$/.test(word) ? MONTHS.indexOf(word.slice(0, 3)) : -1;
  const clockMs = clockOf(word);
  if (clockMs !== undefined) fields.clockMs = clockMs;
  else if (month >= 0 && month % 3 === 0) fields.month ??= month / 3;
  else if (/^\d{4}$/.test(word)) fields.year = Number(word);
  else if (/^\d{1,2}(st|nd|rd|th)?$/.test(word)) takeShortNumber(fields, Number.parseInt(word, 10));
  else if (/^[+-]\d\d:?\d\d$/.test(word) || word in ZONE_HOURS) fields.offsetMs = offsetOf(word);
}

function takeShortNumber(fields: Fields, value: number): void {
  if (fields.day === undefined) fields.day = value;
  else fields.year ??= value + (value < 70 ? 2000 : 1900);
}

function clockOf(word: string): number | undefined {
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(word);
  if (match === null) return undefined;
  const [hour, minute, second] = [match[1], match[2], match[3] ?? '0'].map(Number);
  if (hour! > 23 || minute! > 59 || second! > 60) return Number.NaN;
  return hour! * HOUR_MS + minute! * MINUTE_MS + second! * 1_000;
}

function offsetOf(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (match === null) return (ZONE_HOURS[zone] ?? 0) * HOUR_MS;
  const ms = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS;
  return match[1] === '-' ? -ms : ms;
}

function instantOf(fields: Fields): Instant | undefined {
  const { day, month, year, clockMs, offsetMs } = fields;
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const midnight = new Date(0).setUTCFullYear(year, month, day);
  if (new Date(midnight).getUTCDate() !== day || new Date(midnight).getUTCMonth() !== month) {
    return undefined;
  }
  const instant = midnight + clockMs - offsetMs;
  return Number.isNaN(instant) ? undefined : instant;
}

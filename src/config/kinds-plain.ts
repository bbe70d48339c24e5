/**
 * Plain kinds: text, switches, numbers, choices, durations, sizes and rates.
 *
 *   duration  500ms 10s 5m 2h 1d 1h30m   a bare number on the command line is seconds
 *   size      512 64kb 10mb 2gb          1 kb is 1,024 bytes; a bare number is bytes
 *   rate      2 or 0.5 or max            requests a second; max is read as Infinity
 */
import type { Kind, Parsed } from './kind.ts';

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function text(form = 'TEXT', expects = 'a text'): Kind<string, ''> {
  return {
    form,
    expects,
    unit: '',
    suffix: '',
    json: ['string'],
    parse: (given) => (given.trim() === '' ? { problem: 'is empty' } : { value: given.trim() }),
    write: (value) => value,
  };
}

const BOOLEANS = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

export function boolean(): Kind<boolean, ''> {
  return {
    form: '',
    expects: 'true or false',
    unit: '',
    suffix: '',
    json: ['boolean'],
    parse(given) {
      const value = BOOLEANS.get(given.trim().toLowerCase());
      return value === undefined ? { problem: 'is neither true nor false' } : { value };
    },
    write: String,
  };
}

export function choice<const C extends string>(...choices: readonly C[]): Kind<C, ''> {
  return {
    form: choices.join('|'),
    expects: `one of ${choices.join(', ')}`,
    unit: '',
    suffix: '',
    json: ['string'],
    parse(given) {
      const value = choices.find((one) => one === given.trim().toLowerCase());
      return value === undefined ? { problem: 'is not one of the choices' } : { value };
    },
    write: (value) => value,
  };
}

/** A word with a meaning of its own, or else a value of another kind: `auto|N`. */
export function wordOr<const W extends string, T>(
  words: readonly W[],
  other: Kind<T, ''>,
): Kind<W | T, ''> {
  return {
    ...other,
    form: [...words, other.form].join('|'),
    expects: `${words.join(', ')} or ${other.expects}`,
    json: ['string', ...other.json.filter((type) => type !== 'string')],
    parse(given) {
      const word = words.find((one) => one === given.trim().toLowerCase());
      return word === undefined ? other.parse(given) : { value: word };
    },
    write: (value) => (words.includes(value as W) ? String(value) : other.write(value as T)),
  };
}

export function integer(range: Range = {}): Kind<number, ''> {
  return {
    ...numeric(range, /^[+-]?\d[\d_]*$/, 'a whole number'),
    expects: `a whole number${rangeText(range)}`,
  };
}

export function number(range: Range = {}): Kind<number, ''> {
  return numeric(range, /^[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i, 'a number');
}

function numeric(range: Range, shape: RegExp, name: string): Kind<number, ''> {
  return {
    form: 'N',
    expects: name + rangeText(range),
    unit: '',
    suffix: '',
    json: ['number'],
    ...range,
    parse(given) {
      if (!shape.test(given.trim())) return { problem: `is not ${name}` };
      return inRange(Number(given.replaceAll('_', '')), range, String);
    },
    write: String,
  };
}

const DURATION_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function duration(range: Range = {}): Kind<number, 'Ms'> {
  return {
    form: 'DURATION',
    expects: `a duration such as 500ms, 10s, 5m or 2h${rangeText(range, writeDuration)}`,
    unit: 'milliseconds',
    suffix: 'Ms',
    json: ['string'],
    ...range,
    parse(given) {
      const value = readDuration(given.trim().toLowerCase());
      if (value === undefined) return { problem: 'is not a duration' };
      return inRange(value, range, writeDuration);
    },
    write: writeDuration,
  };
}

function readDuration(given: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1_000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(given)) return undefined;
  let total = 0;
  for (const [, amount, unit] of given.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * DURATION_UNITS[unit as keyof typeof DURATION_UNITS];
  }
  return total;
}

function writeDuration(ms: number): string {
  if (ms === 0) return '0s';
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms % DURATION_UNITS[unit] === 0) return `${ms / DURATION_UNITS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

const SIZE_UNITS = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 } as const;

export function size(range: Range = {}): Kind<number, 'Bytes'> {
  return {
    form: 'SIZE',
    expects: `a size such as 64kb, 10mb or 2gb${rangeText(range, writeSize)}`,
    unit: 'bytes',
    suffix: 'Bytes',
    json: ['string', 'number'],
    ...range,
    parse(given) {
      const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(given.trim());
      if (match === null) return { problem: 'is not a size' };
      const unit = `${(match[2] ?? '').toLowerCase()}b` as keyof typeof SIZE_UNITS;
      return inRange(Math.round(Number(match[1]) * SIZE_UNITS[unit]), range, writeSize);
    },
    write: writeSize,
  };
}

function writeSize(bytes: number): string {
  if (bytes === 0) return '0';
  for (const unit of ['tb', 'gb', 'mb', 'kb'] as const) {
    if (bytes % SIZE_UNITS[unit] === 0) return `${bytes / SIZE_UNITS[unit]}${unit}`;
  }
  return String(bytes);
}

export const RATE_MAX_PER_SECOND = 1_000;

export function rate(): Kind<number, ''> {
  const requests = number({ min: 0.0001, max: RATE_MAX_PER_SECOND });
  return {
    ...requests,
    form: 'N|max',
    expects: `requests a second, such as 2 or 0.5, up to ${RATE_MAX_PER_SECOND}, or max`,
    unit: 'requests a second',
    json: ['number', 'string'],
    parse: (given) =>
      given.trim().toLowerCase() === 'max' ? { value: Infinity } : requests.parse(given),
    write: (value) => (value === Infinity ? 'max' : String(value)),
  };
}

export function inRange(
  value: number,
  range: Range,
  write: (value: number) => string,
): Parsed<number> {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return { problem: 'is too large to count' };
  }
  const { min, max } = range;
  if (min !== undefined && value < min) return { problem: `is below the least, ${write(min)}` };
  if (max !== undefined && value > max) return { problem: `is above the most, ${write(max)}` };
  return { value };
}

export function rangeText({ min, max }: Range, write: (value: number) => string = String): string {
  if (min !== undefined && max !== undefined) return ` from ${write(min)} to ${write(max)}`;
  if (min !== undefined) return `, at least ${write(min)}`;
  return max === undefined ? '' : `, at most ${write(max)}`;
}

/**
 * Kinds for large amounts: counts, shares and decimal sizes.
 *
 *   count   1e9 1B 1_000_000 2.5M        k, M, B (or G) and T, in either case
 *   share   30% or 0.3
 *   amount  100KB 20TB 1.5e5 64KiB       1 KB is 1,000 bytes, as disks, networks and prices
 *                                        count; 1 KiB is 1,024. A crawl's own limits are
 *                                        `size` in kinds-plain.ts
 */
import type { Kind } from './kind.ts';
import { inRange, type Range, rangeText } from './kinds-plain.ts';

const NUMBER = String.raw`(\d[\d_]*(?:\.\d+)?(?:e\+?\d{1,3})?)`;
const COUNT = new RegExp(`^${NUMBER}\\s*([kmbgt]?)$`, 'i');
const LETTERS = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 } as const;

export function count(range: Range = {}): Kind<number, ''> {
  return {
    form: 'N',
    expects: `a count such as 250, 1e9, 20M or 1.5B${rangeText(range, writeCount)}`,
    unit: '',
    suffix: '',
    json: ['number', 'string'],
    ...range,
    parse(given) {
      const match = COUNT.exec(given.trim());
      if (match === null) return { problem: 'is not a count' };
      const letter = (match[2] ?? '').toLowerCase() as keyof typeof LETTERS;
      return inRange(amountOf(match[1]) * LETTERS[letter], range, writeCount);
    },
    write: writeCount,
  };
}

function writeCount(value: number): string {
  for (const letter of ['t', 'b', 'm', 'k'] as const) {
    const most = value / LETTERS[letter];
    if (most >= 1 && Number.isInteger(most))
      return `${most}${letter === 'k' ? 'k' : letter.toUpperCase()}`;
  }
  return String(value);
}

export function share(range: Range = { min: 0, max: 1 }): Kind<number, ''> {
  return {
    form: 'SHARE',
    expects: `a share such as 30% or 0.3${rangeText(range, writePercent)}`,
    unit: '',
    suffix: '',
    json: ['number', 'string'],
    ...range,
    parse(given) {
      const match = /^(\d[\d_]*(?:\.\d+)?|\.\d+)(e-?\d{1,3})?\s*(%?)$/i.exec(given.trim());
      if (match === null) return { problem: 'is not a share' };
      const value = amountOf(`${match[1]}${match[2] ?? ''}`);
      return inRange(match[3] === '%' ? value / 100 : value, range, writePercent);
    },
    write: String,
  };
}

function writePercent(value: number): string {
  return `${Number((value * 100).toPrecision(12))}%`;
}

const AMOUNT = new RegExp(`^${NUMBER}\\s*([kmgtp]?)(i?)b?$`, 'i');
const POWERS = ['', 'k', 'm', 'g', 't', 'p'];

export function amount(range: Range = {}): Kind<number, 'Bytes'> {
  return {
    form: 'SIZE',
    expects: `a size such as 100KB, 16GB or 20TB (1 KB is 1,000 bytes)${rangeText(range, writeAmount)}`,
    unit: 'bytes',
    suffix: 'Bytes',
    json: ['string', 'number'],
    ...range,
    parse(given) {
      const match = AMOUNT.exec(given.trim());
      if (match === null) return { problem: 'is not a size' };
      const power = POWERS.indexOf((match[2] ?? '').toLowerCase());
      const step = match[3] === '' ? 1_000 : 1_024;
      return inRange(Math.round(amountOf(match[1]) * step ** power), range, writeAmount);
    },
    write: writeAmount,
  };
}

function writeAmount(bytes: number): string {
  for (let power = POWERS.length - 1; power > 0; power--) {
    const most = bytes / 1_000 ** power;
    if (most >= 1 && Number.isInteger(most)) return `${most}${POWERS[power]?.toUpperCase()}B`;
  }
  return `${bytes}B`;
}

function amountOf(digits = ''): number {
  return Number(digits.replaceAll('_', ''));
}

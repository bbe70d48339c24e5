/**
 * Amounts in words, the same on a terminal and in a browser. Decimal, three figures that matter.
 *
 *   count  250   11,574   86.4M   30B        bytes  52.5 GB   100 TB   3 PB
 *   share  0.12%   30%                       time   500 ms   1 s   30 d
 */
export function sayCount(value: number): string {
  if (value < 10e6) return value < 100 ? short(value) : grouped(Math.round(value));
  const [size, letter] = LETTERS.find(([least]) => value >= least) ?? [1, ''];
  return `${short(value / size)}${letter}`;
}

const LETTERS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
];

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB'] as const;

export function sayBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${short(value)} ${BYTE_UNITS[unit]}`;
}

export function sayShare(share: number): string {
  return `${short(share * 100)}%`;
}

const TIME_UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

export function sayTime(ms: number): string {
  const [size, unit] = TIME_UNITS.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${short(ms / size)} ${unit}`;
}

/** Three figures that matter; more only before the point. */
function short(value: number): string {
  if (value >= 999.5) return grouped(Math.round(value));
  if (value !== 0 && value < 1e-6) return value.toExponential(2);
  return String(Number(value.toPrecision(3)));
}

function grouped(whole: number): string {
  const digits = String(whole);
  return digits.includes('e') ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

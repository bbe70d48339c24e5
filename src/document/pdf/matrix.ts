/** Six numbers that say how one set of coordinates lies in another: `[a b c d e f]`. */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `m`, then `n`. */
export function times(m: Matrix, n: Matrix): Matrix {
  const [a, b, c, d, e, f] = m;
  const [g, h, i, j, k, l] = n;
  return [
    a * g + b * i,
    a * h + b * j,
    c * g + d * i,
    c * h + d * j,
    e * g + f * i + k,
    e * h + f * j + l,
  ];
}

export function matrixOf(numbers: readonly unknown[]): Matrix | undefined {
  if (numbers.length < 6) return undefined;
  const six = numbers.slice(0, 6);
  return six.every((one) => typeof one === 'number' && Number.isFinite(one))
    ? (six as unknown as Matrix)
    : undefined;
}

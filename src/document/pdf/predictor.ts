/** Predictors of Flate and LZW: rows that were written as differences become bytes again. */

export function unpredict(
  bytes: Uint8Array,
  number: (name: string, otherwise: number) => number,
): Uint8Array {
  const predictor = number('Predictor', 1);
  if (predictor <= 1) return bytes;
  const colors = clamp(number('Colors', 1), 32);
  const bits = clamp(number('BitsPerComponent', 8), 16);
  const columns = clamp(number('Columns', 1), 1 << 20);
  const pixel = Math.max(1, (colors * bits) >> 3);
  const row = Math.ceil((colors * bits * columns) / 8);
  return predictor === 2 ? untiff(bytes, row, pixel, bits) : unpng(bytes, row, pixel);
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(1, Math.floor(value)));
}

/** Only whole bytes: finer ones are pictures'. */
function untiff(bytes: Uint8Array, row: number, pixel: number, bits: number): Uint8Array {
  if (bits !== 8) return bytes;
  const out = Uint8Array.from(bytes);
  for (let from = 0; from < out.length; from += row) {
    const end = Math.min(from + row, out.length);
    for (let at = from + pixel; at < end; at++)
      out[at] = (out[at] as number) + (out[at - pixel] as number);
  }
  return out;
}

/** Each row has a byte in front that says how it was written. */
function unpng(bytes: Uint8Array, row: number, pixel: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (row + 1));
  const out = new Uint8Array(rows * row);
  let length = 0;
  for (let r = 0; r < rows; r++) {
    const from = r * (row + 1);
    const filter = bytes[from] as number;
    const size = Math.min(row, bytes.length - from - 1);
    for (let i = 0; i < size; i++) {
      const left = i >= pixel ? (out[length + i - pixel] as number) : 0;
      const up = r > 0 ? (out[length + i - row] as number) : 0;
      const corner = r > 0 && i >= pixel ? (out[length + i - row - pixel] as number) : 0;
      out[length + i] = (bytes[from + 1 + i] as number) + predicted(filter, left, up, corner);
    }
    length += Math.max(0, size);
  }
  return out.subarray(0, length);
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/**
 * The known name that an unknown one was probably meant to be.
 *
 * Edit distance in which two swapped neighbours count once (`dpeth`), bounded by a third of
 * the length, so that nonsense gets no suggestion. A beginning of a name counts as near.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, NAME_LENGTH_MAX);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const one of known) {
    const isBeginning = wanted.length >= 3 && one.toLowerCase().startsWith(wanted);
    const distance = isBeginning ? 1 : editDistance(wanted, one.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = one;
    }
  }
  return best;
}

/** Longer names are nonsense; the bound keeps the work small on any input. */
const NAME_LENGTH_MAX = 64;

/** Optimal string alignment distance; answers `enough` as soon as it cannot be less. */
export function editDistance(a: string, b: string, enough = Infinity): number {
  if (Math.abs(a.length - b.length) >= enough) return enough;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

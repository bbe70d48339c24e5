/**
 * Changes at a known rate, without a memory: a Poisson process as a function of (seed, instant).
 *
 * Time is cut into cells that hold two changes on average. How many a cell has, and when, follows
 * from the seed and the cell's number; so the last change before any instant is found by looking
 * at a cell or two, and changes between two instants can be counted.
 */
import { mix } from '../hash.ts';

export const EPOCH_MS = Date.UTC(2020, 0, 1);
const DAY_MS = 86_400_000;
const PER_CELL = 2;
/** More changes than this in one cell happen once in ten million. */
const CELL_MAX = 16;
const CHANCES = chances();

export interface Process {
  readonly seed: number;
  /** 0 never changes. */
  readonly ratePerDay: number;
}

export interface LastChange {
  /** Grows with every change. */
  readonly version: number;
  readonly atMs: number;
}

export function lastChange(process: Process, atMs: number): LastChange {
  if (process.ratePerDay > 0) {
    const cellMs = cellMsOf(process);
    for (let cell = Math.floor((atMs - EPOCH_MS) / cellMs); cell >= 0; cell--) {
      const times = changesIn(process, cell, cellMs);
      let last = times.length;
      while (last > 0 && times[last - 1]! > atMs) last--;
      if (last > 0) return { version: cell * CELL_MAX + last, atMs: times[last - 1]! };
    }
  }
  return { version: 0, atMs: EPOCH_MS };
}

/** After `fromMs`, up to and with `toMs`. */
export function changesBetween(process: Process, fromMs: number, toMs: number): number {
  if (process.ratePerDay <= 0) return 0;
  const cellMs = cellMsOf(process);
  const last = Math.floor((toMs - EPOCH_MS) / cellMs);
  let count = 0;
  for (let cell = Math.max(0, Math.floor((fromMs - EPOCH_MS) / cellMs)); cell <= last; cell++) {
    for (const at of changesIn(process, cell, cellMs)) if (at > fromMs && at <= toMs) count++;
  }
  return count;
}

const cellMsOf = ({ ratePerDay }: Process): number => (PER_CELL / ratePerDay) * DAY_MS;

function changesIn({ seed }: Process, cell: number, cellMs: number): number[] {
  const draw = mix(mix(seed, cell), 0) / 2 ** 32;
  let count = 0;
  while (count < CELL_MAX - 1 && draw >= CHANCES[count]!) count++;
  const times = Array.from({ length: count }, (_, n) => {
    const u = mix(mix(seed, cell), n + 1) / 2 ** 32;
    return EPOCH_MS + (cell + u) * cellMs;
  });
  return times.sort((a, b) => a - b);
}

/** The chance of at most n changes in a cell. */
function chances(): number[] {
  let term = Math.exp(-PER_CELL);
  let sum = 0;
  return Array.from({ length: CELL_MAX }, (_, n) => {
    sum += term;
    term *= PER_CELL / (n + 1);
    return sum;
  });
}

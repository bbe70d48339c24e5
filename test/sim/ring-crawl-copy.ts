/**
 * A copy of an arc's rows, as small as a simulation needs: URLs that wait or are done, hosts that
 * were asked. Rows lie in sixteen buckets, each with a running sum of its rows, so that two copies
 * are compared by sixteen numbers.
 */
import { type Entry, isBefore, type Stamp } from '../../src/ring/arc-log.ts';

/** What an entry of this simulation says. */
export type Body =
  | { readonly kind: 'admit'; readonly page: number }
  | { readonly kind: 'done'; readonly page: number }
  | { readonly kind: 'asked'; readonly host: number; readonly turns: number };

export interface Row {
  /** A page, or −1 − a host. */
  readonly key: number;
  readonly stamp: Stamp;
  readonly value: number;
}

export const WAITS = 0;
export const DONE = 1;
export const BUCKETS = 16;
export const ROW_BYTES = 60;

export class Copy {
  readonly rows = new Map<number, Row>();
  sums: number[] = Array(BUCKETS).fill(0);

  isKnown(page: number): boolean {
    return this.rows.has(page);
  }

  isDone(page: number): boolean {
    return this.rows.get(page)?.value === DONE;
  }

  apply(epoch: number, entries: readonly Entry[]): void {
    for (const { index, body } of entries) {
      if (body !== undefined) this.#put(rowOf(body as Body, { epoch, index }));
    }
  }

  bucket(bucket: number): readonly Row[] {
    return [...this.rows.values()].filter(({ key }) => bucketOf(key) === bucket);
  }

  replace(bucket: number, rows: readonly Row[], upTo: Stamp): void {
    for (const row of this.bucket(bucket)) if (!isBefore(upTo, row.stamp)) this.#remove(row);
    for (const row of rows) {
      const mine = this.rows.get(row.key);
      if (mine === undefined || isBefore(mine.stamp, row.stamp)) this.#put(row);
    }
  }

  differing(sums: readonly number[]): number[] {
    return sums.flatMap((sum, bucket) => (sum === this.sums[bucket] ? [] : [bucket]));
  }

  clear(): void {
    this.rows.clear();
    this.sums = Array(BUCKETS).fill(0);
  }

  #put(row: Row): void {
    const before = this.rows.get(row.key);
    if (before !== undefined) this.#remove(before);
    this.rows.set(row.key, row);
    this.#sum(row);
  }

  #remove(row: Row): void {
    this.rows.delete(row.key);
    this.#sum(row);
  }

  #sum(row: Row): void {
    const bucket = bucketOf(row.key);
    this.sums[bucket] = (this.sums[bucket] as number) ^ hashOf(row);
  }
}

function rowOf(body: Body, stamp: Stamp): Row {
  if (body.kind === 'asked') return { key: -1 - body.host, stamp, value: body.turns };
  return { key: body.page, stamp, value: body.kind === 'done' ? DONE : WAITS };
}

function bucketOf(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 28) % BUCKETS;
}

function hashOf({ key, stamp, value }: Row): number {
  let h = Math.imul(key ^ 0x85ebca6b, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15) ^ stamp.epoch, 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 13) ^ stamp.index, 0x297a2d39);
  return (h ^ (h >>> 16) ^ Math.imul(value + 1, 0x01000193)) | 0;
}

/** Rows of the table `tenure`: who holds an arc, under which epoch, and until when. */
import type { Whole } from './rows.ts';

/** With the server's own clock: no other is asked. */
export const TENURES =
  'SELECT arc, holder, epoch, until, currentTimestamp() AS now FROM @tenure WHERE crawl = ?';

export interface TenureRow {
  readonly arc: number;
  readonly holder: string;
  readonly epoch: Whole;
  readonly until: Date;
  readonly now: Date;
}

export function isHeldBy(row: TenureRow, holder: string): boolean {
  return row.holder === holder && !isOver(row);
}

export function isOver({ until, now }: TenureRow): boolean {
  return until.getTime() <= now.getTime();
}

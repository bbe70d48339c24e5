/**
 * Every change that a commit makes, by number: a decided commit is a list of these numbers with
 * their values (intent.ts), so the list only grows at its end.
 *
 * All of them say how a row is, not what is added to it, and carry the commit's own instant. So a
 * commit that is done twice, or late, after those that came after it, changes nothing any more.
 * Within one commit a row that is removed and written again is written: removals are one earlier.
 */
import type { Step, Values } from './link.ts';

export const URL_COLUMNS = [
  ...['url', 'job', 'rank', 'waiting', 'is_shelved', 'record', 'state', 'http_status', 'title'],
  ...['content_type', 'body_bytes', 'fetched_at', 'next_at', 'due_at'],
] as const;
export type UrlColumn = (typeof URL_COLUMNS)[number];

interface Change {
  readonly text: string;
  /** How many of its values name the partition, and of which tables. */
  readonly partition: readonly [tables: string, values: number];
  readonly removes: boolean;
}

function put(table: string, columns: string, keys: number, tables = table): Change {
  const marks = columns.replaceAll(/\w+/g, '?');
  const text = `INSERT INTO @${table} (crawl, ${columns}) VALUES (?, ${marks}) USING TIMESTAMP ?`;
  return { text, partition: [tables, keys], removes: false };
}

function drop(table: string, columns: readonly string[], keys: number, tables = table): Change {
  const where = columns.map((column) => ` AND ${column} = ?`).join('');
  const text = `DELETE FROM @${table} USING TIMESTAMP ? WHERE crawl = ?${where}`;
  return { text, partition: [tables, keys], removes: true };
}

const CHANGES = [
  ['url', put('url', `place, hash, ${URL_COLUMNS.join(', ')}`, 1, 'place')],
  ['forgetUrl', drop('url', ['place', 'hash'], 1, 'place')],
  ['trace', put('trace', 'place, hash, bytes', 1, 'place')],
  ['dropTrace', drop('trace', ['place', 'hash'], 1, 'place')],
  ['wait', put('waiting', 'host, rank, hash, url, waiting', 1)],
  ['dropWait', drop('waiting', ['host', 'rank', 'hash'], 1)],
  ['due', put('due', 'arc, day, at, key', 2)],
  ['dropDue', drop('due', ['arc', 'day', 'at', 'key'], 2)],
  ['dueDay', put('due_day', 'arc, day', 1)],
  ['site', put('site', 'arc, place', 1)],
  ['host', put('host', 'slice, key, host, record', 1)],
  ['robots', put('host_more', 'key, robots', 1)],
  ['sketch', put('host_more', 'key, sketch', 1)],
  ['totals', put('writer', 'id, clock, totals', 0)],
  ['jobCounts', put('job_count', 'writer, job, counts', 0)],
] as const satisfies readonly (readonly [string, Change])[];

export type ChangeName = (typeof CHANGES)[number][0];
const NUMBERS = new Map<string, number>(CHANGES.map(([name], nth) => [name, nth]));

export function numberOf(name: ChangeName): number {
  return NUMBERS.get(name) as number;
}

/** One change of a row: which statement, and its values. */
export interface RowChange {
  readonly number: number;
  readonly values: Values;
}

export function isKnownChange(number: number): boolean {
  return number < CHANGES.length;
}

/** What it changes is in one partition; those with the same name go together. */
export function partitionOf({ number, values }: RowChange): string {
  const [tables, keys] = CHANGES[number]?.[1].partition ?? ['', 0];
  const names = values.slice(0, keys).map((value) => {
    return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
  });
  return `${tables}/${names.join('/')}`;
}

/** `at` in microseconds; a commit has this one and the next. */
export function stepOf({ number, values }: RowChange, crawl: string, at: number): Step {
  const change = CHANGES[number]?.[1] as Change;
  return change.removes
    ? { text: change.text, values: [at, crawl, ...values] }
    : { text: change.text, values: [crawl, ...values, at + 1] };
}

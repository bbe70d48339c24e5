/**
 * Every statement of a commit. Each takes a whole batch as arrays, one a column, finds its rows by
 * key, and says which of them it changed where that is not certain beforehand.
 *
 * Rows are inserted through the partitioned table, which sends each to its arc; where rows must
 * be there already, the keys lead (nested loop), so that only their partitions are touched.
 */
import type { Send, Statement } from './link.ts';

const WAIT = 'key, url, job, rank, waiting, place';
const WAIT_ARRAYS = '$1::bytea[], $2::text[], $3::int4[], $4::int8[], $5::bytea[], $6::bytea[]';
const VISIT = [
  ...['key', 'url', 'record', 'state', 'http_status', 'title', 'content_type'],
  ...['body_bytes', 'fetched_at', 'next_at', 'due_at', 'trace'],
];
const VISIT_ARRAYS = [
  ...['$1::bytea[]', '$2::text[]', '$3::bytea[]', '$4::text[]', '$5::int4[]', '$6::text[]'],
  ...['$7::text[]', '$8::int8[]', '$9::int8[]', '$10::int8[]', '$11::bytea[]'],
].join(', ');
const VISIT_ROWS = `INSERT INTO url (${VISIT.join(', ')})
  SELECT ${VISIT.map((column) => (column === 'due_at' ? 'nullif(next_at, 0)' : column)).join(', ')}
  FROM unnest(${VISIT_ARRAYS}) AS v (${VISIT.filter((column) => column !== 'due_at').join(', ')})
  ON CONFLICT (key) DO UPDATE SET`;
const VISITED = VISIT.filter((c) => c !== 'key' && c !== 'url' && c !== 'trace' && c !== 'due_at')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');
const SAME_WAIT = 'url.key = w.key AND url.rank = w.rank AND url.job = w.job';

export const BEGIN: Statement = { name: '', text: 'BEGIN' };
export const COMMIT: Statement = { name: '', text: 'COMMIT' };
export const ROLLBACK: Statement = { name: '', text: 'ROLLBACK' };

/** Statements that are done together or not at all, in one round trip. */
export async function inOne(send: Send, work: () => readonly Promise<unknown>[]): Promise<void> {
  try {
    await allDone([send(BEGIN), ...work(), send(COMMIT)]);
  } catch (error) {
    await send(ROLLBACK).catch(() => undefined);
    throw error;
  }
}

/**
 * The first failure is the reason of all later ones. COMMIT of a transaction that failed is a
 * ROLLBACK that succeeds: only the others tell.
 */
export async function allDone(sent: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(sent);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

export const WRITE = {
  /** Who else has a row with this key was first: so two that ask at once get one yes. */
  admit: {
    name: 'admit',
    text: `WITH new AS (
      INSERT INTO url (${WAIT}) SELECT * FROM unnest(${WAIT_ARRAYS})
      ON CONFLICT (key) DO NOTHING RETURNING key
    ) SELECT coalesce(string_agg(key, ''), '') AS keys FROM new`,
  },
  queue: {
    name: 'queue',
    text: `INSERT INTO url (${WAIT}) SELECT * FROM unnest(${WAIT_ARRAYS})
      ON CONFLICT (key) DO UPDATE SET job = excluded.job, rank = excluded.rank,
        waiting = excluded.waiting, place = excluded.place, due_at = NULL`,
  },
  settle: {
    name: 'settle',
    text: `${VISIT_ROWS} ${VISITED}, due_at = excluded.due_at, waiting = NULL, place = NULL,
      rank = NULL, trace = coalesce(excluded.trace, url.trace)`,
  },
  /** What waits, waits on; what lies on the shelf is gone from there. */
  erase: {
    name: 'erase',
    text: `${VISIT_ROWS} ${VISITED}, due_at = NULL, trace = NULL,
      waiting = CASE WHEN url.place IS NULL THEN NULL ELSE url.waiting END`,
  },
  erasing: {
    name: 'erasing',
    text: `SELECT url.key, url, record, rank, next_at, due_at IS NOT NULL AS is_due,
        CASE WHEN place IS NULL THEN waiting END AS shelf
      FROM unnest($1::bytea[]) AS e (key) JOIN url ON url.key = e.key FOR UPDATE OF url`,
  },
  untrace: {
    name: 'untrace',
    text: `UPDATE url SET trace = NULL FROM unnest($1::bytea[]) AS e (key)
      WHERE url.key = e.key AND url.trace IS NOT NULL`,
  },
  /** Only what is still as it was read: a row that is not due any more waits by now. */
  redate: {
    name: 'redate',
    text: `UPDATE url SET next_at = r.till, due_at = nullif(r.till, 0)
      FROM unnest($1::bytea[], $2::int8[], $3::int8[]) AS r (key, at, till)
      WHERE url.key = r.key AND url.record IS NOT NULL AND url.next_at = r.at
        AND (r.at = 0 OR url.due_at = r.at)`,
  },
  shelve: {
    name: 'shelve',
    text: `UPDATE url SET place = NULL
      FROM unnest($1::bytea[], $2::int8[], $3::int4[]) AS w (key, rank, job)
      WHERE ${SAME_WAIT} AND url.place IS NOT NULL RETURNING url.key`,
  },
  unshelve: {
    name: 'unshelve',
    text: `UPDATE url SET place = w.place
      FROM unnest($1::bytea[], $2::int8[], $3::int4[], $4::bytea[]) AS w (key, rank, job, place)
      WHERE ${SAME_WAIT} AND url.place IS NULL AND url.waiting IS NOT NULL RETURNING url.key`,
  },
  forget: {
    name: 'forget',
    text: `DELETE FROM url USING unnest($1::bytea[], $2::int8[], $3::int4[]) AS w (key, rank, job)
      WHERE ${SAME_WAIT} AND url.waiting IS NOT NULL
      RETURNING url.key, url.place IS NULL AS was_shelved`,
  },
  hosts: {
    name: 'hosts',
    text: `INSERT INTO host SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::int8[],
        $5::int8[], $6::int8[], $7::float8[], $8::text[], $9::int8[], $10::int8[])
      ON CONFLICT (key) DO UPDATE SET record = excluded.record, fetched = excluded.fetched,
        failed = excluded.failed, bytes = excluded.bytes, quality = excluded.quality,
        class = excluded.class, last_fetch_at = excluded.last_fetch_at,
        turn_at = excluded.turn_at`,
  },
  robots: {
    name: 'robots',
    text: `INSERT INTO robots SELECT * FROM unnest($1::bytea[], $2::bytea[])
      ON CONFLICT (key) DO UPDATE SET records = excluded.records`,
  },
  sketches: {
    name: 'sketches',
    text: `INSERT INTO sketch SELECT * FROM unnest($1::bytea[], $2::bytea[])
      ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes`,
  },
  /** The number of the commit stands with its counts: so it can be told whether it was done. */
  counts: {
    name: 'counts',
    text: 'UPDATE writer SET seq = $2::int8, totals = $3::text::jsonb WHERE id = $1::int8',
  },
  jobCounts: {
    name: 'job-counts',
    text: `INSERT INTO job_count
      SELECT $1::int8, job, counts::jsonb FROM unnest($2::int8[], $3::text[]) AS j (job, counts)
      ON CONFLICT (writer, job) DO UPDATE SET counts = excluded.counts`,
  },
} as const satisfies Record<string, Statement>;

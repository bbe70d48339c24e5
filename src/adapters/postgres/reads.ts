/** Every statement that reads, each by an index; and what it answers. */
import type { Instant } from '../../base/instant.ts';
import type { Due, JobPlace } from '../../ports/shard-store.ts';
import type { HostKey, UrlKey } from '../../record/index.ts';
import { arcOf, firstBytesOf, isPart, wholeOf } from '../../url/index.ts';
import type { Statement } from './link.ts';
import { URL_COLUMNS, type UrlRow } from './rows.ts';
import { ARCS, arcName } from './steps.ts';

export const READ = {
  hosts: {
    name: 'read-hosts',
    text: 'SELECT key, record FROM host WHERE key > $1 AND key < $2 ORDER BY key LIMIT $3::int4',
  },
  host: {
    name: 'read-host',
    text: `SELECT record, records, bytes FROM (SELECT key, record FROM host WHERE key = $1) AS h
      LEFT JOIN robots USING (key) LEFT JOIN sketch USING (key)`,
  },
  due: {
    name: 'read-due',
    text: `SELECT key, due_at FROM url WHERE due_at >= $1::int8 AND due_at <= $2::int8
      ORDER BY due_at LIMIT $3::int4`,
  },
  urls: {
    name: 'read-urls',
    text: `SELECT ${URL_COLUMNS} FROM unnest($1::bytea[]) AS k (key) JOIN url ON url.key = k.key`,
  },
  dueStates: {
    name: 'read-due-states',
    text: `SELECT ${URL_COLUMNS}, due_at
      FROM unnest($1::bytea[]) AS k (key) JOIN url ON url.key = k.key`,
  },
  scan: {
    name: 'read-scan',
    text: `SELECT ${URL_COLUMNS} FROM url WHERE key > $1 ORDER BY key LIMIT $2::int4`,
  },
  keys: {
    name: 'read-keys',
    text: `SELECT coalesce(string_agg(key, '' ORDER BY key), '') AS keys
      FROM (SELECT key FROM url WHERE key > $1 ORDER BY key LIMIT $2::int4) AS k`,
  },
  trace: { name: 'read-trace', text: 'SELECT trace FROM url WHERE key = $1' },
  visited: {
    name: 'read-visited',
    text: `SELECT ${URL_COLUMNS}, trace FROM url WHERE key > $1 AND record IS NOT NULL
      ORDER BY key LIMIT $2::int4`,
  },
  writers: { name: 'read-writers', text: 'SELECT id, totals FROM writer' },
  jobCounts: { name: 'read-job-counts', text: 'SELECT writer, job, counts FROM job_count' },
  seq: { name: 'read-seq', text: 'SELECT seq FROM writer WHERE id = $1::int8' },
  join: { name: '', text: 'INSERT INTO writer DEFAULT VALUES RETURNING id' },
} as const satisfies Record<string, Statement>;

/** The best of a host: its arc is known, so its partition is asked, and no other is looked at. */
export function waitingOf(host: HostKey): Statement {
  const arc = arcName(arcOf(host));
  return {
    name: `read-waiting-${arc}`,
    text: `SELECT key, url, rank, waiting FROM url_${arc}
      WHERE place > $1 AND place < $2 ORDER BY place LIMIT $3::int4`,
  };
}

/**
 * What is due in these arcs: each partition's own index, merged; others are not looked at. It is
 * planned each time, which costs less than one statement kept for each set of arcs ever had.
 */
export function dueOf(arcs: readonly number[] | undefined): Statement {
  if (arcs === undefined || isWhole(arcs)) return READ.due;
  const parts = arcs.map(
    (arc) => `SELECT key, due_at FROM url_${arcName(wholeOf(arc))}
      WHERE due_at >= $1::int8 AND due_at <= $2::int8 ${isPart(arc) ? within(arc) : ''}`,
  );
  const text = `${parts.join(' UNION ALL ')} ORDER BY due_at LIMIT $3::int4`;
  return { name: '', text };
}

function isWhole(arcs: readonly number[]): boolean {
  return arcs.length === ARCS && !arcs.some(isPart);
}

/** A part of an arc that was split shares a table with the rest of it (F8). */
function within(arc: number): string {
  const { from, to } = firstBytesOf(arc);
  return `AND get_byte(key, 0) BETWEEN ${from} AND ${to}`;
}

/** Those of jobs are few and have an index of their own; the crawl's own are nearly all. */
export function ofJob(job: number, where: JobPlace): Statement {
  const kept = where === 'shelf' ? 'place IS NULL' : 'place IS NOT NULL';
  const own = job === 0 ? 'job = $1::int4' : 'job = $1::int4 AND job > 0';
  return {
    name: `read-${where}-of-${job === 0 ? 'crawl' : 'job'}`,
    text: `SELECT key, url, rank, waiting FROM url
      WHERE ${own} AND waiting IS NOT NULL AND ${kept} AND key > $2
      ORDER BY key LIMIT $3::int4`,
  };
}

export interface DueStateRow extends UrlRow {
  readonly due_at: Instant | null;
}

export interface DueRow {
  readonly key: UrlKey;
  readonly due_at: Instant;
}

export function dueIn({ key, due_at }: DueRow): Due {
  return { at: due_at, key };
}

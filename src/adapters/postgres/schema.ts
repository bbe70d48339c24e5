/**
 * The tables, as numbered steps: a database that is behind is taken forward when it is opened,
 * one that is ahead of us is left alone, with an error that says so.
 *
 *   url     one row a URL, 64 partitions by arc: its key starts with the place on the circle
 *             waiting  set: it waits, or lies on the shelf     place   set: it waits, and where
 *             record   set: it was visited                     due_at  set: it is due then
 *   host, robots, sketch       one row a host, in the order of the circle
 *   writer, job_count          counts, in rows of whoever counted: nobody waits for another
 *   pages, domains, totals     views for people
 *   audit, rule, pending, comply   what was decided about pages (comply-store.ts)
 *
 * What the crawl reads back is in `record` and `waiting`, as the bytes of ../../record/; columns
 * beside them are for finding and for people. A step that was released is never changed.
 */
import { CrawlError } from '../../base/errors.ts';
import type { Send } from './link.ts';

export const ARCS = 64;
/** Of arcs in a table's name: url_00 to url_63. */
export function arcName(arc: number): string {
  return `${arc}`.padStart(2, '0');
}

const SERVER_VERSION_MIN = 140_000;
const LOCK = 0x6f72_6277;

const TABLES = `
CREATE TABLE url (
  key bytea PRIMARY KEY, url text NOT NULL, job int4 NOT NULL DEFAULT 0,
  rank int8, waiting bytea, place bytea,
  record bytea, state text, http_status int4, title text, content_type text,
  body_bytes int8, fetched_at int8, next_at int8, due_at int8, trace bytea
) PARTITION BY RANGE (key);
CREATE INDEX url_place ON url (place) WHERE place IS NOT NULL;
CREATE INDEX url_due ON url (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX url_job ON url (job, key) WHERE waiting IS NOT NULL AND job > 0;
CREATE TABLE host (
  key bytea PRIMARY KEY, host text NOT NULL, record bytea NOT NULL,
  fetched int8, failed int8, bytes int8, quality float8, class text,
  last_fetch_at int8, turn_at int8
) WITH (fillfactor = 70);
CREATE TABLE robots (key bytea PRIMARY KEY, records bytea NOT NULL);
CREATE TABLE sketch (key bytea PRIMARY KEY, bytes bytea NOT NULL);
CREATE TABLE writer (
  id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, began timestamptz NOT NULL DEFAULT now(),
  seq int8 NOT NULL DEFAULT 0, totals jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);
CREATE TABLE job_count (
  writer int8 NOT NULL, job int8 NOT NULL, counts jsonb NOT NULL, PRIMARY KEY (writer, job)
) WITH (fillfactor = 50);
${Array.from({ length: ARCS }, (_, arc) => partition(arc)).join('\n')}`;

function partition(arc: number): string {
  const edge = (at: number) => `'\\x${(at << 2).toString(16).padStart(2, '0')}'`;
  const from = arc === 0 ? 'MINVALUE' : edge(arc);
  const to = arc === ARCS - 1 ? 'MAXVALUE' : edge(arc + 1);
  return [
    `CREATE TABLE url_${arcName(arc)} PARTITION OF url FOR VALUES FROM (${from}) TO (${to})`,
    'WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);',
  ].join(' ');
}

const VIEWS = `
CREATE VIEW pages AS SELECT
  url, coalesce(state, 'queued') AS state, http_status, title, content_type, body_bytes,
  to_timestamp(nullif(fetched_at, 0) / 1000.0) AS fetched_at,
  to_timestamp(nullif(next_at, 0) / 1000.0) AS next_at,
  place IS NOT NULL AS is_waiting, job, encode(substring(key from 9), 'hex') AS url_hash
FROM url;
CREATE VIEW domains AS SELECT
  host AS domain, fetched, failed, bytes, quality, class,
  to_timestamp(nullif(last_fetch_at, 0) / 1000.0) AS last_fetch_at,
  to_timestamp(nullif(turn_at, 0) / 1000.0) AS turn_at
FROM host;
CREATE VIEW totals AS SELECT each.key AS name, sum(each.value::int8)::int8 AS value
FROM writer, jsonb_each_text(writer.totals) AS each GROUP BY each.key;`;

const COMPLY = `
CREATE TABLE audit (
  seq int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid UNIQUE NOT NULL, line text NOT NULL
);
CREATE TABLE rule (
  list text NOT NULL, subject text NOT NULL, rule text NOT NULL, PRIMARY KEY (list, subject)
);
CREATE TABLE pending (seq int8 PRIMARY KEY, line text NOT NULL);
CREATE TABLE comply (one bool PRIMARY KEY CHECK (one), counts text NOT NULL);`;

export const MIGRATIONS: readonly string[] = [TABLES, VIEWS, COMPLY];

/** Whole or not at all; two that start at once wait for one another. */
export async function migrate(
  send: Send,
  schema: string,
  where: string,
  steps: readonly string[] = MIGRATIONS,
): Promise<void> {
  const [server] = await send<{ version: string }>(plain('SHOW server_version_num'));
  refuseOld(Number(Object.values(server ?? {})[0]), where);
  await send(plain('BEGIN'));
  try {
    await send(plain(`SELECT pg_advisory_xact_lock(${LOCK})`));
    await send(plain(`CREATE SCHEMA IF NOT EXISTS ${schema}`));
    await send(
      plain('CREATE TABLE IF NOT EXISTS schema_step (step int4 PRIMARY KEY, at timestamptz)'),
    );
    const [row] = await send<{ at: number | null }>(
      plain('SELECT max(step)::int4 AS at FROM schema_step'),
    );
    const at = row?.at ?? 0;
    refuseNewer(at, steps.length, schema, where);
    for (let step = at; step < steps.length; step++) {
      await send(plain(steps[step] as string));
      await send(plain(`INSERT INTO schema_step VALUES (${step + 1}, now())`));
    }
    await send(plain('COMMIT'));
  } catch (error) {
    await send(plain('ROLLBACK')).catch(() => undefined);
    throw error;
  }
}

export function refuseOld(version: number, where: string): void {
  if (version >= SERVER_VERSION_MIN) return;
  const found = Math.floor(version / 10_000);
  const hint = `use PostgreSQL ${SERVER_VERSION_MIN / 10_000} or later`;
  throw new CrawlError('E_CONFIG', `the server at ${where} is PostgreSQL ${found}`, hint);
}

function refuseNewer(at: number, known: number, schema: string, where: string): void {
  if (at <= known) return;
  throw new CrawlError(
    'E_STORE_NEWER',
    `the schema ${schema} at ${where} is at step ${at}; this Orbweaver knows ${known}`,
    'run the newer Orbweaver that wrote it, or choose another schema',
  );
}

function plain(text: string) {
  return { name: '', text };
}

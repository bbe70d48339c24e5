/**
 * The tables, as numbered steps. One that was released is never changed: what is new is a step.
 *
 *   url     one row a URL, 64 partitions by arc: its key starts with the place on the circle
 *             waiting  set: it waits, or lies on the shelf     place   set: it waits, and where
 *             record   set: it was visited                     due_at  set: it is due then
 *   host, robots, sketch       one row a host, in the order of the circle
 *   writer, job_count          counts, in rows of whoever counted: nobody waits for another
 *   pages, domains, totals     views for people
 *   audit, rule, pending, comply   what was decided about pages (comply-store.ts)
 *   tenure                     who may act for an arc (tenures.ts): all 64 rows, from the start
 *   near                       originals under the halves of their fingerprints (near-index.ts)
 *   job, job_seed              what was asked for (job-book.ts)
 *
 * What the crawl reads back is in `record` and `waiting`, as the bytes of ../../record/; columns
 * beside them are for finding and for people.
 */
export const ARCS = 64;
/** Of arcs in a table's name: url_00 to url_63. */
export function arcName(arc: number): string {
  return `${arc}`.padStart(2, '0');
}

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

const CLUSTER = `
CREATE TABLE tenure (
  arc int4 PRIMARY KEY, holder text NOT NULL, epoch int8 NOT NULL, until timestamptz NOT NULL
) WITH (fillfactor = 50);
INSERT INTO tenure SELECT arc, '', 0, '-infinity' FROM generate_series(0, ${ARCS - 1}) AS arc;
CREATE TABLE near (
  key bytea NOT NULL, high int4 NOT NULL, low int4 NOT NULL, pairs int8 NOT NULL,
  PRIMARY KEY (key, high, low)
);
CREATE INDEX near_high ON near (high);
CREATE INDEX near_low ON near (low);
CREATE TABLE job (id int8 PRIMARY KEY, entry text NOT NULL, call uuid NOT NULL);
CREATE TABLE job_seed (
  seq int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job int8 NOT NULL, url text NOT NULL,
  call uuid NOT NULL, nth int8 NOT NULL, UNIQUE (call, nth)
);
CREATE INDEX job_seed_job ON job_seed (job, seq);`;

export const MIGRATIONS: readonly string[] = [TABLES, VIEWS, COMPLY, CLUSTER];

/**
 * The tables, made in numbered steps. A step that was released is never changed.
 *
 *   url, trace   by place (a host name's)   every URL, what it is and what its last visit left
 *   site         by arc                     which places there are, in key order
 *   waiting      by host                    what is to be asked, best first
 *   due          by arc and day             what is to be asked again, earliest first
 *   host         by first byte of its key   hosts in key order;  host_more: robots and sketch
 *   log          by writer                  commits that are decided (log.ts), and who is sealed
 *   writer, job_count, tenure               counts of each writer; who may act for an arc
 *
 * Every question names one partition, and reads it in the order in which it lies. Tables are dear
 * in Cassandra and rows are not: so crawls share tables, and `crawl` is the first of every key.
 */
import { CrawlError } from '../../base/errors.ts';
import type { Link } from './link.ts';
import { isMissing } from './problems.ts';

/** Longer than hints are kept for a node that is down: what is deleted stays deleted. */
const GRACE = 'gc_grace_seconds = 14400';
const LEVELED = "compaction = {'class': 'LeveledCompactionStrategy'}";

const RECORDS = [
  `CREATE TABLE IF NOT EXISTS @url (
    crawl text, place blob, hash blob, url text, job int, rank bigint, waiting blob,
    is_shelved boolean, record blob, state text, http_status int, title text, content_type text,
    body_bytes bigint, fetched_at timestamp, next_at double, due_at double,
    PRIMARY KEY ((crawl, place), hash)) WITH ${LEVELED}`,
  `CREATE TABLE IF NOT EXISTS @trace (crawl text, place blob, hash blob, bytes blob,
    PRIMARY KEY ((crawl, place), hash)) WITH ${LEVELED}`,
  `CREATE TABLE IF NOT EXISTS @site (crawl text, arc int, place blob,
    PRIMARY KEY ((crawl, arc), place))`,
  `CREATE TABLE IF NOT EXISTS @waiting (crawl text, host blob, rank bigint, hash blob, url text,
    waiting blob, PRIMARY KEY ((crawl, host), rank, hash)) WITH ${LEVELED} AND ${GRACE}`,
  `CREATE TABLE IF NOT EXISTS @due (crawl text, arc int, day int, at double, key blob,
    PRIMARY KEY ((crawl, arc, day), at, key)) WITH ${GRACE}`,
  `CREATE TABLE IF NOT EXISTS @due_day (crawl text, arc int, day int,
    PRIMARY KEY ((crawl, arc), day))`,
  `CREATE TABLE IF NOT EXISTS @host (crawl text, slice int, key blob, host text, record blob,
    PRIMARY KEY ((crawl, slice), key)) WITH ${LEVELED}`,
  `CREATE TABLE IF NOT EXISTS @host_more (crawl text, key blob, robots blob, sketch blob,
    PRIMARY KEY ((crawl, key))) WITH ${LEVELED}`,
  `CREATE TABLE IF NOT EXISTS @log (crawl text, writer text, seq bigint, part int, parts int,
    bytes blob, sealed int static, seals map<int, bigint> static,
    PRIMARY KEY ((crawl, writer), seq, part)) WITH ${GRACE}`,
  `CREATE TABLE IF NOT EXISTS @writer (crawl text, id text, applied bigint, clock bigint,
    totals text, PRIMARY KEY (crawl, id))`,
  `CREATE TABLE IF NOT EXISTS @job_count (crawl text, writer text, job int, counts text,
    PRIMARY KEY (crawl, writer, job))`,
  `CREATE TABLE IF NOT EXISTS @tenure (crawl text, arc int, holder text, epoch bigint,
    until timestamp, PRIMARY KEY (crawl, arc))`,
];

const COMPLY = [
  `CREATE TABLE IF NOT EXISTS @audit (crawl text, page int, seq bigint, id text, line text,
    PRIMARY KEY ((crawl, page), seq))`,
  `CREATE TABLE IF NOT EXISTS @comply (crawl text, list text, subject text, value text,
    version bigint static, PRIMARY KEY (crawl, list, subject))`,
];

const NODES = [
  `CREATE TABLE IF NOT EXISTS @job (crawl text, id bigint, entry text, call text,
    PRIMARY KEY (crawl, id))`,
  `CREATE TABLE IF NOT EXISTS @job_seed (crawl text, job bigint, seq bigint, call text, urls text,
    PRIMARY KEY ((crawl, job), seq))`,
  `CREATE TABLE IF NOT EXISTS @near (crawl text, pair int, bits int, key blob, simhash blob,
    pairs blob, PRIMARY KEY ((crawl, pair, bits), key, simhash))`,
];

export const STEPS: readonly (readonly string[])[] = [RECORDS, COMPLY, NODES];

const LOCK_SECONDS = 60;
const LOOK_MS = 250;
const COPIES = 3;

const STEP_TABLE = `CREATE TABLE IF NOT EXISTS @schema_step (one int, step int,
  owner text static, PRIMARY KEY (one, step))`;

/** Whole steps, by one node at a time: two that made a table at once would make two of it. */
export async function migrate(
  link: Link,
  { me, copies, sleep }: Migrating,
  steps = STEPS,
): Promise<void> {
  if ((await stepOf(link, steps.length)) === steps.length) return;
  await makeKeyspace(link, copies);
  await link.run(STEP_TABLE);
  for (;;) {
    const lock = `UPDATE @schema_step USING TTL ${LOCK_SECONDS} SET owner = ? WHERE one = 1`;
    await link.decide([{ text: `${lock} IF owner = null`, values: [me] }]);
    const [row] = await link.serial<{ owner: string | null }>(
      'SELECT owner FROM @schema_step WHERE one = 1 LIMIT 1',
      [],
    );
    if (row?.owner === me) break;
    await sleep(LOOK_MS);
  }
  for (let step = await stepOf(link, steps.length); step < steps.length; step++) {
    for (const text of steps[step] ?? []) await link.run(text);
    await link.run('INSERT INTO @schema_step (one, step) VALUES (1, ?)', [step + 1]);
  }
  const free = 'UPDATE @schema_step SET owner = null WHERE one = 1 IF owner = ?';
  await link.decide([{ text: free, values: [me] }]);
}

export interface Migrating {
  /** Of this opening and no other. */
  readonly me: string;
  readonly copies: number | undefined;
  sleep(ms: number): Promise<void>;
}

/** Which step the tables are at; 0 when there are none. */
async function stepOf(link: Link, known: number): Promise<number> {
  type Row = { readonly step: number | null };
  const rows = await link
    .run<Row>('SELECT step FROM @schema_step WHERE one = 1')
    .catch((error: CrawlError) => {
      if (isMissing(error.cause)) return [];
      throw error;
    });
  const at = Math.max(0, ...rows.map(({ step }) => step ?? 0));
  if (at <= known) return at;
  throw new CrawlError(
    'E_STORE_NEWER',
    `the keyspace ${link.keyspace} at ${link.where} is at step ${at}; this Orbweaver knows ${known}`,
    'run the newer Orbweaver that wrote it, or choose another keyspace',
  );
}

async function makeKeyspace(link: Link, copies = Math.min(COPIES, link.nodeCount)): Promise<void> {
  const text = 'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?';
  const rows = await link.run<{ table_name: string }>(text, [link.keyspace]);
  const names = rows.map((row) => row.table_name);
  if (names.length > 0 && !names.includes('schema_step')) {
    throw new CrawlError(
      'E_CONFIG',
      `the keyspace ${link.keyspace} at ${link.where} has tables of somebody else: ${names[0]}`,
      'choose another keyspace: Orbweaver makes it',
    );
  }
  await link.run(
    `CREATE KEYSPACE IF NOT EXISTS ${link.keyspace} WITH replication =
      {'class': 'NetworkTopologyStrategy', '${link.datacenter.replaceAll("'", '')}': ${copies}}`,
  );
}

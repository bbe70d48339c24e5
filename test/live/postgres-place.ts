/**
 * A schema on the PostgreSQL of the live tests, made once for a file of tests and emptied for
 * each case: to make one takes longer than any case.
 */
import { after, before } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { PostgresShardStore, type ShardStoreOptions } from '../../src/adapters/postgres/index.ts';
import { postgres } from '../../tools/engines/index.ts';
import { Line } from '../kit/line.ts';
import { liveEngine } from '../kit/live.ts';

const TABLES = [
  ...['url', 'host', 'robots', 'sketch', 'writer', 'job_count', 'audit', 'rule', 'pending'],
  ...['comply', 'near', 'job', 'job_seed'],
];
const EMPTYING = [
  ...TABLES.map((table) => `DELETE FROM ${table}`),
  'DELETE FROM tenure WHERE arc > 63',
  `UPDATE tenure SET holder = '', until = '-infinity'`,
  `INSERT INTO tenure SELECT arc, '', 9, '-infinity' FROM generate_series(0, 63) AS arc
    ON CONFLICT DO NOTHING`,
];

export const { address, skip } = liveEngine(postgres);
export const clock = systemClock();
/** Time that is to pass for the server passes for us. */
export const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);

export async function sql(text: string, url = address): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export interface Place {
  readonly schema: string;
  /** Short patience, unless it is told otherwise. */
  open(more?: Partial<ShardStoreOptions>): Promise<PostgresShardStore>;
  options(more?: Partial<ShardStoreOptions>): ShardStoreOptions;
  emptied(): Promise<void>;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** A way to the server that can be cut; ended with the file. */
  line(): Promise<Line & { readonly url: string }>;
  /** Closes it with the file. */
  keep<T extends { close(): Promise<void> }>(one: T): T;
}

/** To be called in a `describe`: makes the schema before its cases, drops it after them. */
export function place(name: string): Place {
  const schema = `${name}_${process.pid}`;
  const kept: { close(): Promise<void> }[] = [];
  let client: pg.Client | undefined;
  const options = (more: Partial<ShardStoreOptions> = {}) => ({
    ...{ url: address, schema, clock, patienceMs: 300 },
    ...more,
  });
  const open = (more?: Partial<ShardStoreOptions>) => PostgresShardStore.open(options(more));
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    kept.push(one);
    return one;
  };
  const ask = async (text: string) => (await client?.query(text))?.rows ?? [];
  before(async () => {
    await (await open()).close();
    client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query(`SET search_path = ${schema}; SET plan_cache_mode = force_generic_plan`);
  });
  after(async () => {
    for (const one of kept) await one.close();
    await ask(`DROP SCHEMA ${schema} CASCADE`);
    await client?.end();
  });
  return {
    ...{ schema, open, options, keep, sql: ask },
    line: async () => keep(await Line.to(address)),
    emptied: async () => {
      // Prepared: to plan this for 64 partitions takes longer than to do it.
      for (const text of EMPTYING) await client?.query({ name: text.slice(0, 63), text });
    },
  };
}

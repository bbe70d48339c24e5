/**
 * A database that is behind is taken forward when it is opened, in the steps of steps.ts; one
 * that is ahead of us is left alone, with an error that says so.
 */
import { CrawlError } from '../../base/errors.ts';
import { Link, type PostgresOptions, type Send } from './link.ts';
import { BEGIN, COMMIT, ROLLBACK } from './statements.ts';
import { MIGRATIONS } from './steps.ts';

const SERVER_VERSION_MIN = 140_000;
const LOCK = 0x6f72_6277;
const SERVER = plain(`SELECT current_setting('server_version_num')::int4 AS version,
  to_regclass('schema_step') IS NOT NULL AS is_made`);

/** A connection to tables as they are to be. */
export async function openLink(options: PostgresOptions): Promise<Link> {
  const link = await Link.open(options);
  try {
    await link.run((send) => migrate(send, options.schema, link.where));
    return link;
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** Nobody waits where all is done already: nodes and commands open it all the time. */
export async function migrate(
  send: Send,
  schema: string,
  where: string,
  steps: readonly string[] = MIGRATIONS,
): Promise<void> {
  const [server] = await send<{ version: number; is_made: boolean }>(SERVER);
  refuseOld(server?.version ?? 0, where);
  if (server?.is_made && (await stepOf(send)) === steps.length) return;
  await forward(send, schema, where, steps);
}

/** Whole or not at all; two that start at once wait for one another. */
async function forward(
  send: Send,
  schema: string,
  where: string,
  steps: readonly string[],
): Promise<void> {
  await send(BEGIN);
  try {
    await send(plain(`SELECT pg_advisory_xact_lock(${LOCK})`));
    await send(plain(`CREATE SCHEMA IF NOT EXISTS ${schema}`));
    await send(
      plain('CREATE TABLE IF NOT EXISTS schema_step (step int4 PRIMARY KEY, at timestamptz)'),
    );
    const at = await stepOf(send);
    refuseNewer(at, steps.length, schema, where);
    for (let step = at; step < steps.length; step++) {
      await send(plain(steps[step] as string));
      await send(plain(`INSERT INTO schema_step VALUES (${step + 1}, now())`));
    }
    await send(COMMIT);
  } catch (error) {
    await send(ROLLBACK).catch(() => undefined);
    throw error;
  }
}

async function stepOf(send: Send): Promise<number> {
  const text = 'SELECT coalesce(max(step), 0)::int4 AS at FROM schema_step';
  const [row] = await send<{ at: number }>(plain(text));
  return row?.at ?? 0;
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

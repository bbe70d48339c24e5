/** For `orb doctor`: the server, the schema of this crawl and how far it is, the clock (B5, L6). */
import { clockCheck, type EngineCheck, failedCheck } from '../../ports/engine-check.ts';
import { Link, type PostgresOptions, type Send } from './link.ts';
import { refuseOld } from './schema.ts';
import { MIGRATIONS } from './steps.ts';

const SERVER = `SELECT current_setting('server_version_num')::int4 AS version,
  current_setting('server_version') AS told,
  current_setting('max_connections')::int4 AS connections,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
  to_regclass('schema_step') IS NOT NULL AS is_made,
  has_database_privilege(current_database(), 'CREATE') AS may_make`;
const STEP = 'SELECT coalesce(max(step), 0)::int4 AS step FROM schema_step';

interface ServerRow {
  readonly version: number;
  readonly told: string;
  readonly connections: number;
  readonly at: number;
  readonly is_made: boolean;
  readonly may_make: boolean;
}

/** Changes nothing: tables that are behind are taken forward by the first node. */
export async function probePostgres(options: PostgresOptions): Promise<readonly EngineCheck[]> {
  const { clock, schema } = options;
  let link: Link | undefined;
  try {
    link = await Link.open({ ...options, patienceMs: 0 });
    const { where } = link;
    return await link.run(async (send) => {
      const from = clock.now();
      const [row] = await send<ServerRow & object>({ name: '', text: SERVER });
      const asked = { from, to: clock.now() };
      if (row === undefined) throw new Error('it answers nothing');
      refuseOld(row.version, where);
      const { told, connections } = row;
      const what = `PostgreSQL ${told} at ${where}, ${connections} connections at most`;
      return [
        { name: 'postgres', state: 'ok', what } as const,
        row.is_made ? await stepCheck(send, schema) : makeCheck(row, schema),
        clockCheck('postgres', row.at, asked),
      ];
    });
  } catch (error) {
    return [failedCheck('postgres', error)];
  } finally {
    await link?.close();
  }
}

function makeCheck({ may_make }: ServerRow, schema: string): EngineCheck {
  const name = 'postgres';
  if (may_make) return { name, state: 'ok', what: `schema ${schema} is made by the first node` };
  const what = `there is no schema ${schema}, and the user may not make one`;
  const fix = 'Let the user create schemas: GRANT CREATE ON DATABASE … TO …, or make it for them.';
  return { name, state: 'fail', what, fix };
}

async function stepCheck(send: Send, schema: string): Promise<EngineCheck> {
  const name = 'postgres';
  const [row] = await send<{ step: number }>({ name: '', text: STEP });
  const { step = 0 } = row ?? {};
  const known = MIGRATIONS.length;
  const what = `schema ${schema} is at step ${step} of ${known}`;
  if (step === known) return { name, state: 'ok', what };
  if (step < known) {
    const fix = 'The next node that starts takes it forward; stop the older ones first.';
    return { name, state: 'warn', what, fix };
  }
  const fix = 'Run the newer Orbweaver that wrote it, or choose another --name.';
  return { name, state: 'fail', what, fix };
}

/** Is there a crawl in this schema? Makes nothing. */
export async function hasPostgresCrawl(options: PostgresOptions): Promise<boolean> {
  const link = await Link.open({ ...options, patienceMs: 0 });
  try {
    const text = "SELECT to_regclass('schema_step') IS NOT NULL AS is_made";
    const [row] = await link.run((send) => send<{ is_made: boolean }>({ name: '', text }));
    return row?.is_made === true;
  } finally {
    await link.close();
  }
}

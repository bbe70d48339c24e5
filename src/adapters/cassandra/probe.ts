/** For `orb doctor`: the nodes, the keyspace and how far its tables are, the clock (B5, L6). */
import { CrawlError } from '../../base/errors.ts';
import { clockCheck, type EngineCheck, failedCheck } from '../../ports/engine-check.ts';
import { type CassandraOptions, Link } from './link.ts';
import { isMissing } from './problems.ts';
import { STEPS } from './schema.ts';

const NAME = 'cassandra';
/** Copies that the loss of a node does not take. */
const NODES_SAFE = 3;
const VERSION_LEAST = 4;

/** Changes nothing: tables are made, and taken forward, by the first node. */
export async function probeCassandra(options: CassandraOptions): Promise<readonly EngineCheck[]> {
  const { clock } = options;
  let link: Link | undefined;
  try {
    link = await Link.open({ ...options, patienceMs: 0 });
    const from = clock.now();
    const [row] = await link.run<{ release_version: string; at: Date }>(
      'SELECT release_version, toTimestamp(now()) AS at FROM system.local',
    );
    const asked = { from, to: clock.now() };
    if (row === undefined) throw new Error('it answers nothing');
    return [
      versionCheck(row.release_version, link),
      await stepCheck(link),
      clockCheck(NAME, row.at.getTime(), asked),
    ];
  } catch (error) {
    return [failedCheck(NAME, error)];
  } finally {
    await link?.close();
  }
}

function versionCheck(version: string, { nodeCount, where }: Link): EngineCheck {
  const what = `Cassandra ${version}, ${nodeCount} node(s), at ${where}`;
  if (Number.parseInt(version, 10) < VERSION_LEAST) {
    return { name: NAME, state: 'fail', what, fix: `Use Cassandra ${VERSION_LEAST} or later.` };
  }
  if (nodeCount >= NODES_SAFE) return { name: NAME, state: 'ok', what };
  const fix = `With ${NODES_SAFE} nodes the crawl goes on when one of them is lost.`;
  return { name: NAME, state: 'warn', what, fix };
}

async function stepCheck(link: Link): Promise<EngineCheck> {
  const rows = await unlessMissing(
    link.run<{ step: number | null }>('SELECT step FROM @schema_step WHERE one = 1'),
  );
  const step = Math.max(0, ...rows.map((row) => row.step ?? 0));
  const what = `keyspace ${link.keyspace} is at step ${step} of ${STEPS.length}`;
  if (step === 0) {
    return { name: NAME, state: 'ok', what: `keyspace ${link.keyspace} is made by the first node` };
  }
  if (step === STEPS.length) return { name: NAME, state: 'ok', what };
  if (step < STEPS.length) {
    const fix = 'The next node that starts takes it forward; stop the older ones first.';
    return { name: NAME, state: 'warn', what, fix };
  }
  const fix = 'Run the newer Orbweaver that wrote it, or choose another --keyspace.';
  return { name: NAME, state: 'fail', what, fix };
}

/** Is there a crawl of this name? Makes nothing. */
export async function hasCassandraCrawl(options: CassandraOptions): Promise<boolean> {
  const link = await Link.open({ ...options, patienceMs: 0 });
  try {
    const text = 'SELECT id FROM @job WHERE crawl = ? LIMIT 1';
    return (await unlessMissing(link.run<{ id: unknown }>(text, [options.crawl]))).length > 0;
  } finally {
    await link.close();
  }
}

async function unlessMissing<T>(rows: Promise<T[]>): Promise<T[]> {
  return rows.catch((error: unknown) => {
    if (error instanceof CrawlError && isMissing(error.cause)) return [];
    throw error;
  });
}

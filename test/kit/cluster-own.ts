/**
 * Engines of a cluster's own, to be broken while it crawls: nobody else is hurt. Gone with all
 * that is in them after the test.
 */
import {
  cassandra,
  type Engine,
  kafka,
  postgres,
  type RunningEngine,
  redis,
  s3,
} from '../../tools/engines/index.ts';
import type { EngineAddresses } from './cluster.ts';
import { breakable } from './live.ts';

export type RecordsKind = 'postgres' | 'cassandra';
export type OwnEngine = keyof EngineAddresses;

export interface OwnEngines {
  readonly kind: RecordsKind;
  readonly at: EngineAddresses;
  readonly engines: Readonly<Record<OwnEngine, RunningEngine>>;
}

export async function ownEngines(
  t: { after(end: () => unknown): void },
  kind: RecordsKind,
): Promise<OwnEngines> {
  const wanted: Record<OwnEngine, Engine> = {
    ...{ kafka, redis, s3, records: kind === 'postgres' ? postgres : cassandra },
  };
  const entries = Object.entries(wanted) as [OwnEngine, Engine][];
  const started = await Promise.all(
    entries.map(async ([name, engine]) => [name, await breakable(t, engine)] as const),
  );
  const engines = Object.fromEntries(started) as Record<OwnEngine, RunningEngine>;
  const at = Object.fromEntries(started.map(([name, { address }]) => [name, address]));
  return { kind, at: at as unknown as EngineAddresses, engines };
}

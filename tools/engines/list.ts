/** Every engine that there is, in the order in which they are started; and where they live. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cassandra } from './cassandra.ts';
import type { Engine } from './engine.ts';
import { kafka } from './kafka.ts';
import { shelfIn } from './obtain.ts';
import { postgres } from './postgres.ts';
import { redis, redisCluster } from './redis.ts';
import { s3 } from './s3.ts';

export const ENGINES: readonly Engine[] = [postgres, kafka, cassandra, redis, redisCluster, s3];

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/**
 * All that engines leave behind is in here; git ignores it. PostgreSQL does not run as root, and
 * whom root runs it as must be able to enter.
 */
export const ENGINES_DIR = process.env.ORB_ENGINES_DIR ?? enterable(join(root, '.engines'));
export const PROJECT_DIR = root;
/** What was fetched: kept from run to run. */
export const SHELF = shelfIn(join(ENGINES_DIR, 'shelf'));

function enterable(dir: string): string {
  const isOpen = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)));
  if (process.getuid?.() !== 0 || isOpen(dirname(dir))) return dir;
  return join(
    tmpdir(),
    `orb-engines-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`,
  );
}

/** The engines with these names, or all; an unknown name is told with those that there are. */
export function enginesNamed(names: readonly string[]): readonly Engine[] {
  const unknown = names.find((name) => !ENGINES.some((engine) => engine.name === name));
  if (unknown !== undefined) {
    const known = ENGINES.map(({ name }) => name).join(', ');
    throw new Error(`there is no engine ${unknown}: there are ${known}`);
  }
  return names.length === 0 ? ENGINES : ENGINES.filter(({ name }) => names.includes(name));
}

/** An engine for one benchmark: the one that its variable names, or one started for it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINES_DIR, type Engine, SHELF, startEngine } from '../tools/engines/index.ts';

export async function withEngine(
  engine: Engine,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const given = process.env[engine.variable];
  if (given !== undefined) return work(given);
  const dir = join(ENGINES_DIR, `live-${process.pid}.${engine.name}`);
  const running = await startEngine(engine, dir, SHELF);
  try {
    await work(running.address);
  } finally {
    await running.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

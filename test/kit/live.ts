/**
 * Engines for the tests in test/live/: the address that `npm run test:live` gives, or a printed
 * reason why there is none; and an engine of a test's own, to be broken.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ENGINES_DIR,
  type Engine,
  type RunningEngine,
  SHELF,
  startEngine,
} from '../../tools/engines/index.ts';

/** `test(name, { skip: live.skip }, …)`: false where the address is there. */
export interface LiveEngine {
  readonly address: string;
  readonly skip: string | false;
}

export function liveEngine(engine: Engine): LiveEngine {
  const address = process.env[engine.variable];
  if (address !== undefined) return { address, skip: false };
  const skip = `${engine.variable} is not set: \`npm run test:live -- ${engine.name}\` sets it`;
  if (process.env.CI === 'true') throw new Error(skip);
  return { address: '', skip };
}

let breakables = 0;

/** One that nobody else uses, ended after the test whatever the test did with it. */
export async function breakable(
  t: { after(end: () => unknown): void },
  engine: Engine,
): Promise<RunningEngine> {
  const dir = join(ENGINES_DIR, `live-${process.pid}.${breakables++}`);
  const running = await startEngine(engine, dir, SHELF);
  t.after(async () => {
    running.signal('SIGCONT');
    await running.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return running;
}

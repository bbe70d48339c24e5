/** A folder of a test's own; the short name keeps the path of a socket in it short. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What of a test's context is needed here: `before` in a suite has it, too. */
export interface Cleanup {
  after(end: () => unknown): void;
}

export async function scratch(t: Cleanup): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orbt-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

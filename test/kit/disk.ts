/** A disk of a given size, to be filled: a tmpfs, which only root can mount. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from './place.ts';

const run = promisify(execFile);

export interface SmallDisk {
  /** For anybody to write in. */
  readonly dir: string;
  grow(size: string): Promise<void>;
}

/** `size` as mount takes it: 12m. Undefined where nothing can be mounted. */
export async function smallDisk(t: Cleanup, size: string): Promise<SmallDisk | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'orb-disk-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir]).then(
    () => true,
    () => false,
  );
  t.after(async () => {
    if (isMounted) await run('umount', ['-l', dir]);
    await rm(dir, { recursive: true, force: true });
  });
  if (!isMounted) return undefined;
  await chmod(dir, 0o777);
  return {
    dir,
    grow: async (bigger) => {
      await run('mount', ['-o', `remount,size=${bigger}`, dir]);
    },
  };
}

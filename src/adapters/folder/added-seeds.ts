/**
 * Seeds that came while a crawl ran and made its scope wider: one a line, in the folder's
 * `seeds.txt`, appended. The seeds that a crawl began with are in `crawl.json`.
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError } from './disk.ts';

export async function readAddedSeeds(dir: string): Promise<readonly string[]> {
  try {
    const text = await readFile(join(dir, 'seeds.txt'), 'utf8');
    // The last line may be half of one, if the machine stopped in the middle of it.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return whole.split('\n').filter((line) => line !== '');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw diskError(error, join(dir, 'seeds.txt'));
  }
}

/** A canonical URL holds no line end. Resolves when they are safe. */
export async function addSeeds(dir: string, seeds: readonly string[]): Promise<void> {
  const path = join(dir, 'seeds.txt');
  try {
    const file = await open(path, 'a');
    try {
      await file.write(`${seeds.join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskError(error, path);
  }
}

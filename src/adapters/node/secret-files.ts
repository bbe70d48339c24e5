/**
 * The `SecretFiles` port on a disk. A file is judged by the handle that it is read through, so
 * that nobody can swap it between. Windows has no mode bits: there, the folder's rules must do.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import type { SecretFiles } from '../../ports/secret-files.ts';
import { diskError } from '../folder/disk.ts';

const OTHERS = 0o077;
const OWNER_ONLY = 0o600;

/** Paths are relative to `folder`. */
export function diskSecretFiles(folder: string): SecretFiles {
  return {
    read: (path) => readSecret(resolve(folder, path), path),
    write: (path, text) => writeSecret(resolve(folder, path), text),
  };
}

async function readSecret(path: string, name: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const hint = 'Check the name and your right to read it.';
    throw new CrawlError('E_CONFIG', `${name} cannot be read: ${error.message}`, hint, error);
  });
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) throw tooOpen(name, mode);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function tooOpen(name: string, mode: number): CrawlError {
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  const what = `${name} can be read or changed by others (mode ${shown}).`;
  return new CrawlError('E_CONFIG', what, `Run: chmod 600 ${name}`);
}

/** The umask takes bits away from what is asked for, and never adds any: chmod has the last word. */
async function writeSecret(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(draft, 'wx', OWNER_ONLY);
    try {
      await file.chmod(OWNER_ONLY);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw diskError(error, path);
  }
}

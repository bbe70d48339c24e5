/**
 * Private keys on a disk (`KeyFiles`), and the signer that a crawl makes of one (P8).
 *
 * A file is judged by the handle that it is read through, so that nobody can swap it between.
 * Windows has no mode bits: there, the folder's own rules must do.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyFiles } from '../../ports/key-files.ts';
import {
  type AgentForm,
  isKeyProblem,
  keyFrom,
  NONCE_BYTES,
  privateJwkText,
  requestSigner,
  SEED_BYTES,
  type SignKey,
  type SignRequest,
} from '../../sign/index.ts';
import { diskError } from '../folder/disk.ts';

const KEY_BYTES_MAX = 64 * 1024;
/** Reading by others, and writing by anybody else; a group may read, as mounted secrets need. */
const FORBIDDEN_MODE = 0o027;
const OWNER_ONLY = 0o600;

export interface SigningSettings {
  readonly signKey: string | undefined;
  readonly signatureAgent: string | undefined;
  readonly signatureForm: AgentForm;
}

/** Undefined when no key is set: requests then go out unsigned. */
export async function openSigner(
  { signKey, signatureAgent, signatureForm: form }: SigningSettings,
  clock: Clock,
): Promise<SignRequest | undefined> {
  if (signKey === undefined || signatureAgent === undefined) return undefined;
  const key = await diskKeyFiles(process.cwd()).read(signKey);
  const nonce = () => randomBytes(NONCE_BYTES);
  return requestSigner({ key, signatureAgent, form, nonce, now: () => clock.now() });
}

/** Paths are relative to `folder`. */
export function diskKeyFiles(folder: string): KeyFiles {
  return {
    read: (path) => readKey(resolve(folder, path), path),
    create: (path) => createKey(resolve(folder, path), path),
  };
}

async function readKey(path: string, name: string): Promise<SignKey> {
  const found = keyFrom(await readSecret(path, name));
  if (!isKeyProblem(found)) return found;
  throw refused(name, found.problem, found.hint);
}

async function readSecret(path: string, name: string): Promise<string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unreadable(name, error);
    throw refused(name, 'does not exist', `Make a key with: orb key new --out ${name}`);
  });
  try {
    return await readChecked(file, name);
  } finally {
    await file.close();
  }
}

async function readChecked(file: FileHandle, name: string): Promise<string> {
  const { mode, size } = await file.stat();
  const isOpen = process.platform !== 'win32' && (mode & FORBIDDEN_MODE) !== 0;
  if (isOpen) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    const hint = `Run: chmod 600 ${name}; make a new key if somebody else could have read it`;
    throw refused(name, `can be read or changed by others (mode ${shown})`, hint);
  }
  if (size > KEY_BYTES_MAX) {
    throw refused(name, 'is too long for a key', 'Name the file that `orb key new` wrote');
  }
  try {
    return await file.readFile('utf8');
  } catch (error) {
    throw unreadable(name, error as NodeJS.ErrnoException);
  }
}

async function createKey(path: string, name: string): Promise<SignKey> {
  const text = privateJwkText(randomBytes(SEED_BYTES));
  const file = await claim(path, name);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw diskError(error, name);
  } finally {
    await file.close();
  }
  return keyFrom(text) as SignKey;
}

async function claim(path: string, name: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw diskError(error, name);
    const hint = 'Choose another name with --out: a key that is lost cannot be made again';
    throw new CrawlError('E_OUTPUT_EXISTS', `${name} is there already.`, hint);
  }
}

function unreadable(name: string, { code = 'unknown' }: NodeJS.ErrnoException): CrawlError {
  const hint = 'Name a file that this user may read, or make one with: orb key new --out FILE';
  return refused(name, `cannot be read (${code})`, hint);
}

function refused(name: string, problem: string, hint: string): CrawlError {
  return new CrawlError('E_CONFIG', `The key file ${name} ${problem}.`, `${hint}.`);
}

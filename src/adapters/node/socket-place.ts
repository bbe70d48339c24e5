/**
 * Where a folder's socket is.
 *
 *   DIR/orb.sock                     the usual place
 *   a private folder under the system's temporary one, when DIR is too long for a socket's
 *   address (104 bytes on some systems); DIR/orb.sock.path then says where
 *   a named pipe                     on Windows
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const SOCKET = 'orb.sock';
const POINTER = 'orb.sock.path';
const ADDRESS_BYTES_MAX = 100;

export interface SocketPlace {
  readonly path: string;
  /** False for a named pipe, which is no file. */
  readonly isFile: boolean;
  /** Tells askers where it is; called when somebody listens there. */
  announce(): Promise<void>;
  /** Takes everything away again. */
  leave(): Promise<void>;
}

/** A free place for the owner of the folder; what an earlier owner left is removed. */
export async function claimPlace(dir: string): Promise<SocketPlace> {
  const pointer = join(dir, POINTER);
  await forget(dir);
  const usual = resolve(dir, SOCKET);
  if (process.platform === 'win32') return pipePlace(dir);
  if (Buffer.byteLength(usual) <= ADDRESS_BYTES_MAX) {
    return {
      path: usual,
      isFile: true,
      announce: async () => undefined,
      leave: () => rm(usual, { force: true }),
    };
  }
  const home = await mkdtemp(join(tmpdir(), 'orb-'));
  const path = join(home, SOCKET);
  return {
    path,
    isFile: true,
    announce: () => writeFile(pointer, path, { mode: 0o600 }),
    leave: () => forget(dir),
  };
}

function pipePlace(dir: string): SocketPlace {
  const name = createHash('sha256').update(resolve(dir).toLowerCase()).digest('hex').slice(0, 32);
  const nothing = async () => undefined;
  return { path: `\\\\.\\pipe\\orb-${name}`, isFile: false, announce: nothing, leave: nothing };
}

async function forget(dir: string): Promise<void> {
  const far = await pointedAt(dir);
  if (far !== undefined) await rm(dirname(far), { recursive: true, force: true });
  await rm(join(dir, POINTER), { force: true });
  await rm(join(dir, SOCKET), { force: true });
}

/** Where to ask for this folder; somebody may listen there or not. */
export async function findPlace(dir: string): Promise<string> {
  if (process.platform === 'win32') return pipePlace(dir).path;
  return (await pointedAt(dir)) ?? resolve(dir, SOCKET);
}

/** Only a place that we could have made is believed: `TMP/orb-XXXXXX/orb.sock`. */
async function pointedAt(dir: string): Promise<string | undefined> {
  const path = await readFile(join(dir, POINTER), 'utf8').catch(() => undefined);
  if (path === undefined) return undefined;
  const home = dirname(path);
  const isOurs = path === join(home, SOCKET) && /^orb-\w+$/.test(home.slice(tmpdir().length + 1));
  return isOurs && dirname(home) === resolve(tmpdir()) ? path : undefined;
}

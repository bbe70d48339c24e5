/**
 * The folder of a node of a ring, and who that node is: its key, and what lets it in (D8). A part
 * of the composition root.
 *
 *   none yet           made, with a key; a node that begins a ring makes a secret, too
 *   of a ring's node   gone on with: same key, same place, same seats
 *   of a plain crawl, of a node that has left   refused
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readManifest } from './adapters/folder/crawl-folder.ts';
import { diskError } from './adapters/folder/disk.ts';
import {
  type RingNote,
  readRingNote,
  ringPathsOf,
  writeRingNote,
} from './adapters/folder/ring-folder.ts';
import { systemClock } from './adapters/node/clock.ts';
import { diskKeyFiles } from './adapters/node/key-files.ts';
import { diskSecretFiles } from './adapters/node/secret-files.ts';
import { CrawlError } from './base/errors.ts';
import type { Settings } from './config/index.ts';
import type { RingRequest } from './crawl/ring-desk.ts';
import { certifiedBy, type Membership } from './ring/index.ts';
import type { SignKey } from './sign/index.ts';

const SECRET_BYTES = 32;

export interface RingFolder {
  readonly key: SignKey;
  readonly membership: Membership;
  /** Of a node that was a member before; undefined for a new one. */
  readonly note: RingNote | undefined;
  /** A secret was made here, for other nodes to be given. */
  readonly newSecretAt?: string;
}

export async function openRingFolder(request: RingRequest): Promise<RingFolder> {
  const { dir, settings, way } = request;
  const there = await readRingNote(dir);
  if (there === undefined) await refusePlain(dir);
  if (there === undefined) await writeRingNote(dir, { state: 'new', members: [] });
  if (there?.state === 'left') {
    const hint = 'Choose another folder with --dir; nobody needs this one any more.';
    throw new CrawlError('E_FOLDER_SETTINGS', `The node of ${dir} has left its ring.`, hint);
  }
  const note = there?.state === 'member' ? there : undefined;
  const key = await ringKeyOf(dir);
  const mayMake = way === 'start' && note === undefined;
  return { key, note, ...(await membershipFrom(settings, dir, key, mayMake)) };
}

/** Before anything of the folder is opened: its rows are not one process's to change. */
export async function refuseRingFolder(dir: string): Promise<void> {
  if ((await readRingNote(dir)) === undefined) return;
  const hint = `Go on with it: orb ring start --dir ${dir}; or choose another folder.`;
  throw new CrawlError('E_FOLDER_SETTINGS', `${dir} is the folder of a node of a ring.`, hint);
}

async function refusePlain(dir: string): Promise<void> {
  if ((await readManifest(dir)) === undefined) return;
  const hint = 'A node needs a folder of its own: choose another with --dir.';
  throw new CrawlError('E_FOLDER_SETTINGS', `${dir} holds a crawl that is of no ring.`, hint);
}

/** Made where there is none. */
export async function ringKeyOf(dir: string): Promise<SignKey> {
  const files = diskKeyFiles(process.cwd());
  const path = ringPathsOf(dir).key;
  try {
    return await files.create(path);
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'E_OUTPUT_EXISTS') return files.read(path);
    throw error;
  }
}

type Let = Pick<RingFolder, 'membership' | 'newSecretAt'>;

export async function membershipFrom(
  { ring }: Settings,
  dir: string,
  key: SignKey,
  mayMake: boolean,
): Promise<Let> {
  const { certificate, ringKey, secret, secretFile } = ring;
  if (certificate !== undefined && ringKey !== undefined) {
    return { membership: await certified(certificate, ringKey, key) };
  }
  if (secret !== undefined) return { membership: secretOf(secret) };
  const files = diskSecretFiles(process.cwd());
  const path = secretFile ?? ringPathsOf(dir).secret;
  const text = await files.read(path);
  if (text !== undefined) return { membership: secretOf(text) };
  if (secretFile !== undefined || !mayMake) throw noSecret(secretFile);
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  await files.write(path, `${made}\n`);
  return { membership: secretOf(made), newSecretAt: path };
}

function secretOf(text: string): Membership {
  return { kind: 'secret', secret: Buffer.from(text.trim()) };
}

function noSecret(file: string | undefined): CrawlError {
  const what =
    file === undefined
      ? 'A node needs the secret of its ring, and none was given.'
      : `${file} does not exist: a node needs the secret of its ring.`;
  const hint =
    'It is in ring.secret in the folder of the node that began the ring: copy it, ' +
    'and give --secret-file FILE, or ORB_RING_SECRET.';
  return new CrawlError('E_CONFIG', what, hint);
}

async function certified(file: string, ring: string, key: SignKey): Promise<Membership> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw diskError(error, file);
    const hint = 'Make it where the key of the ring is: orb ring certify.';
    throw new CrawlError('E_CONFIG', `There is no certificate at ${file}.`, hint);
  });
  const certificate = text.trim();
  const now = systemClock().now();
  const node = key.publicJwk.x;
  if (certifiedBy(ring, certificate, node, now) !== undefined) {
    return { kind: 'certificate', ring, certificate };
  }
  const day = new Date(now).toISOString();
  throw new CrawlError(
    'E_CONFIG',
    `The certificate in ${file} does not make this node (${node}) a member now, ${day}.`,
    'Is it of this node, by this ring key, and not over? Is the clock right?',
  );
}
